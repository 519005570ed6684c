import { describe, expect, test } from 'vitest';
import type { Evidence } from '@assay/contracts';
import { verifies } from '@assay/testkit';
import { checkRendered } from '../src/verification/rendered-reports.ts';

const id = 'ev_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const evidence = {
  id,
  value: 0.95678,
  ci: { low: 0.9, high: 0.98765, level: 0.95, method: 'percentile bootstrap' },
} as Evidence;
const check = (shown: string, one: Evidence = evidence) =>
  checkRendered(
    [{ file: 'documents/report.md', markdown: `| accuracy | [${shown}](../evidence/${id}.json) |` }],
    [one],
  );

describe('a rendered report', () => {
  test.each(['0.96', '0.9568', '0.956780', '95.7 %', '95.68 %', '0.900 to 0.988', '90.0 % to 98.8 %'])(
    'that shows %s agrees with its evidence',
    (shown) => {
      expect(check(shown)).toEqual([]);
    },
  );

  test.each(['0.97', '0.9569', '95.9 %', '0.900 to 0.999', '0.800 to 0.988', '1', '-0.9568'])(
    'that was edited to %s is found',
    (shown) => {
      verifies('verify.edited-report');
      expect(check(shown)).toMatchObject([
        { evidenceId: id, recomputed: 0.95678, source: 'documents/report.md', reason: 'mismatch' },
      ]);
    },
  );

  test('counts and tiny numbers are compared in the form they are shown in', () => {
    expect(check('103', { ...evidence, value: 103 })).toEqual([]);
    expect(check('104', { ...evidence, value: 103 })).toHaveLength(1);
    expect(check('1.235e-7', { ...evidence, value: 1.2345e-7 })).toEqual([]);
    expect(check('1.300e-7', { ...evidence, value: 1.2345e-7 })).toHaveLength(1);
  });

  test('only links are compared here; a dash stands for no interval', () => {
    expect(
      checkRendered([{ file: 'documents/a.md', markdown: 'A better text, 0.5, [see](../other.md).' }], [evidence]),
    ).toEqual([]);
    expect(check('–')).toEqual([]);
  });
});
