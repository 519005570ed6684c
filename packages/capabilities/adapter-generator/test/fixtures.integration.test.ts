import { describe, expect, it } from 'vitest';
import { verifies } from '@assay/testkit';
import { chooseCandidate } from '../src/index.ts';
import { fixture, recogniseFolder, runFolder } from './support/python.ts';
import { digits, flowers, messages, prices, rooms, type Table } from './support/tables.ts';

interface Accepted {
  readonly repository: string;
  readonly table: Table;
  readonly entrypoint: string;
  readonly input: string;
  readonly call: string;
  readonly training: string | null;
  readonly predictions: readonly unknown[];
}

const flowerLabels = ['round', 'long', 'round', 'long'];
const messageLabels = ['pos', 'neg', 'pos', 'pos'];
const roomLabels = ['small', 'large', 'small', 'large'];

function accepted(
  repository: string,
  table: Table,
  expected: readonly [entrypoint: string, input: string, call: string, training: string | null],
  predictions: readonly unknown[],
): Accepted {
  const [entrypoint, input, call, training] = expected;
  return { repository, table, entrypoint, input, call, training, predictions };
}

const cases: readonly Accepted[] = [
  accepted('text-function', messages, ['sentiment:classify', 'text', 'single', null], messageLabels),
  accepted('text-batch', messages, ['model:predict', 'text', 'batch', null], messageLabels),
  accepted(
    'text-each',
    messages,
    ['bayes:NaiveBayes.classify', 'text', 'single', 'each'],
    ['pos', 'neg', 'pos', 'pos'],
  ),
  accepted(
    'text-lists',
    messages,
    ['classifier:WordVote.predict', 'text', 'batch', 'columns'],
    ['pos', 'neg', 'neg', 'pos'],
  ),
  accepted('row-function', flowers, ['rules:predict', 'row_dict', 'single', null], flowerLabels),
  accepted('row-renamed', flowers, ['rules:classify', 'row_dict', 'single', null], flowerLabels),
  accepted('row-batch-class', rooms, ['shop.model:ColourVote.predict', 'row_dict', 'batch', 'columns'], roomLabels),
  accepted(
    'row-opaque',
    rooms,
    ['model:Memory.predict_one', 'row_dict', 'single', 'columns'],
    ['small', 'large', 'small', 'large'],
  ),
  accepted('vector-function', flowers, ['rules:predict', 'feature_vector', 'single', null], flowerLabels),
  accepted(
    'vector-batch',
    flowers,
    ['knn:NearestNeighbour.predict', 'feature_vector', 'batch', 'columns'],
    flowerLabels,
  ),
  accepted(
    'vector-single',
    flowers,
    ['centroid:NearestCentroid.predict', 'feature_vector', 'single', 'columns'],
    flowerLabels,
  ),
  accepted('labels-first', flowers, ['model:NearestMean.predict', 'feature_vector', 'batch', 'columns'], flowerLabels),
  accepted('pairs', flowers, ['perceptron:Perceptron.predict', 'feature_vector', 'single', 'pairs'], flowerLabels),
  accepted('rows-with-target', flowers, ['stump:Stump.predict', 'row_dict', 'single', 'rows'], flowerLabels),
  accepted('arguments', flowers, ['rules:classify', 'arguments', 'single', null], flowerLabels),
  accepted('one-number', prices, ['line:Line.predict', 'arguments', 'single', 'columns'], [30, 300, 21]),
  accepted('model-function', flowers, ['centroids:predict', 'feature_vector', 'single', 'columns'], flowerLabels),
  accepted('model-second', flowers, ['tree:predict', 'row_dict', 'single', 'rows'], flowerLabels),
  accepted('static-method', flowers, ['rules:Rules.classify', 'row_dict', 'single', null], flowerLabels),
  accepted('src-layout', flowers, ['flowers.rules:FlowerClassifier.predict', 'row_dict', 'batch', null], flowerLabels),
  accepted('namespace-folder', flowers, ['flowers.rules:predict', 'row_dict', 'single', null], flowerLabels),
  accepted('sibling-scripts', flowers, ['rules:predict', 'row_dict', 'single', null], flowerLabels),
  accepted('noisy', flowers, ['model:predict', 'row_dict', 'single', null], flowerLabels),
  accepted('import-order', flowers, ['rules:predict', 'row_dict', 'single', null], flowerLabels),
  accepted('proba-list', flowers, ['model:Logit.predict', 'feature_vector', 'batch', 'columns'], flowerLabels),
  accepted('result-dict', messages, ['sentiment:classify', 'text', 'single', null], ['neg', 'neg', 'pos', 'pos']),
  accepted('result-tuple', messages, ['sentiment:classify', 'text', 'single', null], ['neg', 'neg', 'pos', 'pos']),
  accepted(
    'result-distribution',
    messages,
    ['sentiment:classify', 'text', 'single', null],
    ['neg', 'neg', 'pos', 'pos'],
  ),
  accepted('generator', flowers, ['model:predict', 'row_dict', 'batch', null], flowerLabels),
  accepted('dataclass-model', flowers, ['model:Threshold.predict', 'row_dict', 'single', null], flowerLabels),
  accepted('float-labels', digits, ['model:predict', 'feature_vector', 'single', null], [0, 1]),
  accepted(
    'category-first',
    messages,
    ['bayes:Bayes.classify', 'text', 'single', 'each'],
    ['pos', 'neg', 'neg', 'pos'],
  ),
  accepted('label-last', flowers, ['stump:predict', 'feature_vector', 'single', 'last'], flowerLabels),
  accepted('prefers-ready', flowers, ['light:predict', 'row_dict', 'single', null], flowerLabels),
  accepted('suffix-name', flowers, ['knn:rule_classify', 'row_dict', 'single', null], flowerLabels),
  accepted('optional-numpy', flowers, ['model:predict', 'row_dict', 'single', null], flowerLabels),
  accepted('old-syntax', flowers, ['rules:predict', 'row_dict', 'single', null], flowerLabels),
  accepted('leaves-thread', flowers, ['model:predict', 'row_dict', 'single', null], flowerLabels),
];

describe('repositories whose entry point is recognised', () => {
  it.each(cases)('$repository', async ({ repository, table, ...expected }) => {
    verifies('adapter.recognises-shapes', 'adapter.predicts-every-row');
    const candidate = chooseCandidate(await recogniseFolder(fixture(repository), table));
    const { entrypoint, input, call } = candidate;
    const training = candidate.training?.style ?? null;
    expect({ entrypoint, input, call, training }).toEqual({
      entrypoint: expected.entrypoint,
      input: expected.input,
      call: expected.call,
      training: expected.training,
    });
    const run = await runFolder(fixture(repository), table);
    expect(run.stderr.split('\n').filter((line) => line.startsWith('adapter:'))).toEqual([]);
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toBe('');
    expect(run.predictions.map((line) => line.row_index)).toEqual(table.test.map((_, at) => at));
    expect(run.predictions.map((line) => line.prediction)).toEqual(expected.predictions);
  });
});
