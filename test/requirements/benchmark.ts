import type { Requirement } from '../requirements.ts';

export const benchmarkRequirements = {
  'benchmark.end-to-end': {
    says: 'A benchmark of a local repository on a data file ends with verified metrics and no model.',
    source: 'spec: plans, benchmark harness',
  },
  'benchmark.eleven-tasks': {
    says: 'A benchmark plan is the fixed list of eleven tasks.',
    source: 'spec: plans, templates',
  },
  'benchmark.labels-withheld': {
    says: 'The data that a run sees has row_index and input columns, never the target.',
    source: 'spec: plans, trust boundary',
  },
  'benchmark.trained-on-training-rows': {
    says: 'An entry point that must be trained gets labelled training rows, and is evaluated on the other rows only.',
    source: 'spec: plans, trust boundary',
  },
  'benchmark.reproducible': {
    says: 'The same repository and data give the same metrics and intervals.',
    source: 'spec: plans, benchmark harness',
  },
  'report.numbers-are-references': {
    says: 'A report is stored with references to evidence and rendered with each number as a link to its record.',
    source: 'spec: formats, report',
  },
  'verify.offline': {
    says: 'Every number of a plan or quest is recomputed from files without a daemon.',
    source: 'spec: beyond, proof-carrying reports',
  },
  'verify.tampering': {
    says: 'A changed data file, evidence record or predictions file is found, with the reason.',
    source: 'spec: beyond, proof-carrying reports',
  },
  'verify.edited-report': {
    says: 'A number that was edited in a rendered report is found by comparing it with the evidence it links to.',
    source: 'decision 0007',
  },
  'verify.report-as-written': {
    says: 'A plan or comparison is not confirmed while its rendered report is gone or not byte for byte what was written.',
    source: 'decision 0007',
  },
  'verify.pre-registration': {
    says: 'A plan is not confirmed when its pre-registration, or what else it published, was changed or is gone.',
    source: 'spec: beyond, proof-carrying reports',
  },
  'verify.records': {
    says: 'Every field of an artifact record is held by the journal: a report edited together with its record is not confirmed.',
    source: 'spec: beyond, proof-carrying reports',
  },
  'fsck.records': {
    says: 'fsck finds an artifact record whose bytes are not the ones that were published.',
    source: 'spec: quality, fsck',
  },
  'fsck.evidence': {
    says: 'fsck finds an evidence record whose bytes are not the ones that were recorded.',
    source: 'spec: quality, fsck',
  },
  'quests.committed-after-plan': {
    says: 'A quest is committed to git when one of its plans has ended.',
    source: 'spec: formats, quest',
  },
} as const satisfies Record<string, Requirement>;
