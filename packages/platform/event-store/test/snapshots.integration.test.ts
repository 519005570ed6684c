import { readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import type { AssayEvent } from '@assay/contracts';
import type { Journal } from '../src/index.ts';
import { editLines, open, segment } from './disk.ts';
import { note, QUEST, tally, type Tally } from './drafts.ts';

/** A tally that says which events it was given. */
function watched(seen: number[], version = 1): typeof tally {
  const reduce = (state: Tally, event: AssayEvent) => {
    seen.push(event.seq);
    return tally.reduce(state, event);
  };
  return { ...tally, version, reduce };
}

async function append(journal: Journal, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1000)
    await journal.append(Array.from({ length: Math.min(1000, left) }, () => note('event')));
}

async function snapshots(dir: string): Promise<string[]> {
  return (await readdir(`${dir}/state`)).filter((name) => name.startsWith('tally-')).sort();
}

/** A journal of 10 events whose snapshot holds all of them. */
async function tenEvents(dir: string): Promise<void> {
  await using journal = await open(dir);
  await journal.project(tally);
  await append(journal, 10);
}

describe('snapshots', () => {
  it('are written at close; opening folds only what came later', async () => {
    verifies('event-store.snapshots');
    await using folder = await temporaryFolder();
    await tenEvents(folder.path);
    expect(JSON.parse(await readFile(`${folder.path}/state/tally-10.json`, 'utf8'))).toEqual({
      v: 1,
      quest: QUEST,
      projection: 'tally',
      version: 1,
      generation: 1,
      throughSeq: 10,
      state: { count: 10, last: 'event' },
    });
    {
      await using journal = await open(folder.path);
      await append(journal, 2);
    }
    const seen: number[] = [];
    await using journal = await open(folder.path);
    const projected = await journal.project(watched(seen));
    expect(projected.state.count).toBe(12);
    expect(seen).toEqual([11, 12]);
  });

  it('are written every 20,000 events, and the last two are kept', async () => {
    verifies('event-store.snapshots');
    await using folder = await temporaryFolder();
    await using journal = await open(folder.path);
    await journal.project(tally);
    for (const through of [20_000, 40_000, 60_000]) {
      await append(journal, 20_000);
      await expect.poll(() => snapshots(folder.path), { timeout: 5000 }).toContain(`tally-${through}.json`);
    }
    await expect.poll(() => snapshots(folder.path)).toEqual(['tally-40000.json', 'tally-60000.json']);
  });

  it('are written when nothing was appended for a while', async () => {
    verifies('event-store.snapshots');
    await using folder = await temporaryFolder();
    await using journal = await open(folder.path, { idleMs: 20 });
    await journal.project(tally);
    await append(journal, 3);
    await expect.poll(() => snapshots(folder.path).catch(() => []), { timeout: 5000 }).toEqual(['tally-3.json']);
  });

  it.each([
    ['damaged', (file: string) => truncate(file, 40)],
    ['of another quest', (file: string) => rewrite(file, { quest: 'quest_01JD2222222222222222222222' })],
    ['of another generation', (file: string) => rewrite(file, { generation: 2 })],
    ['of a state that does not fit', (file: string) => rewrite(file, { state: { count: 'ten' } })],
    ['under the name of another seq', (file: string) => rename(file, file.replace('-10', '-9'))],
    ['ahead of the log', (file: string) => forge(file.replace('-10', '-11'), 11)],
  ])('that are %s are passed over and built anew', async (_name, spoil) => {
    verifies('event-store.snapshots-checked');
    await using folder = await temporaryFolder();
    await tenEvents(folder.path);
    await rm(`${folder.path}/state/tally-9.json`, { force: true });
    await spoil(`${folder.path}/state/tally-10.json`);
    const seen: number[] = [];
    await using journal = await open(folder.path);
    const projected = await journal.project(watched(seen));
    expect(projected.state).toEqual({ count: 10, last: 'event' });
    expect(seen).toHaveLength(10);
  });

  it('of another version of the projection are passed over', async () => {
    verifies('event-store.snapshots-checked');
    await using folder = await temporaryFolder();
    await tenEvents(folder.path);
    const seen: number[] = [];
    await using journal = await open(folder.path);
    expect((await journal.project(watched(seen, 2))).state.count).toBe(10);
    expect(seen).toHaveLength(10);
  });

  it('of the generation before are passed over after a tail was cut', async () => {
    verifies('event-store.snapshots-checked');
    await using folder = await temporaryFolder();
    await tenEvents(folder.path);
    await writeFile(segment(folder.path), '{"v":1,"seq":11,"id', { flag: 'a' });
    const seen: number[] = [];
    await using journal = await open(folder.path);
    expect((await journal.project(watched(seen))).state.count).toBe(10);
    expect([journal.generation, seen.length]).toEqual([2, 10]);
  });

  it('leave the older one to fall back to', async () => {
    verifies('event-store.snapshots-checked');
    await using folder = await temporaryFolder();
    await tenEvents(folder.path);
    {
      await using journal = await open(folder.path);
      await journal.project(tally);
      await append(journal, 5);
    }
    await writeFile(`${folder.path}/state/tally-15.json`, 'not JSON');
    const seen: number[] = [];
    await using journal = await open(folder.path);
    expect((await journal.project(watched(seen))).state.count).toBe(15);
    expect(seen).toEqual([11, 12, 13, 14, 15]);
  });

  it('that a crash left half written are removed with the next one', async () => {
    verifies('event-store.snapshots');
    await using folder = await temporaryFolder();
    await tenEvents(folder.path);
    await writeFile(`${folder.path}/state/tally-9.json.0123456789ab.tmp`, '{"v":1');
    {
      await using journal = await open(folder.path);
      await journal.project(tally);
      await append(journal, 1);
    }
    expect(await snapshots(folder.path)).toEqual(['tally-10.json', 'tally-11.json']);
  });

  it('may all be deleted: everything reads as before', async () => {
    verifies('event-store.state-deletable');
    await using folder = await temporaryFolder();
    await tenEvents(folder.path);
    await rm(`${folder.path}/state`, { recursive: true });
    await using journal = await open(folder.path);
    expect((await journal.project(tally)).state).toEqual({ count: 10, last: 'event' });
    expect((await journal.read({ after: 4, limit: 2 })).map((event) => event.seq)).toEqual([5, 6]);
  });

  it('are not made from a log with damage', async () => {
    verifies('event-store.damage-stops');
    await using folder = await temporaryFolder();
    await tenEvents(folder.path);
    await rm(`${folder.path}/state`, { recursive: true });
    await editLines(segment(folder.path), (lines) => lines.map((line, at) => (at === 3 ? 'gone' : line)));
    await using journal = await open(folder.path);
    await expect(journal.project(tally)).rejects.toMatchObject({ code: 'journal_damaged' });
  });
});

async function rewrite(file: string, change: Record<string, unknown>): Promise<void> {
  const stored = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, JSON.stringify({ ...stored, ...change }));
}

/** A snapshot that claims more events than there are, and no other one to fall back to. */
async function forge(file: string, throughSeq: number): Promise<void> {
  const real = file.replace(`-${throughSeq}`, '-10');
  await rewrite(real, { throughSeq, state: { count: throughSeq, last: 'invented' } });
  await rename(real, file);
}
