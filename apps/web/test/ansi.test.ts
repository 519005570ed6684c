import { verifies } from '@assay/testkit';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ansiParts, ansiText } from '../src/log/ansi.ts';

const colors = (row: string) => ansiParts(row).map(({ text, color }) => [text, color]);

it('colours of a terminal are kept, whatever way they are written in', () => {
  verifies('log.ansi');
  expect(colors('a \u001b[31mred\u001b[0m b')).toEqual([
    ['a ', undefined],
    ['red', 1],
    [' b', undefined],
  ]);
  expect(colors('\u001b[92mbright\u001b[39m')).toEqual([['bright', 10]]);
  expect(colors('\u001b[38;5;9mx\u001b[38;2;250;10;10my\u001b[38:2:10:10:200mz')).toEqual([
    ['x', 9],
    ['y', 9],
    ['z', 4],
  ]);
  expect(ansiParts('\u001b[1;4mA\u001b[22mB\u001b[24mC').map(({ bold, underline }) => [bold, underline])).toEqual([
    [true, true],
    [false, true],
    [false, false],
  ]);
});

it('a row that was written over shows what stands there in the end', () => {
  verifies('log.ansi');
  expect(ansiText('10 %\r50 %\r100 %\r')).toBe('100 %');
});

it('titles, links, cursor moves and sequences that are cut off leave nothing', () => {
  verifies('log.ansi');
  expect(ansiText('\u001b]0;a title\u0007x\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\')).toBe('xlink');
  expect(ansiText('a\u001b[2K\u001b[1Gb\u001b(Bc\u001b7d\u001b[3')).toBe('abcd');
  expect(ansiText('x\u001b]52;c;aGVsbG8=')).toBe('x');
  expect(ansiText('<img src=x onerror=alert(1)>')).toBe('<img src=x onerror=alert(1)>');
});

it('no escape survives, and text without escapes is not changed', () => {
  verifies('log.ansi');
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('\u001b', '\u009b', '[', ']', '38;5;', 'm', '\u0007', '\\', '31m'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const row = pieces.join('');
      for (const escape of ['\u001b', '\u009b']) expect(ansiText(row)).not.toContain(escape);
      for (const { color } of ansiParts(row)) expect(color ?? 0).toSatisfy((c: number) => c >= 0 && c < 16);
    }),
    { numRuns: 1000, seed: 3 },
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '<', '&', '中', '[', 'm', ' ') }), (row) => {
      expect(ansiText(row)).toBe(row);
    }),
    { numRuns: 300, seed: 3 },
  );
});
