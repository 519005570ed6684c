import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { checkClaimedMetrics, checkRunManifest, readClaimedMetrics } from '../src/index.ts';
import { dataFile } from './data-files.ts';

const recomputed = { accuracy: 0.9, mse: 250_000 };

describe('what an adapter says of itself', () => {
  test('within the tolerance is confirmed, the rest is ignored', async () => {
    verifies('evaluation.claims-checked');
    await using file = await dataFile('metrics.json', '{"metrics":{"accuracy":0.90000099},"mse":250024.9,"speed":3}');
    expect(checkClaimedMetrics(await readClaimedMetrics(file.path), recomputed)).toEqual({
      confirmed: ['mse', 'accuracy'],
      ignored: ['speed'],
    });
    expect(checkClaimedMetrics({ accuracy: 0.9 + 0.9e-4 * 0.9 }, recomputed).confirmed).toEqual(['accuracy']);
  });

  test('that differs by more voids the run and says by how much', () => {
    verifies('evaluation.claims-checked');
    expect(() => checkClaimedMetrics({ accuracy: 0.95 }, { accuracy: 0.5 })).toThrow(
      expect.objectContaining({
        code: 'metrics_forged',
        message: 'metrics.json claims accuracy = 0.95, which is off by 0.44999999999999996',
        why: 'Recomputed from the predictions and the original labels it is 0.5.',
        details: {
          differences: [{ metric: 'accuracy', claimed: 0.95, recomputed: 0.5, difference: 0.44999999999999996 }],
        },
      }) as Error,
    );
    for (const claimed of [0.9001, 0.8998, '0.9', Number.NaN, null])
      expect(() => checkClaimedMetrics({ accuracy: claimed }, recomputed), String(claimed)).toThrow(
        expect.objectContaining({ code: 'metrics_forged' }) as Error,
      );
    expect(() => checkClaimedMetrics({ mse: 250_025.1 }, recomputed)).toThrow('metrics.json claims mse');
    expect(() => checkClaimedMetrics({ small: 2.1e-6 }, { small: 1e-6 })).toThrow('metrics.json claims small');
    expect(checkClaimedMetrics({ small: 1.9e-6 }, { small: 1e-6 }).confirmed).toEqual(['small']);
  });

  test('must be one readable JSON object', async () => {
    verifies('evaluation.claims-checked');
    for (const content of ['[1]', '{"a":1', '{"a":1,"a":2}', '\xff']) {
      await using file = await dataFile('metrics.json', Buffer.from(content, 'latin1'));
      await expect(readClaimedMetrics(file.path), content).rejects.toMatchObject({ code: 'output_malformed' });
    }
    await using large = await dataFile('metrics.json', `{"a":"${'x'.repeat(1024 * 1024)}"}`);
    await expect(readClaimedMetrics(large.path)).rejects.toMatchObject({ code: 'output_too_large' });
  });
});

describe('the run manifest', () => {
  const sha256 = 'a'.repeat(64);
  const told = { datasetSha256: sha256, sampleCount: 8, seed: 17 };
  const good = { status: 'ok', dataset_sha256: sha256, sample_count: 8, seed: 17, adapter: 'adapter.py' };

  test('must say what the adapter was told to do', async () => {
    verifies('evaluation.run-manifest');
    const outcome = async (changes: Record<string, unknown>) => {
      await using file = await dataFile('run_manifest.json', JSON.stringify({ ...good, ...changes }));
      return await checkRunManifest(file.path, told).then(
        () => 'accepted',
        (error: unknown) => (error as { code: string }).code,
      );
    };
    expect(await outcome({})).toBe('accepted');
    expect(await outcome({ dataset_sha256: 'b'.repeat(64) })).toBe('predictions_other_dataset');
    expect(await outcome({ dataset_sha256: undefined })).toBe('predictions_other_dataset');
    expect(await outcome({ sample_count: 7 })).toBe('predictions_incomplete');
    expect(await outcome({ sample_count: '8' })).toBe('predictions_incomplete');
    expect(await outcome({ seed: 18 })).toBe('output_malformed');
    expect(await outcome({ status: 'failed' })).toBe('adapter_failed');
    expect(await outcome({ status: undefined })).toBe('adapter_failed');
  });
});
