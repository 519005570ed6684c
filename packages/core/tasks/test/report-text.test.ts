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
    wrote: [],
    normalised: ['12 predictions were text and read as integer labels'],
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
  validation: {
    probes: {
      constant: { passed: true, expected: '0.6875 (the share of the most frequent label)' },
      oracle: { passed: true, expected: '1' },
    },
  },
  home: null,
  adapter: {
    chosen: 'm:f',
    confidence: 0.9,
    evidence: ['m.py:1 has a function f'],
    notes: [],
    way: 'one as text',
    labels: null,
    others: [],
    rejected: [],
    hiddenFiles: [],
    searchLimits: { notSearched: [], notSearchedCount: 0, byHashOnly: false },
  },
  preflight: { attempts: [] },
} as unknown as ReportFacts;

test('the command that checks a report works as it stands, for whichever home', () => {
  verifies('report.check-command');
  const shown = (home: string | null) => reportText({ ...facts, home }).split('```')[1];
  expect(shown(null)).toBe(`\nnpx assay verify ${facts.plan.id}\n`);
  expect(shown("/tmp/o'clock home")).toBe(`\nASSAY_HOME='/tmp/o'\\''clock home' npx assay verify ${facts.plan.id}\n`);
});

test('every measured number is a reference, and names from outside cannot become markup or references', () => {
  verifies('report.no-typed-numbers');
  const text = reportText(facts);
  expect(text).toContain('| accuracy | {{ev:ev_1|.4f}} | {{ev:ev_1|ci}} |');
  for (const measured of ['0.5 ', '0.9', '0.6875', 'a label: 2']) expect(text).not.toContain(measured);
  expect(text).toContain('- Some predictions were text and read as integer labels.');
  expect(text).toContain('- constant: as expected — the best constant has to score what a constant scores');
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

test('the report says of the labels what is proven, and names what was hidden or not searched', () => {
  verifies('report.labels-as-proven');
  const plain = reportText(facts);
  expect(plain).not.toContain('never inside');
  expect(plain).toContain(
    'The run was not given the labels of the evaluated rows. The repository was searched for copies of the data, also packed or encoded ones: none was found. Packages that were installed for the run, if any, were not searched.',
  );
  const limited = reportText({
    ...facts,
    adapter: {
      ...facts.adapter,
      hiddenFiles: [{ path: 'rows.py', reason: 'sampled rows of the data stand in it, each with its target' }],
      searchLimits: {
        notSearched: [{ path: 'old.npz', reason: 'it is compressed or binary' }],
        notSearchedCount: 1,
        byHashOnly: false,
      },
    },
  });
  expect(limited).toContain(
    'encoded ones: those found were hidden from it; files that could not be searched are named under "Worth knowing".',
  );
  expect(limited).toContain('- old.npz was not searched for copies of the data: it is compressed or binary');
  expect(limited).toContain('- rows.py was hidden from the run: sampled rows of the data stand in it');
  const searchLimits = { notSearched: [], notSearchedCount: 0, byHashOnly: true };
  const adapter = { ...facts.adapter, searchLimits };
  expect(reportText({ ...facts, adapter })).toContain('its rows are too plain to be searched for: none was found.');
});
