import type { Requirement } from '../requirements.ts';

export const compareRequirements = {
  'compare.reference-values': {
    says: 'Exact tests, corrected p-values and paired differences equal those of SciPy, statsmodels and scikit-learn.',
    source: 'spec: beyond, an honest keep rule',
  },
  'compare.paired-intervals': {
    says: 'Every pair has the paired difference of each metric with a paired bootstrap interval, the same bytes every time.',
    source: 'spec: beyond, an honest keep rule',
  },
  'compare.attempts-corrected': {
    says: "The decision is corrected by Holm's method for the pairs of all formal runs of the protocol, shown or not.",
    source: 'spec: beyond, an honest keep rule',
  },
  'compare.better-only-when-proven': {
    says: 'Better is said only when the interval of the primary metric excludes zero after the correction.',
    source: 'spec: beyond, an honest keep rule',
  },
  'compare.same-code-recognised': {
    says: 'Repositories that differ in nothing, or only in comments, docstrings, white space or documentation, are recognised as the same code.',
    source: 'spec: beyond, an honest keep rule',
  },
  'compare.seed-only-recognised': {
    says: 'Repositories that differ only in the seeds of random numbers are recognised, and other differences are not taken for one.',
    source: 'spec: beyond, an honest keep rule',
  },
} as const satisfies Record<string, Requirement>;
