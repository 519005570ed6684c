import type { Requirement } from '../requirements.ts';

const source = 'spec: benchmark harness';

export const adapterRequirements = {
  'adapter.recognises-shapes': {
    says: 'Prediction functions and classes are recognised with text, row, feature-vector and per-column inputs, one item or many, with and without training.',
    source,
  },
  'adapter.predicts-every-row': {
    says: 'The written adapter runs with the documented command and predicts every row by calling the repository.',
    source,
  },
  'adapter.refuses-honestly': {
    says: 'A repository without a usable entry point, or with several equal ones, is refused with what was looked at, why, and what would help.',
    source,
  },
  'adapter.asks-which': {
    says: 'Several entry points that fit equally well, or at most five guesses, become a question with the entry points as answers; no guess is run.',
    source,
  },
  'adapter.shown-uses': {
    says: 'Functions that the README, docstrings or tests call with something like the data are recognised whatever they are called, and taken unaided only when one stands out.',
    source,
  },
  'adapter.names-missing-packages': {
    says: 'A candidate names the packages that its files always import and Python does not bring; optional imports do not count.',
    source,
  },
  'adapter.protocol-files': {
    says: 'The adapter writes predictions.jsonl and run_manifest.json, and nothing that the repository prints gets into them.',
    source,
  },
  'adapter.scores': {
    says: 'Probabilities of the repository become scores per label, for all rows or, when any of them is no distribution, for none.',
    source,
  },
  'adapter.seeded': { says: 'The same seed gives the same predictions of a repository that uses randomness.', source },
  'adapter.missing-values': {
    says: 'A missing number in a feature vector becomes the mean over the training rows and is counted; row dictionaries get None.',
    source,
  },
  'adapter.fails-clearly': {
    says: 'A repository that fails, returns no prediction, too few of them or a number that is not finite ends the adapter with the row and the reason, and no output.',
    source,
  },
  'adapter.examples': { says: 'The entry points of the shipped example repositories are recognised.', source },
  'adapter.scan-runs-nothing': {
    says: 'Scanning a repository imports and runs none of its code.',
    source: 'spec: security posture',
  },
  'adapter.scan-survives': {
    says: 'Broken, hostile, linked, huge and oddly encoded files are listed, not followed, and do not end the scan.',
    source: 'spec: security posture',
  },
  'adapter.scan-bounded': {
    says: 'The scan has bounds and says which one ended it.',
    source: 'spec: security posture',
  },
  'adapter.recognises-styles': {
    says: 'Loaded, made, asynchronous, file-backed and batch-limited entry points, and answers as objects, pairs, scores and tables, are called as they are meant.',
    source,
  },
  'adapter.command-lines': {
    says: 'Command lines are run row by row, with files or over standard input, and their answers are read from what they print or write.',
    source,
  },
  'adapter.labels-by-evidence': {
    says: 'Answers become labels of the data only by equal names, by something that stands in the repository, or by --map; otherwise the possible mappings are proposed and none is taken.',
    source: 'decision 0019',
  },
  'adapter.plan-asks': {
    says: 'A running plan whose answers nothing explains goes back to pending with the possible mappings, keeps what is done, counts no attempt, and goes on with the answer.',
    source: 'decision 0019',
  },
  'adapter.private-copy': {
    says: 'An entry point that writes into its own folder runs on a copy that is thrown away, and the result says so.',
    source,
  },
  'adapter.doubtful-answers': {
    says: 'Answers that do not depend on the rows, repeat a column, follow the place in the list or are of another kind than the target are refused although they look like predictions.',
    source,
  },
  'adapter.policy': {
    says: 'An adapter that starts processes, uses the network, deletes, installs or reaches below Python is refused before it runs.',
    source,
  },
  'adapter.says-what-is-there': {
    says: 'An entry point that is not there is answered with those that are; a file that Python cannot parse is named with its line when nothing was recognised.',
    source: 'spec: benchmark harness',
  },
  'adapter.made-otherwise': {
    says: 'Classes that are made from one item, objects that a training function returns, inherited methods, functions that take bytes and scripts without a guard are called as they are meant.',
    source,
  },
  'adapter.other-question': {
    says: 'A question with yes or no that is not that of the target, and names that only case tells apart, are asked about and never mapped unaided.',
    source: 'decision 0019',
  },
  'adapter.real-libraries': {
    says: 'Command lines of click, typer and fire, pipelines that scikit-learn saved, and code that takes tables of pandas or arrays of numpy run with the real libraries and give the right numbers.',
    source,
  },
} as const satisfies Record<string, Requirement>;
