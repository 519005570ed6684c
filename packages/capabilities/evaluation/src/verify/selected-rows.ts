import type { Evidence, EvidenceRowsQuery } from '@assay/contracts';
import type { EvaluationRequest } from '../metrics/evaluation.ts';
import { isOfComparison } from './compare.ts';

/** What stands at one place of the joined rows. */
export interface JoinedRow {
  readonly target: string | number;
  readonly predictions: readonly (string | number)[];
}

export interface SelectedRows {
  readonly task: EvaluationRequest['task'];
  readonly total: number;
  readonly wrong: number | null;
  /** Places in the joined rows, in the asked order. */
  readonly places: readonly number[];
  at(place: number): JoinedRow;
}

/** The rows that went into one number, of the predictions that it is about; all rows for numbers about all. */
export function selectRows(
  evidence: Evidence,
  all: readonly EvaluationRequest[],
  { only, order }: Pick<EvidenceRowsQuery, 'only' | 'order'>,
): SelectedRows | undefined {
  const submissions = submissionsOf(evidence, all);
  const [first] = submissions;
  if (first === undefined) return undefined;
  const counts = behind(evidence);
  const at = (place: number): JoinedRow => ({
    target: first.targets[place]!,
    predictions: submissions.map(({ predictions }) => predictions[place]!),
  });
  const isWrong = (place: number) => submissions.some(({ predictions }) => predictions[place] !== first.targets[place]);
  const selected: number[] = [];
  for (let place = 0; place < first.targets.length; place += 1) if (counts(at(place))) selected.push(place);
  const isLabelled = first.task === 'classification';
  const wrong = isLabelled ? selected.filter(isWrong) : [];
  const places = isLabelled && only === 'wrong' ? wrong : selected;
  if (!isLabelled && order === 'error') places.sort((a, b) => errorOf(at(b)) - errorOf(at(a)) || a - b);
  return { task: first.task, total: selected.length, wrong: isLabelled ? wrong.length : null, places, at };
}

function submissionsOf({ recipe }: Evidence, all: readonly EvaluationRequest[]): readonly EvaluationRequest[] {
  if (!isOfComparison(recipe)) return all.slice(0, 1);
  const { first, second } = recipe.parameters;
  return [first, second].flatMap((side) => (typeof side === 'number' ? (all[side] ?? []) : []));
}

function errorOf({ target, predictions }: JoinedRow): number {
  return Math.max(...predictions.map((predicted) => Math.abs(Number(predicted) - Number(target))));
}

/** Whether a row counts for the number, by its recipe. */
function behind({ recipe }: Evidence): (row: JoinedRow) => boolean {
  const { label, target: wanted, predicted } = recipe.parameters;
  const firstOnly = ({ target, predictions: [first, second] }: JoinedRow) => first === target && second !== target;
  const secondOnly = ({ target, predictions: [first, second] }: JoinedRow) => first !== target && second === target;
  switch (recipe.name) {
    case 'metric.precision':
      return ({ predictions }) => predictions[0] === label;
    case 'metric.recall':
      return ({ target }) => target === label;
    case 'metric.f1':
      return ({ target, predictions }) => target === label || predictions[0] === label;
    case 'metric.confusion':
      return ({ target, predictions }) => target === wanted && predictions[0] === predicted;
    case 'comparison.first_only':
      return firstOnly;
    case 'comparison.second_only':
      return secondOnly;
    case 'comparison.p_exact':
      return (row) => firstOnly(row) || secondOnly(row);
    default:
      return () => true;
  }
}
