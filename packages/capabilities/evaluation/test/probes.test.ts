import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { assertProperty, verifies } from '@assay/testkit';
import { evaluate, runProbes, type Evaluation, type EvaluationRequest } from '../src/index.ts';

const targets = Array.from({ length: 200 }, (_, i) => (i % 4 === 0 ? 'rare' : 'common'));
const numbers = Array.from({ length: 200 }, (_, i) => Math.sin(i) * 10 + 3);

describe('probes', () => {
  test('of a classification score what they must', async () => {
    verifies('evaluation.probes');
    const probes = await runProbes({ task: 'classification', targets }, { seed: 17 });
    expect(probes.map(({ name, passed, metric }) => [name, passed, metric])).toEqual([
      ['null', true, 'accuracy'],
      ['constant', true, 'accuracy'],
      ['shuffled_labels', true, 'accuracy'],
      ['oracle', true, 'accuracy'],
    ]);
    expect(probes[0]!.value).toBeNull();
    expect(probes[1]).toMatchObject({ value: 0.75, expected: '0.75 (the share of the most frequent label)' });
    expect(probes[2]!.value).toBeGreaterThan(0.5);
    expect(probes[2]!.value).toBeLessThan(0.75);
    expect(probes[3]!.value).toBe(1);
  });

  test('of a regression score what they must', async () => {
    verifies('evaluation.probes');
    const probes = await runProbes({ task: 'regression', targets: numbers }, { seed: 17 });
    expect(probes[1]!.value).toBeCloseTo(0, 9);
    expect(probes[2]!.value).toBeLessThan(-0.5);
    expect(probes[3]!.value).toBe(1);
  });

  test('pass on any targets that can be measured', async () => {
    verifies('evaluation.probes');
    await assertProperty(
      fc.asyncProperty(fc.array(fc.nat(5), { minLength: 2, maxLength: 80 }), fc.nat(1000), async (codes, seed) => {
        const labels = codes.map(String);
        const probes = await runProbes({ task: 'classification', targets: labels, labelType: 'integer' }, { seed });
        expect(probes.every(({ passed }) => passed)).toBe(true);
        if (new Set(codes).size > 1) await runProbes({ task: 'regression', targets: codes }, { seed });
      }),
      { name: 'probes', test: import.meta.url, numRuns: 200 },
    );
  });

  test('an evaluator that does not respond as it must is refused', async () => {
    verifies('evaluation.probes-refuse');
    const bent: Record<string, (request: EvaluationRequest) => Promise<Evaluation>> = {
      'perfect for everyone': async (request) => ({
        ...(await evaluate({ ...request, predictions: request.targets } as EvaluationRequest)),
      }),
      'a better denominator': async (request) => {
        const found = await evaluate(request);
        return { ...found, metrics: { ...found.metrics, accuracy: Math.min(1, found.metrics['accuracy']! * 1.1) } };
      },
      'higher is lower': async (request) => {
        const found = await evaluate(request);
        return { ...found, metrics: { ...found.metrics, accuracy: 1 - found.metrics['accuracy']! } };
      },
      'nothing at all is fine': async (request) =>
        request.predictions.length === 0
          ? { ...(await evaluate({ task: 'classification', targets: ['a'], predictions: ['a'], B: 0 })) }
          : evaluate(request),
      'no value': async (request) => ({ ...(await evaluate(request)), metrics: {} }),
    };
    for (const [name, evaluator] of Object.entries(bent))
      await expect(
        runProbes({ task: 'classification', targets }, { seed: 17, evaluate: evaluator }),
        name,
      ).rejects.toMatchObject({ code: 'probe_failed' });
  });

  test('an evaluator that ignores the labels is refused', async () => {
    verifies('evaluation.probes-refuse');
    const ignoring = async (request: EvaluationRequest) =>
      request.predictions.length === 0
        ? evaluate(request)
        : evaluate({ ...request, targets: request.predictions } as EvaluationRequest);
    await expect(
      runProbes({ task: 'regression', targets: numbers }, { seed: 17, evaluate: ignoring }),
    ).rejects.toMatchObject({ code: 'probe_failed' });
  });

  test('targets without spread are named, not blamed on the evaluator', async () => {
    verifies('evaluation.probes');
    await expect(runProbes({ task: 'regression', targets: [2, 2, 2] }, { seed: 17 })).rejects.toMatchObject({
      code: 'metric_undefined',
    });
  });
});
