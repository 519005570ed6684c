import { appendFile, mkdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { checkJournal } from '../src/index.ts';
import { editLines, open, plainLine, segment, written } from './disk.ts';
import { collect, note, noteOf, QUEST } from './drafts.ts';

const OTHER = 'quest_01JD1111111111111111111111';

/** What is done to a journal of the events a, b, c, and where the damage must be said to be. */
const damages: {
  readonly name: string;
  readonly make: (dir: string) => Promise<void>;
  readonly reason: RegExp;
  /** Which line, from 0, the offset must point at. */
  readonly line: number;
}[] = [
  {
    name: 'a line that is not JSON',
    make: (dir) => editLines(segment(dir), ([a, , c]) => [a!, '{"v":1,"seq":2,', c!]),
    reason: /this line is not JSON/,
    line: 1,
  },
  {
    name: 'a changed byte inside a text',
    make: (dir) => editLines(segment(dir), ([a, b, c]) => [a!, b!.replace('"notes":["b"]', '"notes":["B"]'), c!]),
    reason: /checksum/,
    line: 1,
  },
  {
    name: 'a missing event',
    make: (dir) => editLines(segment(dir), ([a, , c]) => [a!, c!]),
    reason: /event 3 stands where event 2 must be/,
    line: 1,
  },
  {
    name: 'a doubled event',
    make: (dir) => editLines(segment(dir), ([a, b, c]) => [a!, b!, b!, c!]),
    reason: /event 2 stands where event 3 must be/,
    line: 2,
  },
  {
    name: 'an event of another quest',
    make: (dir) => editLines(segment(dir), ([a, b]) => [a!, b!, plainLine(3, 'c', { quest: OTHER })]),
    reason: new RegExp(`this event belongs to ${OTHER}`),
    line: 2,
  },
  {
    name: 'an event that does not fit its schema',
    make: (dir) => editLines(segment(dir), ([a, b]) => [a!, b!, plainLine(3, 'c', { data: { notes: 'c' } })]),
    reason: /not a valid event/,
    line: 2,
  },
  {
    name: 'NUL bytes behind the last line',
    make: (dir) => appendFile(segment(dir), Buffer.alloc(64)),
    reason: /NUL bytes at the end/,
    line: 3,
  },
  {
    name: 'NUL bytes as a line',
    make: (dir) => editLines(segment(dir), ([a, b, c]) => [a!, '\0'.repeat(b!.length), c!]),
    reason: /NUL bytes in a line/,
    line: 1,
  },
];

describe('damage', () => {
  it.each(damages)('$name stops the quest with file and offset', async ({ make, reason, line }) => {
    verifies('event-store.damage-stops', 'event-store.check');
    await using folder = await temporaryFolder();
    await written(folder.path, ['a', 'b', 'c']);
    await make(folder.path);
    const before = await readFile(segment(folder.path));
    const offset = offsetOfLine(before, line);

    await using journal = await open(folder.path);
    expect(journal.problem).toMatchObject({
      code: 'journal_damaged',
      why: expect.stringMatching(reason) as string,
      details: { file: segment(folder.path), offset, quest: QUEST },
    });
    await expect(journal.append([note('d')])).rejects.toMatchObject({ code: 'journal_damaged' });
    await expect(journal.read({ limit: 1 })).rejects.toMatchObject({ code: 'journal_damaged' });
    const following = collect(journal.follow({ after: 0, signal: AbortSignal.timeout(5000) }));
    await expect(following).rejects.toMatchObject({ code: 'journal_damaged' });
    expect(await readFile(segment(folder.path))).toEqual(before);

    const report = await checkJournal(folder.path, QUEST);
    expect(report.damage).toMatchObject([{ file: segment(folder.path), offset }]);
  });

  it('of a line that a newer program wrote is refused as newer', async () => {
    verifies('event-store.newer-refused');
    await using folder = await temporaryFolder();
    await written(folder.path, ['a']);
    await appendFile(segment(folder.path), `${plainLine(2, 'b', { v: 2 })}\n`);
    await using journal = await open(folder.path);
    expect(journal.problem).toMatchObject({ code: 'record_newer' });
    await expect(journal.append([note('c')])).rejects.toMatchObject({ code: 'record_newer' });
    expect((await checkJournal(folder.path, QUEST)).newer).toContain('newer version of Assay');
  });

  it('of an unknown event type is refused as newer', async () => {
    verifies('event-store.newer-refused');
    await using folder = await temporaryFolder();
    await written(folder.path, ['a']);
    await appendFile(segment(folder.path), `${plainLine(2, 'b', { type: 'quest.dreamt' })}\n`);
    await using journal = await open(folder.path);
    expect(journal.problem).toMatchObject({
      code: 'record_newer',
      message: 'this journal holds an event of type quest.dreamt',
    });
  });

  it.each([
    ['the first', 1, '1.jsonl'],
    ['a middle', 3, '2.jsonl'],
  ])('of %s segment that is missing is found at opening', async (_name, first, named) => {
    verifies('event-store.damage-stops', 'event-store.check');
    await using folder = await temporaryFolder();
    await written(folder.path, ['a', 'b', 'c', 'd', 'e'], { segmentBytes: 1 });
    await rm(segment(folder.path, first));
    await using journal = await open(folder.path);
    expect(journal.problem).toMatchObject({ code: 'journal_damaged', why: expect.stringContaining(named) as string });
    expect((await checkJournal(folder.path, QUEST)).damage).not.toEqual([]);
  });

  it('of a segment that was cut in the middle of the journal is found at opening', async () => {
    verifies('event-store.damage-stops', 'event-store.check');
    await using folder = await temporaryFolder();
    await written(folder.path, ['a', 'b', 'c'], { segmentBytes: 1 });
    const { size } = await stat(segment(folder.path, 2));
    await truncate(segment(folder.path, 2), size - 5);
    await using journal = await open(folder.path);
    expect(journal.problem).toMatchObject({ code: 'journal_damaged', details: { file: segment(folder.path, 2) } });
    expect((await checkJournal(folder.path, QUEST)).damage).toMatchObject([
      { file: segment(folder.path, 2) },
      { file: segment(folder.path, 3) },
    ]);
  });

  it('is never answered with a fresh start', async () => {
    verifies('event-store.damage-stops');
    await using folder = await temporaryFolder();
    await written(folder.path, ['a']);
    await rm(segment(folder.path));
    {
      await using journal = await open(folder.path);
      expect(journal.problem).toMatchObject({
        code: 'journal_damaged',
        why: expect.stringContaining('missing') as string,
      });
    }
    await rename(`${folder.path}/events`, `${folder.path}/moved`);
    await using journal = await open(folder.path, { create: false });
    expect(journal.problem).toMatchObject({ code: 'journal_damaged', details: { file: `${folder.path}/events` } });
  });

  it('of the generation file stops the quest', async () => {
    verifies('event-store.damage-stops');
    await using folder = await temporaryFolder();
    await written(folder.path, ['a']);
    await writeFile(`${folder.path}/events/generation.json`, '{"v":1,"generation":0}');
    await using journal = await open(folder.path);
    expect(journal.problem).toMatchObject({
      code: 'journal_damaged',
      details: { file: `${folder.path}/events/generation.json` },
    });
  });

  it('deep inside the log is found when it is read, and stops appends', async () => {
    verifies('event-store.damage-stops');
    await using folder = await temporaryFolder();
    {
      await using journal = await open(folder.path);
      await journal.append(Array.from({ length: 3000 }, (_, index) => note(`event number ${index + 1}`)));
    }
    await editLines(segment(folder.path), (lines) =>
      lines.map((line) => line.replace('event number 700"', 'event number 7OO"')),
    );
    await using journal = await open(folder.path);
    expect(journal.problem).toBeNull();
    expect((await journal.read({ after: 690, limit: 9 })).map(noteOf).at(-1)).toBe('event number 699');
    await expect(collect(journal.scan())).rejects.toMatchObject({ code: 'journal_damaged' });
    expect(journal.problem).toMatchObject({
      code: 'journal_damaged',
      why: expect.stringContaining('checksum') as string,
    });
    await expect(journal.append([note('more')])).rejects.toMatchObject({ code: 'journal_damaged' });
    expect(await checkJournal(folder.path, QUEST)).toMatchObject({ lastSeq: 0, damage: [{ reason: /checksum/ }] });
  });
});

describe('a journal by hand', () => {
  it('is read when its lines have no checksum', async () => {
    verifies('event-store.plain-lines');
    await using folder = await temporaryFolder();
    await mkdir(`${folder.path}/events`);
    await writeFile(segment(folder.path), `${plainLine(1, 'a')}\n${plainLine(2, 'b')}\n`);
    await using journal = await open(folder.path);
    expect(journal.problem).toBeNull();
    expect(journal.notes).toEqual([expect.stringContaining('generation.json')]);
    await journal.append([note('c')]);
    expect((await collect(journal.scan())).map(noteOf)).toEqual(['a', 'b', 'c']);
  });
});

/** The byte at which line `line` of a file starts; the end for the line behind the last. */
function offsetOfLine(bytes: Buffer, line: number): number {
  let offset = 0;
  for (let at = 0; at < line; at++) offset = bytes.indexOf(10, offset) + 1;
  return offset;
}
