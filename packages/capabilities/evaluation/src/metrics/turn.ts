import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfAborted } from '@assay/foundation';
import { shuffleFrom, type Prng } from '../prng.ts';

/** Lets other work of the process run between two steps over all rows. Throws when the signal is aborted. */
export async function turn(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn();
  throwIfAborted(signal);
}

/** Rows that are gone over before other work of the process gets a turn. */
const ROWS_PER_TURN = 200_000;

/** Goes over rows in parts, with a turn for other work behind each part but the only one. */
export async function inParts(
  rows: number,
  signal: AbortSignal | undefined,
  work: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < rows; from += ROWS_PER_TURN) {
    const to = Math.min(rows, from + ROWS_PER_TURN);
    work(from, to);
    if (rows > ROWS_PER_TURN) await turn(signal);
  }
}

/** The same order as `shuffle` gives, with turns for other work on the way. */
export async function shuffleInParts(values: Uint32Array, prng: Prng, signal: AbortSignal | undefined): Promise<void> {
  const last = values.length - 1;
  await inParts(values.length, signal, (from, to) =>
    shuffleFrom(values, prng, { last: last - from, end: Math.max(0, last - to) }),
  );
}
