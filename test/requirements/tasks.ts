import type { Requirement } from '../requirements.ts';

export const taskRequirements = {
  'benchmark.copies-found': {
    says: 'A copy of the data set inside the repository is found by hash or by five sampled rows with their target, in any common text form, code too.',
    source: 'spec: plans, trust boundary',
  },
  'benchmark.column-copies-found': {
    says: 'Targets that a repository stores apart from the rows are found, also in a code or rounded, in the order of the data or of a telling feature, in text, NumPy files and pickles, and such files are hidden.',
    source: 'spec: plans, trust boundary',
  },
  'benchmark.text-copies-found': {
    says: 'Texts of the data are found wherever something tells their labels: names of files and folders, dictionaries, lists of one class, pickles, hashes, one row in each of many files.',
    source: 'review: search for copies of the data',
  },
  'benchmark.encoded-copies-found': {
    says: 'Copies of the data are found in archives and in constants that are base64, base85, digits or escapes, packed or not.',
    source: 'review: search for copies of the data',
  },
  'benchmark.text-look-alikes-kept': {
    says: 'Other texts of the same kind and texts that tell no label are not taken for copies of the data.',
    source: 'review: search for copies of the data',
  },
  'benchmark.look-alikes-kept': {
    says: 'Code, weights, lexicons, data without its target and a few rows are not taken for a copy of the data set.',
    source: 'spec: plans, trust boundary',
  },
  'benchmark.search-limits-said': {
    says: 'Files that may hold data and cannot be searched, and data too plain to be searched for, are named instead of passed over.',
    source: 'spec: plans, trust boundary',
  },
  'benchmark.search-streams': {
    says: 'The search for copies reads text at 2 MB a second and more in a memory that does not grow with the file, and stops on abort.',
    source: 'spec: quality, bounds',
  },
  'benchmark.work-gone-named': {
    says: 'When what a finished task left was deleted, the plan fails with what is gone and the advice to create it again.',
    source: 'spec: quality, messages',
  },
  'report.labels-as-proven': {
    says: 'The report claims about the labels what was proven: not given to the run, copies found hidden, the rest named.',
    source: 'spec: formats, report',
  },
  'benchmark.labels-known': {
    says: 'A run that predicts none of the labels of the data fails with both sets of labels instead of scoring zero.',
    source: 'spec: plans, trust boundary',
  },
  'benchmark.labels-of-all-rows': {
    says: 'A label that only rows have which were not handed out is a label of the data: predicting it is wrong, not unknown.',
    source: 'spec: plans, trust boundary',
  },
  'report.no-typed-numbers': {
    says: 'The text of a report holds references instead of measured numbers, and names from data or code cannot become markup.',
    source: 'spec: formats, report',
  },
  'tasks.submodule-missing': {
    says: 'A module that Python misses and that is a submodule, which is not fetched, is told as missing content with the submodule and what to do.',
    source: 'spec: repositories',
  },
} as const satisfies Record<string, Requirement>;
