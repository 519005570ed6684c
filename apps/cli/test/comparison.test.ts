import type { ComparisonResult } from '@assay/contracts';
import { comparisonSchema } from '@assay/contracts';
import { verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { candidatesOf } from '../src/plan/candidates.ts';
import { answerComparison } from '../src/plan/run-comparison.ts';
import { comparisonText } from '../src/render/comparison-text.ts';
import { colours } from '../src/render/style.ts';
import { Session } from '../src/session.ts';
import { testIo } from './support/test-io.ts';

const evidence = `ev_${'0'.repeat(26)}`;
const proven = (value: number, interval?: [number, number]) => ({
  value,
  evidence,
  ...(interval === undefined ? {} : { interval }),
});

const candidate = (name: string, rank: number, accuracy: number) => ({
  plan: 'plan_1',
  name,
  repository: `/repos/${name}`,
  commit: null,
  entrypoint: 'model:predict',
  rank,
  metrics: { accuracy: proven(accuracy, [accuracy - 0.05, accuracy + 0.05]), macro_f1: proven(accuracy - 0.01) },
});

const test = {
  corrected: proven(0.25, [0.1, 0.4]),
  levels: [0.9833, 0.9833] as [number, number],
  simultaneous: proven(0.25, [0.09, 0.41]),
  pBootstrap: proven(0.001),
  pHolm: proven(0.003),
  firstOnly: proven(30),
  secondOnly: proven(5),
  pExact: proven(0.0001),
};

/** Three candidates, two of them the same code, and one that failed. */
const result: ComparisonResult = {
  comparison: comparisonSchema.parse({
    v: 1,
    id: 'comparison_1',
    quest: 'quest_1',
    protocol: { sha256: 'a'.repeat(64), registeredSeq: 2, firstRunSeq: 20 },
    task: 'classification',
    rows: 120,
    dataset: { name: 'points.csv', sha256: 'b'.repeat(64) },
    primary: 'accuracy',
    direction: 'higher',
    attempts: [
      { plan: 'plan_1', attempt: 1, outcome: 'completed', code: null },
      { plan: 'plan_2', attempt: 1, outcome: 'failed', code: 'adapter_failed' },
    ],
    family: 3,
    alpha: 0.05,
    candidates: [candidate('硬币', 2, 0.5), candidate('threshold', 1, 0.75), candidate('copy', 2, 0.5)],
    pairs: [
      {
        first: 0,
        second: 1,
        code: 'different',
        files: [],
        differences: { accuracy: proven(-0.25, [-0.35, -0.15]) },
        test: { ...test, corrected: proven(-0.25, [-0.4, -0.1]) },
        verdict: 'second_better',
      },
      {
        first: 0,
        second: 2,
        code: 'same_tokens',
        files: ['README.md'],
        differences: { accuracy: proven(0, [0, 0]) },
        test: { ...test, corrected: proven(0, [0, 0]), pHolm: proven(1) },
        verdict: 'not_distinguishable',
      },
      {
        first: 1,
        second: 2,
        code: 'different',
        files: [],
        differences: {},
        test: null,
        verdict: 'not_distinguishable',
      },
    ],
    notCompared: [
      { plan: 'plan_2', name: 'broken\u001b[2J', code: 'adapter_failed', message: 'it broke', hint: 'mend it' },
    ],
    conclusion: ['threshold ranks first in accuracy.', 'broken\u001b[2J could not be compared: it broke.'],
    createdAt: '2026-12-01T00:00:00.000Z',
  }),
  verified: { ok: 30, total: 30 },
  report: '/home/q/documents/comparison-comparison_1.md',
};

const plain = { colours: colours(false), next: 'assay verify comparison_1' };

describe('a comparison on a terminal', () => {
  it('is two tables, the conclusion and what to do next', () => {
    verifies('cli.comparison');
    expect(comparisonText(result, { ...plain, columns: undefined })).toBe(`
candidate  rank              accuracy  macro_f1
threshold     1  0.750 [0.700, 0.800]     0.740
硬币          2  0.500 [0.450, 0.550]     0.490
copy          2  0.500 [0.450, 0.550]     0.490

pair              Δ accuracy     95 % interval   corrected for 3  Holm p  verdict
硬币 − threshold      −0.250  [−0.350, −0.150]  [−0.400, −0.100]   0.003  ✓ threshold is better
硬币 − copy            0.000    [0.000, 0.000]    [0.000, 0.000]   1.000  = the same code
threshold − copy           –                 –                 –       –  ~ not distinguishable

• threshold ranks first in accuracy.
✗ broken could not be compared: it broke.
  do:  mend it

✓ 30 of 30 numbers verified
runs    2 formal runs under this protocol, 1 without a result
report  /home/q/documents/comparison-comparison_1.md
next    assay verify comparison_1
`);
  });

  it('becomes a list where the tables do not fit', () => {
    verifies('cli.comparison');
    const narrow = comparisonText(result, { ...plain, columns: 60 });
    expect(narrow).toContain(`
硬币 − threshold
  Δ accuracy       −0.250
  95 % interval    [−0.350, −0.150]
  corrected for 3  [−0.400, −0.100]
  Holm p           0.003
  verdict          ✓ threshold is better
`);
    expect(narrow).toContain('candidate  rank              accuracy  macro_f1\n');
  });

  it('uses colour only where it is wanted, and no control character of a name', () => {
    verifies('cli.comparison');
    expect(comparisonText(result, { ...plain, columns: undefined })).not.toContain('\u001b');
    expect(comparisonText(result, { ...plain, colours: colours(true), columns: undefined })).toContain(
      '\u001b[32m✓ threshold is better\u001b[39m',
    );
  });

  it('ends with 0 when every plan was compared and every number confirmed, else with 1; --json is one line', () => {
    verifies('cli.comparison');
    const exitOf = (changed: ComparisonResult) => {
      const io = testIo();
      const session = new Session(io, ['--json']);
      answerComparison(session, changed);
      expect(io.out().split('\n')).toHaveLength(2);
      expect(JSON.parse(io.out())).toEqual(changed);
      return session.exitCode;
    };
    const whole = { ...result, comparison: { ...result.comparison, notCompared: [] } };
    expect(exitOf(whole)).toBe(0);
    expect(exitOf(result)).toBe(1);
    expect(exitOf({ ...whole, verified: { ok: 29, total: 30 } })).toBe(1);
  });
});

describe('options that are given several times', () => {
  it('go together by their order; one that is given once holds for all', () => {
    verifies('cli.comparison');
    expect(candidatesOf({ repo: ['a'] })).toEqual([{ repo: 'a' }]);
    expect(candidatesOf({ repo: ['a', 'b'], ref: ['v1'] })).toEqual([
      { repo: 'a', ref: 'v1' },
      { repo: 'b', ref: 'v1' },
    ]);
    expect(candidatesOf({ repo: ['a'], ref: ['v1', 'v2'] })).toEqual([
      { repo: 'a', ref: 'v1' },
      { repo: 'a', ref: 'v2' },
    ]);
    expect(candidatesOf({ repo: ['a', 'b'], entry: ['m:f', 'm:g'] })).toEqual([
      { repo: 'a', entry: 'm:f' },
      { repo: 'b', entry: 'm:g' },
    ]);
    expect(() => candidatesOf({ repo: ['a', 'b'], ref: ['1', '2', '3'] })).toThrow('--repo is given 2 times');
    expect(() => candidatesOf({ repo: Array.from({ length: 11 }, () => 'a') })).toThrow('At most 10');
  });
});
