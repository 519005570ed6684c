import type { Journal } from '@assay/event-store';

/** What the scheduler needs of a quest's journal. */
export type PlanJournal = Pick<Journal, 'append' | 'project'>;
