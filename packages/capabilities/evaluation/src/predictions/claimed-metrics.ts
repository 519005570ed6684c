import { AssayError } from '@assay/foundation';
import { JsonNumber, type StrictJson } from '../data/strict-json.ts';
import { readOutputObject, type ReadOutputOptions } from './read-output-json.ts';
import { outputLimits } from './read-predictions.ts';

/** What an adapter believes of itself: metric names and values, as they are written. */
export type ClaimedMetrics = ReadonlyMap<string, number | string>;

export interface ClaimCheck {
  /** Claims that agree with what was recomputed. */
  readonly confirmed: readonly string[];
  /** Claims about things that are not recomputed here; they count for nothing. */
  readonly ignored: readonly string[];
}

/** Reads `metrics.json`: an object of numbers, also one level deeper under `metrics`. Throws `output_*`. */
export async function readClaimedMetrics(file: string, options: ReadOutputOptions = {}): Promise<ClaimedMetrics> {
  const object = await readOutputObject(file, outputLimits.metrics, options);
  const claims = new Map<string, number | string>();
  const inner = object.get('metrics');
  const members = inner instanceof Map ? [...object, ...(inner as ReadonlyMap<string, StrictJson>)] : [...object];
  for (const [name, value] of members) {
    if (value instanceof JsonNumber) claims.set(name, Number(value.text));
    else if (typeof value === 'string') claims.set(name, value);
  }
  return claims;
}

/**
 * Compares claims with recomputed values. A claim about a recomputed metric must be a number within
 * max(1e-6, 1e-4 · |value|) of it; else the whole run is void: `metrics_forged`, with every difference.
 */
export function checkClaimedMetrics(
  claims: ClaimedMetrics | Readonly<Record<string, unknown>>,
  recomputed: Readonly<Record<string, number>>,
): ClaimCheck {
  const values = new Map(Object.entries(recomputed));
  const entries = claims instanceof Map ? [...(claims as ClaimedMetrics)] : Object.entries(claims);
  const confirmed: string[] = [];
  const ignored: string[] = [];
  const wrong: { metric: string; claimed: unknown; recomputed: number; difference: number | null }[] = [];
  for (const [metric, claimed] of entries) {
    const value = values.get(metric);
    if (value === undefined) ignored.push(metric);
    else if (agrees(claimed, value)) confirmed.push(metric);
    else
      wrong.push({
        metric,
        claimed,
        recomputed: value,
        difference: typeof claimed === 'number' ? claimed - value : null,
      });
  }
  if (wrong.length === 0) return { confirmed, ignored };
  const first = wrong[0]!;
  const by = first.difference === null ? 'which is not a number' : `which is off by ${first.difference}`;
  throw new AssayError('metrics_forged', `metrics.json claims ${first.metric} = ${String(first.claimed)}, ${by}`, {
    why: `Recomputed from the predictions and the original labels it is ${first.recomputed}${wrong.length > 1 ? `; ${wrong.length} metrics differ` : ''}.`,
    hint: 'The run is void. Fix or remove what the adapter writes into metrics.json.',
    details: { differences: wrong.slice(0, 100) },
  });
}

function agrees(claimed: unknown, value: number): boolean {
  if (typeof claimed !== 'number' || !Number.isFinite(claimed)) return false;
  return Math.abs(claimed - value) <= Math.max(1e-6, 1e-4 * Math.abs(value));
}
