import { canonicalJson } from '@assay/foundation';
import { sha256Text } from '@assay/files';
import { binomial } from '../metrics/binomial.ts';
import { confusionOf, Tally } from '../metrics/confusion.ts';
import { BOOTSTRAP } from '../metrics/evaluation.ts';
import { LEVEL, percentileInterval } from '../metrics/interval.ts';
import { regressionMetrics } from '../metrics/regression.ts';
import { aurocOf, labelsToRank, logLosses, meanArea } from '../metrics/scores.ts';
import { Prng } from '../prng.ts';
import { recipes } from './recipes.ts';

/** Who computes the numbers. */
export interface Evaluator {
  readonly name: 'assay-evaluation';
  readonly version: 1;
  /**
   * SHA-256 over recipes, constants and the answers to fixed questions. It names what the evaluator does, not how it is
   * bundled: two builds agree exactly when they answer alike.
   */
  readonly sha256: string;
}

export function thisEvaluator(): Evaluator {
  const described = {
    recipes: recipes.map(({ name, version, direction, picks }) => ({ name, version, direction, picks })),
    bootstrap: BOOTSTRAP,
    level: LEVEL,
    answers: knownAnswers(),
  };
  return { name: 'assay-evaluation', version: 1, sha256: sha256Text(canonicalJson(described)) };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Small inputs that touch every formula, rounded to 12 digits so that no library's last bit changes the hash. */
function knownAnswers(): readonly string[] {
  const targets = ['a', 'b', 'b', 'c', 'a', 'c', 'c', 'b'];
  const predictions = ['a', 'b', 'c', 'c', 'b', 'd', 'c', 'a'];
  const confusion = confusionOf(targets, predictions, compare);
  const tally = new Tally(confusion);
  tally.set(confusion.count);
  const perLabel = confusion.labels.flatMap((_, i) => [tally.precision(i), tally.recall(i), tally.f1(i)]);
  const width = 3;
  const raw = targets.flatMap((_, row) => [1 + ((row * 7) % 5), 1 + ((row * 3) % 4), 1 + ((row * 5) % 3)]);
  const probabilities = Float64Array.from(raw, (value, i) => {
    const row = raw.slice(Math.floor(i / width) * width, Math.floor(i / width) * width + width);
    return value / (row[0]! + row[1]! + row[2]!);
  });
  const scores = { labels: ['a', 'b', 'c'], probabilities };
  const areas = labelsToRank(targets, scores, compare).map((label) => aurocOf(label, targets, scores));
  const losses = logLosses(targets, scores);
  const regression = regressionMetrics(Float64Array.of(1, 2.5, -3, 4), Float64Array.of(1.5, 2, -2, 3));
  const prng = new Prng(BOOTSTRAP.seed);
  const draws = Array.from({ length: 50 }, (_, i) => binomial(prng, 1000, (i + 0.5) / 50));
  const interval = percentileInterval(Float64Array.from(draws))!;
  return [
    tally.accuracy(),
    tally.macroF1(),
    ...perLabel,
    meanArea(areas),
    ...losses,
    ...Object.values(regression),
    ...draws,
    interval.low,
    interval.high,
  ].map((value) => value.toPrecision(12));
}
