import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { createRowFinder, tellingRow } from '../src/row-finder.ts';
import { createTokenizer, tokensOf, type Token } from '../src/text-tokens.ts';

function inPieces(text: string, size: number): Token[] {
  const tokens: Token[] = [];
  const tokenizer = createTokenizer({ token: (token) => tokens.push(token) });
  for (let at = 0; at < text.length; at += size) tokenizer.push(text.slice(at, at + size));
  tokenizer.end();
  return tokens;
}

test('a text is cut at marks and white space, and numbers count by their value', () => {
  verifies('benchmark.copies-found');
  expect(tokensOf('{"x": 5.10, \'y\':+3}|a;b\tc=d\n[-2.50e1](.5)')).toEqual([
    'x', 5.1, 'y', 3, 'a', 'b', 'c', 'd', -25, 0.5,
  ]); // prettier-ignore
  expect(tokensOf('51e-1 5.1 005.100 3L 2.5f 7n')).toEqual([5.1, 5.1, 5.1, 3, 2.5, 7]);
  expect(tokensOf('1.2.3 2020-01-02 - Yes yes 1e999 3rd')).toEqual([
    '1.2.3', '2020-01-02', '-', 'Yes', 'yes', '1e999', '3rd',
  ]); // prettier-ignore
  expect(tokensOf('"a\\nb\\t\\u4e2d\\u6587\\"c\\\\d"　良い\u00a0x')).toEqual(['a', 'b', '中文', 'c', 'd', '良い', 'x']);
  expect(tokensOf('')).toEqual([]);
});

test('tokens do not depend on how the text arrives, and have a longest length', () => {
  verifies('benchmark.copies-found');
  const text = 'one,5.10\\u4e2d\\n"two words"\\\\ 12.50,\\u00e9nd\\';
  const whole = ['one', '5.10中', 'two', 'words', 12.5, 'énd'];
  for (const size of [1, 2, 3, 5, 7, 100]) expect(inPieces(text, size)).toEqual(whole);
  const long = 'x'.repeat(100_000);
  for (const size of [1, 255, 4096]) expect(inPieces(`${long} end`, size)).toEqual(['x'.repeat(256), 'end']);
});

const row = (...cells: string[]) => tellingRow(cells)!;

function foundIn(rows: readonly ReturnType<typeof row>[], text: string): number {
  const finder = createRowFinder(rows);
  finder.begin();
  for (const token of tokensOf(text)) finder.see(token);
  return finder.found();
}

test('rows that prove nothing are left out', () => {
  verifies('benchmark.search-limits-said');
  expect(tellingRow(['1', '0', '2'])).toBeUndefined();
  expect(tellingRow(['12.5', 'yes'])).toBeUndefined();
  expect(tellingRow(['12', '12.0', '+12', 'yes'])).toBeUndefined();
  expect(tellingRow(['', '12', '3', 'a'])).toEqual({ tokens: [12, 3, 'a'], length: 3, numbers: 2, columns: 4 });
  expect(tellingRow(['good movie', 'yes'])!.tokens).toEqual(['good', 'movie', 'yes']);
  expect(tellingRow([Array.from({ length: 10_001 }, (_, i) => `w${i}`).join(' ')])).toBeUndefined();
});

test('all tokens have to stand within the window of the row, in any order', () => {
  verifies('benchmark.copies-found');
  const one = [row('5.1', '3', 'a')]; // a window of 4 x 3 + 2 x 3 + 16 = 34 tokens
  expect(foundIn(one, 'a 5.10 3.0')).toBe(1);
  expect(foundIn(one, '5.1 3 b')).toBe(0);
  expect(foundIn(one, `5.1 3 ${'k '.repeat(31)} a`)).toBe(1);
  expect(foundIn(one, `5.1 3 ${'k '.repeat(32)} a`)).toBe(0);
  expect(foundIn(one, `5.1 ${'k '.repeat(40)} 3 a ${'k '.repeat(10)} 5.1`)).toBe(1);
});

test('among many numbers, a row of common values has to stand together', () => {
  verifies('benchmark.look-alikes-kept');
  const rows = [row('5.1', '3.5', 'a'), row('5.1', '3.4', 'a'), row('4.9', '3.5', 'a')]; // 4.9 and 3.4 are of one row each
  expect(foundIn(rows, '5.1 7 3.5 a')).toBe(1);
  expect(foundIn(rows, '5.1 7 8 3.5 a')).toBe(0);
  const own = [row('5.1', '3.5', 'a'), row('4.9', '3.1', 'a')];
  expect(foundIn(own, '5.1 1 2 6 7 8 3.5 a')).toBe(1);
});

test('a place counts for one row, and a row counts once', () => {
  verifies('benchmark.look-alikes-kept');
  const rows = [row('10', '20', 'a'), row('20', '10', '30', 'a'), row('30', '20', 'a')];
  expect(foundIn(rows, '10 20 30 a')).toBe(1);
  expect(foundIn(rows, '10 20 a / 10 20 a / 10 20 a')).toBe(1);
  expect(foundIn(rows, '10 20 a 20 10 30 a 30 20 a')).toBe(3);
});

test('nothing of one text counts in the next', () => {
  verifies('benchmark.look-alikes-kept');
  const finder = createRowFinder([row('5.1', '3', 'a'), row('6.1', '4', 'b')]);
  const counts = ['5.1 3', 'a 6.1 4 b', '6.1 4 b 5.1 3 a', ''].map((text) => {
    finder.begin();
    for (const token of tokensOf(text)) finder.see(token);
    return finder.found();
  });
  expect(counts).toEqual([0, 1, 2, 0]);
});
