import { systemClock } from '@assay/foundation';
import { temporaryFolder, type TemporaryFolder } from '@assay/testkit';
import { afterAll, beforeAll } from 'vitest';
import { openFileJournal, startJournalWorker } from '../src/index.ts';
import { journalAcceptance } from './acceptance.ts';
import { QUEST } from './drafts.ts';

const worker = startJournalWorker();
let folder: TemporaryFolder;
let next = 0;

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  await worker[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

journalAcceptance('file', () =>
  openFileJournal({ dir: `${folder.path}/${next++}`, quest: QUEST, clock: systemClock, worker }),
);
