import { AssayError } from '@assay/foundation';
import type { ReadQuery } from './journal.ts';

/** The dense range of sequence numbers that a query asks for. `count` is 0 when there is nothing to read. */
export function readRange(query: ReadQuery, lastSeq: number): { first: number; count: number } {
  for (const [name, value] of Object.entries(query) as [string, number | undefined][])
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 0))
      throw new AssayError('invalid_request', `${name} must be a whole number from 0, not ${value}`, {
        hint: 'give the number of an event, or leave it out',
      });
  const end = Math.min(query.before === undefined ? lastSeq : query.before - 1, lastSeq);
  const first = query.after === undefined ? Math.max(1, end - query.limit + 1) : query.after + 1;
  return { first, count: Math.max(0, Math.min(query.limit, end - first + 1)) };
}
