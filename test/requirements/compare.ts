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
  'compare.one-protocol': {
    says: 'Plans that are compared share one protocol (data, rows, split, metrics, primary metric, seeds, exclusions), an artifact that was registered before the first formal run.',
    source: 'spec: beyond, split-trust evaluation',
  },
  'compare.failures-named': {
    says: 'A plan that cannot be compared is named with its reason, and its formal runs count all the same.',
    source: 'spec: beyond, an honest keep rule',
  },
  'compare.verified': {
    says: 'Every number of a comparison is evidence and is recomputed by verify from the predictions and the original data.',
    source: 'spec: beyond, proof-carrying reports',
  },
  'compare.report': {
    says: 'The report of a comparison says in words what is better and what is not distinguishable, and shows each number as a link to its evidence.',
    source: 'spec: formats, report',
  },
  'compare.forgery-found': {
    says: 'A changed number, verdict, rank, conclusion or count of runs of a comparison is found, also when its hash was made to fit.',
    source: 'spec: quality, false success',
  },
  'compare.refusals': {
    says: 'Plans of several quests or without a result are not compared, and a protocol is refused when it does not fit data, target or plan.',
    source: 'spec: beyond, split-trust evaluation',
  },
  'compare.stored': {
    says: 'A comparison that was made is listed and shown again with its numbers computed anew, to the owner of its plans only, and why tells what it concluded.',
    source: 'spec: surfaces, command line',
  },
  'compare.group-and-time': {
    says: 'Comparisons with a group or a time split hand the same rows to all candidates and keep groups and times apart.',
    source: 'spec: beyond, split-trust evaluation',
  },
  'compare.crash': {
    says: 'A daemon that is killed while plans are compared leaves no damage: the comparison is there whole or not at all, and can be made again.',
    source: 'spec: quality, crash',
  },
  'cli.comparison': {
    says: 'A comparison is shown as tables that become lists on a narrow terminal, ends with 0 only when everything was compared and confirmed, and is one line of JSON when asked.',
    source: 'spec: surfaces, command line',
  },
} as const satisfies Record<string, Requirement>;
