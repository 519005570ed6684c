import { join } from 'node:path';
import { readJournalFiles } from '@assay/event-store';
import { PlanHistory } from './plan-history.ts';
import { PublishedRecords } from './published-files.ts';

/** One pass over a quest's journal: the history of its plans, and what it says was published. */
export async function readHistory(
  root: string,
  questId: string,
): Promise<{ readonly history: PlanHistory; readonly published: PublishedRecords }> {
  const history = new PlanHistory();
  const published = new PublishedRecords();
  for await (const event of readJournalFiles(join(root, '.assay'), questId)) {
    history.add(event);
    published.add(event);
  }
  return { history, published };
}
