import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { evidenceSchema, type Evidence } from '@assay/contracts';
import { canonicalJson } from '@assay/foundation';
import { sha256Text } from '@assay/files';
import { verifies } from '@assay/testkit';
import { verifyEvidence, type ProfileOptions } from '../src/index.ts';
import { penguins } from './data-files.ts';
import { edit, questWithEvidence, type QuestWithEvidence } from './quest-with-evidence.ts';

function verify(quest: QuestWithEvidence, evidence: readonly Evidence[] = quest.evidence) {
  return verifyEvidence(quest.root, evidence, quest.readArtifact);
}

/** The reasons of a verification, each once. */
async function reasons(quest: QuestWithEvidence, evidence?: readonly Evidence[]) {
  const found = await verify(quest, evidence);
  return { ok: found.ok, total: found.total, reasons: [...new Set(found.mismatches.map(({ reason }) => reason))] };
}

describe('evidence', () => {
  test('says for each number how it is made, from what, and how sure it is', async () => {
    verifies('evaluation.evidence-records');
    await using quest = await questWithEvidence();
    for (const one of quest.evidence) expect(evidenceSchema.parse(one)).toEqual(one);
    expect(quest.evidence.map(({ metric }) => metric)).toEqual([
      'accuracy',
      'macro_f1',
      'rows',
      ...['Adelie', 'Chinstrap', 'Gentoo'].flatMap((label) => [`precision/${label}`, `recall/${label}`, `f1/${label}`]),
      ...['Adelie', 'Chinstrap', 'Gentoo'].flatMap((target) =>
        ['Adelie', 'Chinstrap', 'Gentoo'].map((predicted) => `confusion/${target}/${predicted}`),
      ),
    ]);
    const accuracy = quest.evidence[0]!;
    expect(accuracy).toMatchObject({
      statement: 'accuracy on 36 rows of penguins.csv, target species',
      direction: 'higher',
      recipe: {
        name: 'metric.accuracy',
        version: 1,
        inputs: [{ artifact: 'artifact_p' }, { artifact: 'artifact_m' }],
        parameters: { seed: 17, B: 2000, split: { method: 'stratified', handedOut: 36 } },
      },
      sources: [{ file: 'artifacts/json/artifact_p/predictions.jsonl' }, { file: quest.dataPath }],
      ci: { level: 0.95, method: 'bootstrap percentile over confusion cells, B=2000, seed=17' },
    });
    expect(new Set(quest.evidence.map(({ id }) => id)).size).toBe(quest.evidence.length);
  });
});

describe('verification', () => {
  test('confirms every number of classifications and regressions from the files alone', async () => {
    verifies('evaluation.verify-recomputes');
    for (const options of [{}, { training: false }, { scores: true }, { task: 'regression' as const }]) {
      await using quest = await questWithEvidence(options);
      const total = quest.evidence.length;
      expect(total).toBeGreaterThan(4);
      expect(await verify(quest), JSON.stringify(options)).toEqual({ ok: total, total, mismatches: [] });
    }
  });

  test('finds an edited value, interval, metric name or label', async () => {
    verifies('evaluation.verify-recomputes');
    await using quest = await questWithEvidence();
    const [accuracy, macroF1, , precision] = quest.evidence as [Evidence, Evidence, Evidence, Evidence];
    const edited = [
      { ...accuracy, value: accuracy.value + 1e-9 },
      { ...macroF1, ci: { ...macroF1.ci!, high: 1 } },
      { ...accuracy, id: 'ev_other', metric: 'macro_f1' },
      {
        ...precision,
        recipe: { ...precision.recipe, parameters: { ...precision.recipe.parameters, label: 'Gentoo' } },
      },
      { ...accuracy, id: 'ev_unknown', recipe: { ...accuracy.recipe, name: 'metric.invented' } },
      { ...macroF1, id: 'ev_noci', ci: undefined },
    ];
    const found = await verify(quest, [...edited, accuracy]);
    expect(found).toMatchObject({ ok: 1, total: 7 });
    expect(found.mismatches.map(({ evidenceId, reason }) => [evidenceId, reason])).toEqual(
      edited.map(({ id }) => [id, 'mismatch']),
    );
    expect(found.mismatches[0]).toMatchObject({ claimed: accuracy.value + 1e-9, recomputed: accuracy.value });
    expect(found.mismatches[4]).toMatchObject({ recomputed: null });
  });

  test('does not believe a shorter list of rows, other resamples or another seed', async () => {
    verifies('evaluation.verify-denominator');
    await using quest = await questWithEvidence();
    const accuracy = quest.evidence[0]!;
    const withParameters = (changes: Record<string, unknown>): Evidence => ({
      ...accuracy,
      recipe: { ...accuracy.recipe, parameters: { ...accuracy.recipe.parameters, ...changes } },
    });
    const split = quest.prepared.split;
    for (const changes of [
      { split: { ...split, seed: 18 } },
      { split: { ...split, handedOut: 35 } },
      { split: { ...split, limit: 10 } },
      { split: { ...split, method: 'all' } },
      { split: undefined },
      { seed: 18 },
      { B: 1_000_000_000 },
      { B: 100 },
    ])
      expect(await reasons(quest, [withParameters(changes)]), JSON.stringify(changes)).toEqual({
        ok: 0,
        total: 1,
        reasons: ['mismatch'],
      });
  });

  test('finds predictions that were changed, shortened, replaced by a link, or are gone', async () => {
    verifies('evaluation.verify-sources');
    await using quest = await questWithEvidence();
    const original = await readFile(quest.predictionsPath, 'utf8');
    const total = quest.evidence.length;
    await edit(quest.predictionsPath, (text) => text.replace('"Adelie"', '"Gentoo"'));
    expect(await reasons(quest)).toEqual({ ok: 0, total, reasons: ['source_changed'] });
    await writeFile(quest.predictionsPath, original.slice(0, original.lastIndexOf('\n')));
    expect(await reasons(quest)).toEqual({ ok: 0, total, reasons: ['mismatch'] });
    await rm(quest.predictionsPath);
    expect(await reasons(quest)).toEqual({ ok: 0, total, reasons: ['source_missing'] });
    quest.artifacts.delete('artifact_p');
    expect(await reasons(quest)).toEqual({ ok: 0, total, reasons: ['source_missing'] });
  });

  test('finds a manifest that was changed', async () => {
    verifies('evaluation.verify-sources');
    await using quest = await questWithEvidence();
    const artifact = quest.artifacts.get('artifact_m')!;
    quest.artifacts.set('artifact_m', { ...artifact, value: { ...quest.manifest, targetColumn: 'sex' } });
    expect((await reasons(quest)).reasons).toEqual(['source_changed']);
    const forged = { ...quest.manifest, targetColumn: 'sex' };
    const sha256 = sha256Text(canonicalJson(forged));
    quest.artifacts.set('artifact_m', { ...artifact, value: forged, sha256 });
    const evidence = quest.evidence.map((one) => ({
      ...one,
      recipe: {
        ...one.recipe,
        inputs: one.recipe.inputs.map((input) => (input.artifact === 'artifact_m' ? { ...input, sha256 } : input)),
      },
    }));
    expect((await reasons(quest, evidence)).reasons).toEqual(['mismatch']);
  });

  test('a data file that is gone is replaced by the kept copy, a changed one is named', async () => {
    verifies('evaluation.verify-sources');
    await using kept = await questWithEvidence({ keep: true });
    const total = kept.evidence.length;
    await edit(kept.dataPath, (text) => text.replace('Adelie', 'Gentoo'));
    const changed = await verify(kept);
    expect(changed.ok).toBe(0);
    expect(changed.mismatches[0]).toEqual({
      evidenceId: kept.evidence[0]!.id,
      claimed: kept.evidence[0]!.value,
      recomputed: kept.evidence[0]!.value,
      source: kept.dataPath,
      reason: 'source_changed',
    });
    await rm(kept.dataPath);
    expect(await verify(kept)).toEqual({ ok: total, total, mismatches: [] });
    await edit(join(kept.root, '.assay', 'blobs', kept.manifest.sha256), (text) => text.replace('Adelie', 'Gentoo'));
    expect(await reasons(kept)).toEqual({ ok: 0, total, reasons: ['source_missing'] });

    await using bare = await questWithEvidence();
    await edit(bare.dataPath, (text) => text.replace('Adelie', 'Gentoo'));
    const without = await verify(bare);
    expect(without.mismatches[0]).toMatchObject({ reason: 'source_changed', recomputed: null });
    await rm(bare.dataPath);
    expect(await reasons(bare)).toEqual({ ok: 0, total, reasons: ['source_missing'] });
  });

  test('stops when it is aborted', async () => {
    verifies('evaluation.abort');
    await using quest = await questWithEvidence();
    const abort = new AbortController();
    abort.abort(new Error('stop'));
    await expect(
      verifyEvidence(quest.root, quest.evidence, quest.readArtifact, { signal: abort.signal }),
    ).rejects.toThrow('stop');
  });
});

describe('data that is not plain UTF-8 in one order', () => {
  const broken = penguins(120).replace('\n50,', '\n50\xff,').replace('\n60,', '\n60,7,');
  const cases = {
    'packed UTF-16 with blanks for semicolons, by groups': {
      name: 'p.csv.gz',
      content: gzipSync(Buffer.from(penguins(120).replaceAll(',', ';').replaceAll('.', ','), 'utf16le')),
      hints: { group: 'sex' },
    },
    'rows that are left out, by time': {
      name: 'p.csv',
      content: Buffer.from(broken, 'latin1'),
      hints: { encoding: 'utf-8', onBadBytes: 'drop-rows', onRagged: 'drop-rows', time: 'id', missing: ['Gentoo'] },
    },
  } as const;
  for (const [name, data] of Object.entries(cases))
    test(`is read and divided again by verification: ${name}`, async () => {
      verifies('data.verify-replays');
      await using quest = await questWithEvidence({ data: { ...data, hints: { ...data.hints } as ProfileOptions } });
      const { root, evidence, readArtifact, prepared } = quest;
      expect(prepared.split.method).toBe('group' in data.hints ? 'grouped' : 'time');
      expect(await verifyEvidence(root, evidence, readArtifact)).toEqual({
        ok: evidence.length,
        total: evidence.length,
        mismatches: [],
      });
      // The same predictions under another division do not pass.
      const shifted = evidence.map((one) => ({
        ...one,
        recipe: {
          ...one.recipe,
          parameters: { ...one.recipe.parameters, split: { ...prepared.split, method: 'all' } },
        },
      }));
      expect((await verifyEvidence(root, shifted, readArtifact)).ok).toBe(0);
    });
});
