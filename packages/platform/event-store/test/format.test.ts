import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@assay/testkit';
import { expect, it } from 'vitest';
import { open, segment } from './disk.ts';
import { note } from './drafts.ts';

// A journal as it was written once, with a checksum that another program computed: these bytes are read for ever.
const LINE =
  '{"v":1,"seq":1,"id":"event_01JD0000000000000000000000","at":"2026-01-01T00:00:00.000Z","type":"quest.opened","quest":"quest_01JD0000000000000000000000","scope":{},"trace":"trace_1","span":"span_1","data":{"notes":["日本 hello"]},"crc":"780e99d2"}';
const GENERATION = '{"v":1,"generation":3,"cuts":[]}\n';

it('reads the pinned line, and writes lines of the same form', async () => {
  verifies('event-store.format-pinned');
  await using folder = await temporaryFolder();
  await mkdir(`${folder.path}/events`);
  await writeFile(segment(folder.path), `${LINE}\n`);
  await writeFile(`${folder.path}/events/generation.json`, GENERATION);
  {
    await using journal = await open(folder.path);
    expect(journal.problem).toBeNull();
    expect(journal.generation).toBe(3);
    expect(await journal.read({ limit: 1 })).toEqual([
      {
        v: 1,
        seq: 1,
        id: 'event_01JD0000000000000000000000',
        at: '2026-01-01T00:00:00.000Z',
        type: 'quest.opened',
        quest: 'quest_01JD0000000000000000000000',
        scope: {},
        trace: 'trace_1',
        span: 'span_1',
        data: { notes: ['日本 hello'] },
      },
    ]);
    await journal.append([
      { ...note('next'), trace: 'trace_1', span: 'span_1', cause: 'event_01JD0000000000000000000000' },
    ]);
  }
  const [first, second] = (await readFile(segment(folder.path), 'utf8')).split('\n');
  expect(first).toBe(LINE);
  expect(second).toMatch(
    /^\{"v":1,"seq":2,"id":"event_[0-9A-Z]{26}","at":"[0-9T:.-]{23}Z","type":"quest\.opened","quest":"quest_01JD0{22}","scope":\{\},"trace":"trace_1","span":"span_1","cause":"event_01JD0{22}","data":\{"notes":\["next"\]\},"crc":"[0-9a-f]{8}"\}$/,
  );
});

it.each(['780E99D2', '780e99d3', '780e99dg'])('does not take %s for the checksum of that line', async (digits) => {
  verifies('event-store.flips-found');
  await using folder = await temporaryFolder();
  await mkdir(`${folder.path}/events`);
  await writeFile(segment(folder.path), `${LINE.replace('780e99d2', digits)}\n`);
  await writeFile(`${folder.path}/events/generation.json`, GENERATION);
  await using journal = await open(folder.path);
  expect(journal.problem).toMatchObject({
    code: 'journal_damaged',
    why: expect.stringContaining('checksum') as string,
  });
});
