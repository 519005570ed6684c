import { expect, test } from 'vitest';
import { newPlan } from '@assay/plan-graph';
import { verifies } from '@assay/testkit';
import { reportText, type ReportFacts } from '../src/report-text.ts';

const hash = 'a'.repeat(64);
const facts = {
  plan: newPlan({
    id: 'plan_1',
    questId: 'q',
    traceId: 't',
    userIntent: '',
    intentType: 'Custom_Benchmark',
    tasks: [],
    createdAt: 0,
  }),
  manifest: {
    name: 'a|b.csv',
    path: '/data/a|b.csv',
    sha256: hash,
    targetColumn: 'label`x',
    excludedRows: { missingTarget: 2 },
    warnings: ['<script>alert(1)</script>'],
  },
  repository: { path: '/repos/mine', subfolder: '', commit: null, license: null, warnings: [] },
  registration: {
    sha256: hash,
    primary: 'accuracy',
    split: { method: 'all', seed: 17 },
    interval: { B: 2000, seed: 17 },
  },
  run: {
    normalised: [],
    repositoryFingerprint: hash,
    adapterSha256: hash,
    attestation: {
      backend: 'bubblewrap',
      version: '0.8.0',
      network: 'none',
      limits: 'cgroup1',
      seccomp: true,
      capabilities: 'none',
    },
  },
  metrics: {
    task: 'classification',
    metrics: { accuracy: 0.5, 'precision/a|b': 1 },
    evidence: { accuracy: 'ev_1', rows: 'ev_2', 'precision/a|b': 'ev_3' },
    undefined: { auroc: 'there are no scores' },
    labels: ['a|b', '\u001b[31mred', '{{ev:ev_1}}'],
    confusion: null,
    notes: [],
  },
  validation: { probes: { oracle: { passed: true, expected: '1' } } },
  adapter: { chosen: 'm:f', confidence: 0.9, evidence: [], notes: [], hiddenFiles: [] },
  preflight: { attempts: [] },
} as unknown as ReportFacts;

test('every measured number is a reference, and names from outside cannot become markup or references', () => {
  verifies('report.no-typed-numbers');
  const text = reportText(facts);
  expect(text).toContain('| accuracy | {{ev:ev_1|.4f}} | {{ev:ev_1|ci}} |');
  expect(text).not.toContain('0.5 ');
  expect(text).toContain('auroc has no value here: there are no scores.');
  expect(text).not.toContain('\u001b');
  expect(text).not.toContain('<script>');
  expect(text.match(/\{\{ev:[^}]*\}\}/g)!.every((reference) => /^\{\{ev:ev_\d\|(\.\df|ci)\}\}$/.test(reference))).toBe(
    true,
  );
  const perClass = text.split('## Per class')[1]!.split('##')[0]!;
  for (const line of perClass.split('\n').filter((row) => row.startsWith('| `')))
    expect(line.split(' | ')).toHaveLength(4);
});
