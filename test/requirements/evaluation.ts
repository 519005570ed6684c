import type { Requirement } from '../requirements.ts';

export const evaluationRequirements = {
  'evaluation.rows-behind': {
    says: 'The rows behind any number are read again from its files: those that its recipe counts, with label, prediction and cells, in pages; a changed file is told.',
    source: 'spec: surfaces, evidence',
  },
  'evaluation.residuals': {
    says: 'Residuals of a regression are counted over all rows with zero on an edge, and drawn from a bounded number of points.',
    source: 'spec: surfaces, evidence',
  },
  'evaluation.in-turns': {
    says: 'Evaluating a million rows never keeps the rest of the process waiting for longer than one step over the rows.',
    source: 'spec: architecture, scale',
  },
  'evaluation.order-hidden': {
    says: 'Rows are handed out shuffled and under numbers of their own: neither place nor number tells where a row stands in the file.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.order-verified': {
    says: 'The order of the rows is registered before the run and computed again by verification.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.rows-of-the-file': {
    says: 'Whatever is published, shown or told of a row has the row of the data file: predictions, rows behind a number, residuals, refusals.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.order-of-old-records': {
    says: 'Results of before rows were shuffled verify as before.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.csv-exact': {
    says: 'Every table that is written as CSV or TSV is read back cell by cell, with quoted line ends and doubled quotes.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.csv-chunks': {
    says: 'Where a file is cut into chunks, at any byte, does not change what is read.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.profile-facts': {
    says: 'A profile gives rows, columns with type and counts, delimiter, encoding, sha256 and a preview of three rows.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.profile-roles': {
    says: 'Target, inputs and task come from what is said, then names, then shape, with a confidence and reasons.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.profile-headers': {
    says: 'Empty and double column names are renamed, and each change is a warning.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.profile-malformed': {
    says: 'Empty, ragged, broken, binary and endless files are refused with row and reason.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.json-forms': {
    says: 'JSON arrays, objects that hold an array of rows, and JSON lines are read like tables.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.strict-json': {
    says: 'JSON is read strictly: a key that stands twice, half a surrogate pair or anything behind the value is refused.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.parsers-fuzzed': {
    says: 'Any bytes in a data file, a predictions file or a report end as a result or as an error for people.',
    source: 'spec: quality, security',
  },
  'evaluation.big-ids-text': {
    says: 'Whole numbers beyond 2^53 and numbers with leading zeros stay texts, digit for digit.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.prototype-safe': {
    says: 'Columns and labels called __proto__ or constructor are columns and labels like any other.',
    source: 'spec: quality, security',
  },
  'evaluation.distinct-bound': {
    says: 'Distinct values are counted exactly to 10,000; beyond, the count is said to be a lower bound.',
    source: 'spec: quality, benchmarks',
  },
  'evaluation.constant-memory': {
    says: 'A data file is profiled and divided without being held in memory.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.read-ahead': {
    says: 'A data file is read ahead while it is worked on, without loss, and its hash is that of its bytes.',
    source: 'spec: quality, benchmarks',
  },
  'evaluation.column-missing': {
    says: 'A wrong column name is answered with the names that there are.',
    source: 'spec: the first job',
  },
  'evaluation.target-unsuitable': {
    says: 'A target with one class, no value, too many labels or two spellings of a label is refused with what to do.',
    source: 'spec: the first job',
  },
  'evaluation.labels-withheld': {
    says: 'The file that an adapter predicts on holds row_index and the inputs, never the target.',
    source: 'spec: plans, benchmark harness; field case A12',
  },
  'evaluation.target-copies': {
    says: 'An input column that repeats the target in every row is refused: it would hand out the labels.',
    source: 'spec: plans, benchmark harness; field case A12',
  },
  'evaluation.rows-file': {
    says: 'Which rows were handed out is stored compactly, with hashes, and damage is noticed.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.split-stratified': {
    says: 'A split takes 30 % of every label for testing and never all rows of one.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.split-repeatable': {
    says: 'The same data and seed give the same split.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.data-changed': {
    says: 'A data file that is no longer byte for byte the profiled one is refused.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.predictions-strict': {
    says: 'Every row that was handed out is predicted exactly once, by lines of the agreed form; else line and row are named.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.predictions-finite': {
    says: 'A prediction or score that is not finite is refused as that.',
    source: 'spec: plans, benchmark harness; field case A16',
  },
  'evaluation.predictions-normalised': {
    says: 'Predictions in another type than the labels are read by their meaning, counted and reported.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.predictions-scores': {
    says: 'Scores are probability distributions over one set of labels, for every row or for none.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.outputs-safe': {
    says: 'Outputs are regular files of this run: no link in any component, no pipe, no second name, within the size limit.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.targets-joined': {
    says: 'Predictions are joined with the original labels by row, outside the sandbox.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.metrics-sklearn': {
    says: 'Every metric equals the value of scikit-learn to 1e-12 on 100 random cases.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.metrics-refuse': {
    says: 'No rows, missing predictions, NaN and infinity are refused; a metric without a value says why.',
    source: 'spec: plans, benchmark harness; field case A16',
  },
  'evaluation.prng-reference': {
    says: 'Random numbers are those of xoshiro128** with a documented seeding, the same on every machine.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.interval-repeatable': {
    says: 'Intervals are the same bytes for the same data.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.interval-method': {
    says: 'Intervals of count metrics resample the confusion cells, which is the same as resampling rows.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.interval-subsample': {
    says: 'An interval over more than 100,000 rows rests on a subsample of that size and says so.',
    source: 'spec: plans, benchmark harness',
  },
  'evaluation.abort': {
    says: 'Evaluation and verification stop when they are aborted.',
    source: 'spec: architecture',
  },
  'evaluation.gives-way': {
    says: 'Other work of the process gets turns between the steps of an evaluation of many rows.',
    source: 'spec: architecture',
  },
  'evaluation.claims-checked': {
    says: 'A claimed metric that differs from the recomputed one by more than the tolerance voids the run, with the difference.',
    source: 'spec: plans, benchmark harness; field cases A1, A16',
  },
  'evaluation.run-manifest': {
    says: 'A run manifest for another data file, count or seed is refused.',
    source: 'spec: plans, benchmark harness; field case A1',
  },
  'evaluation.probes': {
    says: 'Null, constant, shuffled-label and oracle submissions score what they must on the targets of the run.',
    source: 'spec: beyond, split-trust evaluation; field case A11',
  },
  'evaluation.probes-refuse': {
    says: 'An evaluator that does not respond to the probes as it must is refused.',
    source: 'spec: beyond, split-trust evaluation; field case A15',
  },
  'evaluation.pre-registration': {
    says: 'Data, split, metrics, direction, intervals, probes and evaluator are stated and hashed before the run.',
    source: 'spec: beyond, split-trust evaluation',
  },
  'evaluation.evidence-records': {
    says: 'Each number has a record of its recipe, inputs, sources with hashes and interval.',
    source: 'spec: formats, evidence',
  },
  'evaluation.verify-recomputes': {
    says: 'Verification computes each number and interval again from the files and names what differs.',
    source: 'spec: beyond, proof-carrying reports',
  },
  'evaluation.verify-denominator': {
    says: 'Verification chooses the rows again from the data: another denominator, seed or number of resamples does not pass.',
    source: 'spec: beyond, proof-carrying reports; field case A1',
  },
  'evaluation.verify-sources': {
    says: 'A source that changed or is gone is named; a kept copy stands in for a data file that is gone.',
    source: 'spec: formats, files of a quest',
  },
  'evaluation.report-references': {
    says: 'Numbers of a report are references; unknown, broken and unconfirmed ones fail, all listed at once.',
    source: 'spec: formats, report; field case A7',
  },
  'evaluation.report-tables': {
    says: 'A bare number in a table of results fails the report.',
    source: 'spec: formats, report; field case A7',
  },
  'evaluation.report-lint': {
    says: 'Placeholders, empty sections and missing figures fail the report.',
    source: 'spec: formats, report; field case A21',
  },
} as const satisfies Record<string, Requirement>;
