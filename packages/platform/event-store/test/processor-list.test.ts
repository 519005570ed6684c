import { expect, test } from 'vitest';
import { withoutFirst } from '../src/processor-list.ts';

test('the first processor of a list is left out', () => {
  const rests = ['0-1', '0-3', '2-3,8', '5,7', '3,4-6,9', '0,2-3'].map(withoutFirst);
  expect(rests).toEqual(['1', '1-3', '3,8', '7', '4-6,9', '2-3']);
});

test('where nothing would be left, or nothing is understood, there is no list', () => {
  expect(['0', '7', '', 'all', '0-', '0-1;reboot', '-1'].map(withoutFirst)).toEqual(Array(7).fill(undefined));
});
