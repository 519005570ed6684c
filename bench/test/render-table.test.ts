import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { renderTable, type Recorded } from '../src/render-table.ts';

const row: Recorded = {
  at: '2026-01-02T03:04:05.000Z',
  commit: 'abc',
  machine: 'a machine',
  suite: 's',
  name: 'n',
  value: 1234.5,
  unit: 'ms',
  target: '≤ 1000 ms',
  met: false,
};

test('the page has the newest figure of each row, a row for each peer, and says what was missed', () => {
  verifies('bench.page');
  const peer = (name: string) => ({ ...row, peer: { name, value: 2, ratio: 617.25 } });
  const page = renderTable([{ ...row, value: 1 }, row, peer('one'), peer('two')]);
  const lines = page.split('\n').filter((line) => line.startsWith('| s '));
  expect(lines).toEqual([
    '| s | n | 1,235 ms | ≤ 1000 ms | **no** |  |  |  | 2026-01-02 abc |',
    '| s | n | 1,235 ms | ≤ 1000 ms | **no** | one | 2.00 ms | 617.25 | 2026-01-02 abc |',
    '| s | n | 1,235 ms | ≤ 1000 ms | **no** | two | 2.00 ms | 617.25 | 2026-01-02 abc |',
  ]);
  expect(page).toContain('Machine: a machine.');
});

test('a row that the newest run of its suite no longer has is not shown', () => {
  verifies('bench.page');
  const older = { ...row, at: '2026-01-01T00:00:00.000Z' };
  const page = renderTable([{ ...older, name: 'gone' }, older, { ...older, suite: 'other' }, row]);
  expect(page.split('\n').filter((line) => line.startsWith('| s ') || line.startsWith('| other '))).toEqual([
    '| s | n | 1,235 ms | ≤ 1000 ms | **no** |  |  |  | 2026-01-02 abc |',
    '| other | n | 1,235 ms | ≤ 1000 ms | **no** |  |  |  | 2026-01-01 abc |',
  ]);
});
