import { describe, expect, test } from 'vitest';
import { canonicalJson } from '@assay/foundation';
import { sha256Text } from '@assay/files';
import { verifies } from '@assay/testkit';
import { preRegistrationSchema } from '@assay/contracts';
import { isWhole, preRegistration, thisEvaluator } from '../src/index.ts';
import { questWithEvidence } from './quest-with-evidence.ts';

describe('a pre-registration', () => {
  test('states data, split, metrics with direction, interval, probes and evaluator, and is hashed', async () => {
    verifies('evaluation.pre-registration');
    await using quest = await questWithEvidence();
    const { manifest, prepared } = quest;
    const registration = preRegistration({ manifest, prepared, seed: 17 });
    expect(registration).toMatchObject({
      v: 1,
      dataset: { name: 'penguins.csv', sha256: manifest.sha256, rowCount: 120 },
      task: 'classification',
      targetColumn: 'species',
      inputColumns: ['bill_length_mm', 'sex'],
      split: { method: 'stratified', seed: 17, testFraction: 0.3, handedOut: 36, train: 84 },
      primary: 'accuracy',
      interval: { level: 0.95, B: 2000, seed: 17 },
      probes: ['null', 'constant', 'shuffled_labels', 'oracle'],
      seed: 17,
    });
    expect(registration.metrics).toEqual([
      { name: 'accuracy', recipe: 'metric.accuracy@1', direction: 'higher' },
      { name: 'macro_f1', recipe: 'metric.macro_f1@1', direction: 'higher' },
      { name: 'precision', recipe: 'metric.precision@1', direction: 'higher' },
      { name: 'recall', recipe: 'metric.recall@1', direction: 'higher' },
      { name: 'f1', recipe: 'metric.f1@1', direction: 'higher' },
      { name: 'auroc', recipe: 'metric.auroc@1', direction: 'higher' },
      { name: 'log_loss', recipe: 'metric.log_loss@1', direction: 'lower' },
    ]);
    expect(preRegistrationSchema.safeParse(registration).error).toBeUndefined();
    const { sha256, ...body } = registration;
    expect(sha256).toBe(sha256Text(canonicalJson(body)));
    expect(isWhole(registration)).toBe(true);
    expect(isWhole({ ...registration, primary: 'macro_f1' })).toBe(false);
    expect(preRegistration({ manifest, prepared, seed: 17 })).toEqual(registration);
    expect(preRegistration({ manifest, prepared, seed: 18 }).sha256).not.toBe(sha256);
  });

  test('names the evaluator by its answers', () => {
    verifies('evaluation.pre-registration');
    // Changes exactly when a recipe, a constant or an answer changes: then recipes need new versions.
    expect(thisEvaluator()).toEqual({
      name: 'assay-evaluation',
      version: 1,
      sha256: '1278f71095131833a237a998171500a03ea23efa37b0d53243c7bf67fba6e751',
    });
  });
});
