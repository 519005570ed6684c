import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { assertProperty, temporaryFolder, verifies } from '@assay/testkit';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startJournalWorker } from '../src/index.ts';
import { open, segment, written } from './disk.ts';
import { collect, note, noteOf } from './drafts.ts';

const TEXTS = ['first', '第二 🧪', 'the third'];
const worker = startJournalWorker();
const folder = await temporaryFolder();
const original = `${folder.path}/original`;
let bytes: Buffer;
let ends: number[];

beforeAll(async () => {
  await written(original, TEXTS, { worker });
  bytes = await readFile(segment(original));
  ends = [...bytes.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1);
});
afterAll(async () => {
  await worker[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** A copy of the journal whose state was deleted, so that nothing but the log can tell. */
async function copyTo(name: string): Promise<string> {
  const dir = `${folder.path}/${name}`;
  await rm(dir, { recursive: true, force: true });
  await cp(original, dir, { recursive: true });
  await rm(`${dir}/state`, { recursive: true, force: true });
  return dir;
}

describe('torn writes', () => {
  it('at every byte leave exactly the events before, with a note and a new generation', async () => {
    verifies('event-store.torn-line-cut');
    expect(ends).toHaveLength(3);
    const lengths = [0, 1, ...Array.from({ length: bytes.length - ends[1]! + 2 }, (_, at) => ends[1]! - 1 + at)];
    for (const length of lengths) {
      const dir = await copyTo('cut');
      await truncate(segment(dir), length);
      const whole = ends.filter((end) => end <= length).length;
      const torn = length - (ends[whole - 1] ?? 0);
      await using journal = await open(dir, { worker });
      expect(journal.problem).toBeNull();
      expect((await collect(journal.scan())).map(noteOf)).toEqual(TEXTS.slice(0, whole));
      expect(journal.generation).toBe(torn > 0 ? 2 : 1);
      expect(journal.notes).toEqual(torn > 0 ? [expect.stringContaining(`torn last line of ${torn} bytes`)] : []);
      const [appended] = await journal.append([note('after')]);
      expect(appended?.seq).toBe(whole + 1);
    }
  });

  it('raise the generation for good', async () => {
    verifies('event-store.torn-line-cut');
    const dir = await copyTo('generations');
    await truncate(segment(dir), bytes.length - 1);
    for (const generation of [2, 2]) {
      await using journal = await open(dir, { worker });
      expect(journal.generation).toBe(generation);
    }
    const first = ends[0]!;
    await truncate(segment(dir), first + 3);
    await using journal = await open(dir, { worker });
    expect(journal.generation).toBe(3);
    expect(JSON.parse(await readFile(`${dir}/events/generation.json`, 'utf8'))).toMatchObject({
      v: 1,
      generation: 3,
      cuts: [{ file: '1.jsonl' }, { file: '1.jsonl', offset: first, bytes: 3 }],
    });
  });
});

describe('changed bytes', () => {
  it('give the same beginning with a note, or damage; never another event', async () => {
    verifies('event-store.flips-found');
    const flip = fc.tuple(fc.nat({ max: 1_000_000 }), fc.integer({ min: 1, max: 255 }));
    await assertProperty(
      fc.asyncProperty(fc.array(flip, { minLength: 1, maxLength: 3 }), async (flips) => {
        const changed = Buffer.from(bytes);
        for (const [at, mask] of flips) changed[at % changed.length]! ^= mask;
        if (changed.equals(bytes)) return;
        const dir = await copyTo('flip');
        await writeFile(segment(dir), changed);
        await using journal = await open(dir, { worker });
        if (journal.problem !== null) {
          expect(['journal_damaged', 'record_newer']).toContain(journal.problem.code);
          return;
        }
        const texts = (await collect(journal.scan())).map(noteOf);
        expect(texts).toEqual(TEXTS.slice(0, texts.length));
        // Only the line end of the last line can be lost without damage: then that line is a torn one.
        expect(texts).toHaveLength(2);
        expect(journal.notes.join()).toContain('torn last line');
      }),
      { name: 'changed-bytes', test: import.meta.url, numRuns: 250 },
    );
  });
});
