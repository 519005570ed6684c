import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ColumnType, EvaluationTask } from '@assay/contracts';
import { verifies } from '@assay/testkit';
import { recogniseFolder, runFolder } from './support/python.ts';
import type { Cell, Row, Table } from './support/tables.ts';

const examples = fileURLToPath(new URL('../../../../examples/', import.meta.url));

/** These files have no quoted cells. */
function rowsOf(path: string): Row[] {
  const [header = '', ...lines] = readFileSync(join(examples, path), 'utf8').trim().split('\n');
  const names = header.split(',');
  const cell = (text: string): Cell => (text === 'NA' ? null : /^-?[\d.]+$/.test(text) ? Number(text) : text);
  return lines.map((line) => Object.fromEntries(line.split(',').map((text, at) => [names[at] ?? '', cell(text)])));
}

/** Every third row is handed out, the others are for training. */
function tableOf(path: string, target: string, task: EvaluationTask): { table: Table; targets: Cell[] } {
  const rows = rowsOf(path);
  const test = rows.filter((_, at) => at % 3 === 0);
  const types = (name: string): ColumnType => (rows.some((row) => typeof row[name] === 'string') ? 'text' : 'number');
  const names = Object.keys(rows[0] ?? {});
  const columns = names.map((name, position) => ({
    name,
    position,
    inferredType: types(name),
    nonNull: 1,
    distinct: 1,
    distinctExact: true,
  }));
  const inputColumns = names.filter((name) => name !== target);
  return {
    table: {
      shape: { columns, inputColumns, targetColumn: target, suggestedTask: task },
      test: test.map((row) => Object.fromEntries(inputColumns.map((name) => [name, row[name] ?? null]))),
      train: rows.filter((_, at) => at % 3 !== 0),
    },
    targets: test.map((row) => row[target] ?? null),
  };
}

describe('the shipped examples', () => {
  it('the penguins classifier learns from rows with missing values and predicts every penguin', async () => {
    verifies('adapter.examples', 'adapter.missing-values');
    const { table, targets } = tableOf('penguins/penguins.csv', 'species', 'classification');
    expect(table.test.filter((row) => row['sex'] === null).length).toBeGreaterThan(0);
    const run = await runFolder(join(examples, 'penguins-classifier'), table);
    expect(run.stderr.split('\n').filter((line) => !line.startsWith('[adapter] '))).toEqual(['']);
    expect(run.predictions).toHaveLength(115);
    const right = run.predictions.filter((line, at) => line.prediction === targets[at]).length;
    expect(right).toBeGreaterThanOrEqual(108);
    for (const line of run.predictions) {
      const score = Object.entries(line.score as Record<string, number>);
      expect(score.map(([label]) => label).sort()).toEqual(['Adelie', 'Chinstrap', 'Gentoo']);
      expect(Math.abs(score.reduce((sum, [, part]) => sum + part, 0) - 1)).toBeLessThan(1e-9);
    }
  });

  it('the ridge regression explains part of the progression', async () => {
    verifies('adapter.examples');
    const { table, targets } = tableOf('diabetes/diabetes.csv', 'progression', 'regression');
    const run = await runFolder(join(examples, 'ridge-regression'), table);
    expect(run.stderr.split('\n').filter((line) => !line.startsWith('[adapter] '))).toEqual(['']);
    const truth = targets.map(Number);
    const mean = truth.reduce((sum, value) => sum + value, 0) / truth.length;
    const error = run.predictions.reduce((sum, line, at) => sum + (Number(line.prediction) - (truth[at] ?? 0)) ** 2, 0);
    const spread = truth.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    expect(1 - error / spread).toBeGreaterThan(0.35);
  });

  it('are recognised without doubt and without rivals', async () => {
    verifies('adapter.examples');
    const { table } = tableOf('penguins/penguins.csv', 'species', 'classification');
    const penguins = await recogniseFolder(join(examples, 'penguins-classifier'), table);
    expect(penguins.candidates.map(({ entrypoint, confidence }) => [entrypoint, confidence])).toEqual([
      ['penguin_bayes.naive_bayes:NaiveBayesClassifier.predict', 1],
    ]);
    const { table: diabetes } = tableOf('diabetes/diabetes.csv', 'progression', 'regression');
    const ridge = await recogniseFolder(join(examples, 'ridge-regression'), diabetes);
    expect(ridge.candidates.map(({ entrypoint, input, call }) => [entrypoint, input, call])).toEqual([
      ['ridge:RidgeRegression.predict', 'feature_vector', 'batch'],
    ]);
  });
});
