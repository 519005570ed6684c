import { appendFile, rm } from 'node:fs/promises';
import type { Evidence, EvidenceRowsQuery } from '@assay/contracts';
import { verifies } from '@assay/testkit';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { residualsBehind, rowsBehind } from '../src/index.ts';
import { residualFigure } from '../src/verify/residual-figure.ts';
import { edit, questWithEvidence, type QuestWithEvidence } from './quest-with-evidence.ts';

const everything: EvidenceRowsQuery = { offset: 0, limit: 200, only: 'all', order: 'file' };

function rowsOf(quest: QuestWithEvidence, evidence: Evidence, query: Partial<EvidenceRowsQuery> = {}) {
  return rowsBehind(quest.root, evidence, { readArtifact: quest.readArtifact, query: { ...everything, ...query } });
}

describe('rows behind a number', () => {
  test('give every number of a classification again when they are counted', async () => {
    verifies('evaluation.rows-behind');
    await using quest = await questWithEvidence();
    for (const one of quest.evidence) {
      const { rows, total, wrong, problem } = await rowsOf(quest, one);
      expect(problem).toBeNull();
      expect(rows).toHaveLength(total);
      const right = rows.filter(({ target, predictions }) => predictions[0] === target).length;
      expect(wrong).toBe(total - right);
      const [name] = one.metric.split('/');
      if (name === 'rows' || name === 'confusion') expect(total).toBe(one.value);
      if (name === 'accuracy' || name === 'precision' || name === 'recall') expect(right / total).toBe(one.value);
      if (name === 'f1') expect((2 * right) / (total + right)).toBeCloseTo(one.value, 12);
    }
  });

  test('come in pages, all or only the wrong ones, with the cells of the data file', async () => {
    verifies('evaluation.rows-behind');
    await using quest = await questWithEvidence();
    const accuracy = quest.evidence[0]!;
    const all = await rowsOf(quest, accuracy);
    const second = await rowsOf(quest, accuracy, { offset: 10, limit: 10 });
    expect(second.rows).toEqual(all.rows.slice(10, 20));
    expect(second).toMatchObject({ total: 36, matched: 36, offset: 10, inputs: ['bill_length_mm', 'sex'] });
    for (const { row, inputs } of all.rows) expect(inputs, String(row)).toHaveLength(2);
    expect(new Set(all.rows.map(({ inputs }) => inputs[0])).size).toBeGreaterThan(10);
    const wrong = await rowsOf(quest, accuracy, { only: 'wrong' });
    expect(wrong.matched).toBe(all.wrong);
    expect(wrong.rows.every(({ target, predictions }) => predictions[0] !== target)).toBe(true);
    expect((await rowsOf(quest, accuracy, { offset: 1000 })).rows).toEqual([]);
  });

  test('of a regression come with the largest error first when asked', async () => {
    verifies('evaluation.rows-behind');
    await using quest = await questWithEvidence({ task: 'regression' });
    const { rows, wrong } = await rowsOf(quest, quest.evidence[0]!, { order: 'error' });
    const errors = rows.map(({ target, predictions }) => Math.abs(Number(predictions[0]) - Number(target)));
    expect(errors).toEqual([...errors].sort((a, b) => b - a));
    expect(wrong).toBeNull();
  });

  test('say when data, its kept copy or predictions are not those of the record', async () => {
    verifies('evaluation.rows-behind');
    await using quest = await questWithEvidence({ keep: true });
    const accuracy = quest.evidence[0]!;
    await appendFile(quest.dataPath, '\n');
    expect(await rowsOf(quest, accuracy)).toMatchObject({ problem: 'source_changed', total: 36 });
    await rm(quest.dataPath);
    expect(await rowsOf(quest, accuracy)).toMatchObject({ problem: null, total: 36 });
    await edit(quest.predictionsPath, (text) => text.replace('Adelie', 'Gentoo'));
    expect(await rowsOf(quest, accuracy)).toMatchObject({ problem: 'source_changed', total: 0, rows: [] });
    await rm(quest.predictionsPath);
    expect(await rowsOf(quest, accuracy)).toMatchObject({ problem: 'source_missing', rows: [] });
    const empty = { ...accuracy, recipe: { ...accuracy.recipe, parameters: {} } };
    expect(await rowsOf(quest, empty)).toMatchObject({ problem: 'mismatch', rows: [] });
  });
});

describe('residuals', () => {
  test('are those of the rows, and are of regressions only', async () => {
    verifies('evaluation.residuals');
    await using regression = await questWithEvidence({ task: 'regression' });
    const { readArtifact, root, evidence } = regression;
    const figure = await residualsBehind(root, evidence[0]!, { readArtifact });
    const { rows } = await rowsOf(regression, evidence[0]!);
    expect(figure.points).toEqual(
      rows.map(({ row, target, predictions }) => ({ row, actual: target, predicted: predictions[0] })),
    );
    await using classes = await questWithEvidence();
    const none = await residualsBehind(classes.root, classes.evidence[0]!, { readArtifact: classes.readArtifact });
    expect(none).toMatchObject({ total: 0, points: [], problem: null });
  });

  test('every row is in one bar of the histogram, none has both signs, and points are bounded', () => {
    verifies('evaluation.residuals');
    // A millionth of a millionth beside a billion is zero to any bar, so values are far enough from zero or zero.
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((drawn) => Math.round(drawn * 1e3) / 1e3);
    const values = fc.array(value, { minLength: 1, maxLength: 3000 });
    fc.assert(
      fc.property(values, fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (residuals, scale) => {
        const rows = Uint32Array.from(residuals, (_, at) => at);
        const predicted = residuals.map((residual) => residual * scale);
        const { points, step, histogram } = residualFigure(rows, new Float64Array(rows.length), predicted);
        expect(points.length).toBeLessThanOrEqual(1000);
        expect(points.map(({ row }) => row)).toEqual([...rows].filter((row) => row % step === 0));
        const { edges, counts } = histogram;
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(residuals.length);
        expect(edges).toHaveLength(counts.length + 1);
        expect(counts.length).toBeLessThanOrEqual(50);
        for (const [at, edge] of edges.slice(1).entries()) expect(edges[at]! * edge).toBeGreaterThanOrEqual(0);
        const under = predicted.filter((residual) => residual < 0).length;
        if (counts.length > 1)
          expect(counts.filter((_, at) => edges[at]! < 0).reduce((sum, count) => sum + count, 0)).toBe(under);
      }),
      { numRuns: 100, seed: 17 },
    );
  });
});
