import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { checkJournal, readJournalFiles } from '../src/index.ts';
import { open } from './disk.ts';
import { collect, note, noteOf, QUEST } from './drafts.ts';

const SEGMENT = 200_000;

/** 4,000 events of different length in several segments. */
async function several(dir: string): Promise<string[]> {
  await using journal = await open(dir, { segmentBytes: SEGMENT });
  const texts = Array.from({ length: 4000 }, (_, at) => `${at + 1}:${'x'.repeat((at * 37) % 300)}`);
  for (let at = 0; at < texts.length; at += 50) await journal.append(texts.slice(at, at + 50).map(note));
  return texts;
}

describe('segments', () => {
  it('are named after their first event and hold whole lines', async () => {
    verifies('event-store.segments');
    await using folder = await temporaryFolder();
    const texts = await several(folder.path);
    const names = (await readdir(`${folder.path}/events`)).filter((name) => name.endsWith('.jsonl'));
    expect(names.length).toBeGreaterThan(5);
    expect(names).toContain('1.jsonl');
    let count = 0;
    for (const first of names.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b)) {
      const lines = (await readFile(`${folder.path}/events/${first}.jsonl`, 'utf8')).split('\n');
      expect(lines.pop()).toBe('');
      expect(JSON.parse(lines[0]!)).toMatchObject({ v: 1, seq: first, quest: QUEST });
      expect(first).toBe(count + 1);
      count += lines.length;
    }
    expect(count).toBe(texts.length);
  });

  it.each([
    ['with its indexes', async () => undefined],
    ['without its indexes', (dir: string) => rm(`${dir}/state`, { recursive: true })],
    ['with wrong indexes', spoilIndexes],
  ])('are read from any place, %s', async (_name, prepare) => {
    verifies('event-store.offset-index');
    await using folder = await temporaryFolder();
    const texts = await several(folder.path);
    expect((await readdir(`${folder.path}/state`)).filter((name) => name.startsWith('index-')).length).toBeGreaterThan(
      4,
    );
    await prepare(folder.path);
    await using journal = await open(folder.path, { segmentBytes: SEGMENT });
    for (const after of [0, 1, 255, 256, 257, 1234, 2999, 3990, 3999]) {
      const read = await journal.read({ after, limit: 40 });
      expect(read.map(noteOf)).toEqual(texts.slice(after, after + 40));
    }
    expect((await journal.read({ limit: 200 })).map(noteOf)).toEqual(texts.slice(-200));
    expect((await collect(journal.scan({ after: 100 }))).map(noteOf)).toEqual(texts.slice(100));
    await journal.append([note('one more')]);
    expect((await journal.read({ limit: 2 })).map(noteOf)).toEqual([texts.at(-1), 'one more']);
  });

  it('hold lines longer than any buffer', async () => {
    verifies('event-store.segments');
    await using folder = await temporaryFolder();
    const long = 'long '.repeat(900_000);
    {
      await using journal = await open(folder.path);
      await journal.append([note('before'), note(long)]);
      await journal.append([note('after')]);
      expect((await collect(journal.scan())).map((event) => noteOf(event).length)).toEqual([6, 4_500_000, 5]);
    }
    await using journal = await open(folder.path);
    expect(journal.lastSeq).toBe(3);
    expect((await journal.read({ after: 1, limit: 1 })).map((event) => noteOf(event).length)).toEqual([4_500_000]);
    await expect(journal.append([note('x'.repeat(12_000_000))])).rejects.toMatchObject({ code: 'payload_too_large' });
  });

  it('are read without opening the journal, and a full check counts them', async () => {
    verifies('event-store.check');
    await using folder = await temporaryFolder();
    const texts = await several(folder.path);
    expect((await collect(readJournalFiles(folder.path, QUEST))).map(noteOf)).toEqual(texts);
    expect(await checkJournal(folder.path, QUEST)).toMatchObject({
      quest: QUEST,
      generation: 1,
      lastSeq: 4000,
      torn: null,
      damage: [],
      newer: null,
    });
  });

  it('with a write under way are checked without calling it damage', async () => {
    verifies('event-store.check');
    await using folder = await temporaryFolder();
    {
      await using journal = await open(folder.path);
      await journal.append([note('a')]);
    }
    const file = `${folder.path}/events/1.jsonl`;
    await writeFile(file, '{"v":1,"seq":2', { flag: 'a' });
    expect(await checkJournal(folder.path, QUEST)).toMatchObject({
      lastSeq: 1,
      torn: { file, bytes: 14 },
      damage: [],
    });
    expect((await collect(readJournalFiles(folder.path, QUEST))).map(noteOf)).toEqual(['a']);
  });
});

/** Every place of every index points one byte further. */
async function spoilIndexes(dir: string): Promise<void> {
  for (const name of (await readdir(`${dir}/state`)).filter((file) => file.startsWith('index-'))) {
    const stored = JSON.parse(await readFile(`${dir}/state/${name}`, 'utf8')) as { entries: { offset: number }[] };
    for (const entry of stored.entries) entry.offset++;
    await writeFile(`${dir}/state/${name}`, JSON.stringify(stored));
  }
}
