import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { evaluate } from '../src/index.ts';

describe('what cannot be measured is refused', () => {
  test('no rows, different counts, NaN, infinity', async () => {
    verifies('evaluation.metrics-refuse');
    await expect(evaluate({ task: 'classification', targets: [], predictions: [] })).rejects.toMatchObject({
      code: 'metric_undefined',
    });
    await expect(evaluate({ task: 'regression', targets: [], predictions: [] })).rejects.toMatchObject({
      code: 'metric_undefined',
    });
    await expect(evaluate({ task: 'classification', targets: ['a', 'b'], predictions: ['a'] })).rejects.toMatchObject({
      code: 'predictions_incomplete',
    });
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(evaluate({ task: 'regression', targets: [1, 2], predictions: [1, bad] })).rejects.toMatchObject({
        code: 'predictions_not_finite',
      });
      await expect(evaluate({ task: 'regression', targets: [bad, 2], predictions: [1, 2] })).rejects.toMatchObject({
        code: 'predictions_not_finite',
      });
      const scores = { labels: ['a', 'b'], probabilities: Float64Array.of(bad, 0, 0.5, 0.5) };
      await expect(
        evaluate({ task: 'classification', targets: ['a', 'b'], predictions: ['a', 'b'], scores }),
      ).rejects.toMatchObject({ code: 'predictions_not_finite' });
    }
  });

  test('r2 of one row and numbers whose squares overflow have no value, and say why', async () => {
    verifies('evaluation.metrics-refuse');
    const one = await evaluate({ task: 'regression', targets: [3], predictions: [4], B: 10 });
    expect(one.metrics).toEqual({ mse: 1, mae: 1, rmse: 1 });
    expect(one.undefined).toEqual({ r2: 'r2 needs at least two rows' });
    const huge = await evaluate({ task: 'regression', targets: [1e200, -1e200], predictions: [0, 0], B: 10 });
    expect(Object.keys(huge.metrics)).toEqual(['mae']);
    expect(huge.undefined['mse']).toBe('the numbers are too large to be squared and summed');
  });

  test('predictions with a label of their own for each row are no classification', async () => {
    verifies('evaluation.metrics-refuse');
    const targets = Array.from({ length: 1500 }, (_, i) => (i % 2 === 0 ? 'a' : 'b'));
    const predictions = targets.map((_, i) => `junk ${i}`);
    await expect(evaluate({ task: 'classification', targets, predictions, B: 0 })).rejects.toMatchObject({
      code: 'output_malformed',
    });
  });

  test('an aborted evaluation ends', async () => {
    verifies('evaluation.abort');
    const abort = new AbortController();
    const targets = Array.from({ length: 50_000 }, (_, i) => Math.sin(i));
    const running = evaluate({ task: 'regression', targets, predictions: targets, B: 20_000, signal: abort.signal });
    setTimeout(() => abort.abort(new Error('stop')), 20);
    await expect(running).rejects.toThrow('stop');
  });

  test('steps over all rows alternate with other work, and an abort between them ends it', async () => {
    verifies('evaluation.gives-way', 'evaluation.abort');
    const labels = ['a', 'b', 'c'];
    const targets = Array.from({ length: 3000 }, (_, i) => labels[i % 3]!);
    const probabilities = Float64Array.from({ length: 9000 }, (_, i) => (i % 3 === Math.floor(i / 3) % 3 ? 0.5 : 0.25));
    const request = {
      task: 'classification',
      targets,
      predictions: targets,
      scores: { labels, probabilities },
    } as const;
    let turns = 0;
    let other = setImmediate(function again() {
      turns += 1;
      other = setImmediate(again);
    });
    await evaluate({ ...request, B: 0 });
    clearImmediate(other);
    expect(turns).toBeGreaterThan(4 * labels.length);

    const abort = new AbortController();
    const running = evaluate({ ...request, B: 0, signal: abort.signal });
    setImmediate(() => setImmediate(() => abort.abort(new Error('stop'))));
    await expect(running).rejects.toThrow('stop');
  });
});
