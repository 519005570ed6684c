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
export type { Projected, Projection } from './projection.ts';
