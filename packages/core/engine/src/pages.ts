import { AssayError } from '@assay/foundation';
import type { Page } from './engine.ts';

/**
 * One page of a list. The cursor is the id of the last item sent, so a list that grows meanwhile neither repeats nor
 * skips. `items` are in the order in which they are paged.
 */
export function pageOf<T>(
  items: readonly T[],
  page: Page,
  idOf: (item: T) => string,
): { items: T[]; nextCursor: string | null } {
  const start = page.cursor === undefined ? 0 : positionAfter(items, page.cursor, idOf);
  const slice = items.slice(start, start + page.limit);
  const last = slice.at(-1);
  const more = start + slice.length < items.length;
  return { items: slice, nextCursor: more && last !== undefined ? idOf(last) : null };
}

function positionAfter<T>(items: readonly T[], cursor: string, idOf: (item: T) => string): number {
  const at = items.findIndex((item) => idOf(item) === cursor);
  if (at >= 0) return at + 1;
  throw new AssayError('invalid_request', 'the cursor does not belong to this list', {
    why: `no item has the id ${cursor}`,
    hint: 'start again without a cursor',
  });
}
