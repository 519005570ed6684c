import { systemClock } from '@assay/foundation';
import { openFileJournal, startJournalWorker } from '../src/index.ts';
import { note, QUEST } from './drafts.ts';

// A process that appends as one that finds idle processors does, then rests, and says what the rest cost.
const [dir] = process.argv.slice(2);
if (dir === undefined) throw new Error('usage: idle-child DIR');

const REST_MS = 1000;

await using worker = startJournalWorker({ any: true });
await using journal = await openFileJournal({ dir, quest: QUEST, clock: systemClock, worker });
for (let round = 0; round < 50; round++)
  await Promise.all(Array.from({ length: 64 }, (_, writer) => journal.append([note(`${round}-${writer}`)])));
await new Promise((resolve) => setTimeout(resolve, 100));
const before = process.cpuUsage();
await new Promise((resolve) => setTimeout(resolve, REST_MS));
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${JSON.stringify({ appended: journal.lastSeq, cpuMs: (user + system) / 1000 })}\n`);
