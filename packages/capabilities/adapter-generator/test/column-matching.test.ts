import { describe, expect, it } from 'vitest';
import { matchColumn, textColumn, type Column } from '../src/column-matching.ts';

const columns: readonly Column[] = [
  { name: 'Petal length (cm)', type: 'number' },
  { name: 'petal_width', type: 'number' },
  { name: 'bill_length_mm', type: 'number' },
  { name: 'bill_depth_mm', type: 'number' },
  { name: 'text', type: 'text' },
  { name: 'author', type: 'text' },
];

describe('finding the column that code means', () => {
  it.each<readonly [name: string, column: string | undefined]>([
    ['petal_width', 'petal_width'],
    ['petalWidth', 'petal_width'],
    ['PETAL-WIDTH', 'petal_width'],
    ['petal_length_cm', 'Petal length (cm)'],
    ['bill_length', 'bill_length_mm'],
    ['bill', undefined], // two columns begin so
    ['tex', undefined], // too short to be a beginning
    ['width', undefined],
    ['species', undefined],
  ])('%s → %s', (name, column) => {
    expect(matchColumn(name, columns)?.name).toBe(column);
  });

  it('does not choose between two columns of the same plain name', () => {
    const twins: readonly Column[] = [
      { name: 'a b', type: 'number' },
      { name: 'a_b', type: 'number' },
    ];
    expect(matchColumn('ab', twins)).toBeUndefined();
    expect(matchColumn('a_b', twins)?.name).toBe('a_b');
  });

  it('takes the only text column, or the only one that is named like a text', () => {
    expect(textColumn(columns)?.name).toBe('text');
    expect(textColumn(columns.slice(0, 4))).toBeUndefined();
    expect(textColumn([{ name: 'a', type: 'text' }])?.name).toBe('a');
    expect(textColumn([...columns, { name: 'title', type: 'text' }])).toBeUndefined();
  });
});
