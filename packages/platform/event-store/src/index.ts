export { checkJournal, readJournalFiles, type CheckOptions, type JournalReport } from './check-journal.ts';
export type { Damage } from './damage.ts';
export { openFileJournal } from './file-journal.ts';
export type { FileJournalOptions } from './file-journal-options.ts';
export { startJournalWorker, type JournalWorker } from './journal-worker-client.ts';
export { openMemoryJournal, type MemoryJournalOptions } from './memory-journal.ts';
export type {
  AppendOptions,
  Durability,
  FollowItem,
  FollowOptions,
  Journal,
  ReadQuery,
  ScanOptions,
} from './journal.ts';
export type { Spare } from './spare-processors.ts';
export type { Projected, Projection } from './projection.ts';
export { lowerThreadPoolPriority, type PoolPriority } from './thread-pool-priority.ts';
