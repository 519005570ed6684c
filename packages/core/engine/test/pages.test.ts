import { expect, test } from 'vitest';
import { pageOf } from '../src/pages.ts';

const items = ['a', 'b', 'c', 'd', 'e'];
const idOf = (item: string) => item;

test('pages follow one another without a gap or a repetition, also while the list grows', () => {
  const first = pageOf(items, { limit: 2 }, idOf);
  expect(first).toEqual({ items: ['a', 'b'], nextCursor: 'b' });
  const grown = ['new', ...items];
  const second = pageOf(grown, { limit: 2, cursor: first.nextCursor! }, idOf);
  expect(second).toEqual({ items: ['c', 'd'], nextCursor: 'd' });
  expect(pageOf(grown, { limit: 2, cursor: 'd' }, idOf)).toEqual({ items: ['e'], nextCursor: null });
  expect(pageOf(grown, { limit: 2, cursor: 'e' }, idOf)).toEqual({ items: [], nextCursor: null });
});

test('a cursor of another list is refused', () => {
  expect(() => pageOf(items, { limit: 2, cursor: 'z' }, idOf)).toThrow('does not belong to this list');
});
