import { createHash } from 'node:crypto';
import { Prng, shuffle } from '../prng.ts';
import { rowsSha256 } from './row-list.ts';
import type { SplitFacts } from './split-facts.ts';

/** Rows of the file in the order in which an adapter gets them. */
export interface HandOutOrder {
  readonly handedOut: Uint32Array;
  readonly train: Uint32Array;
}

export interface OrderRequest {
  /** Ascending rows of both sides. */
  readonly handedOut: Uint32Array;
  readonly trainRows: Uint32Array;
  readonly method: SplitFacts['method'];
  readonly seed: number;
  readonly datasetSha256: string;
}

/**
 * The order in which rows are handed out: shuffled, so that neither a line's place nor its number tells where the row
 * stands in the file. The generator starts from a hash of the seed and of the data: an adapter knows the seed, but not the
 * hash of a file that it never sees. Training rows of a split by time stay in the order of the file, because a model may
 * learn from what follows what; as the rows that it predicts are shuffled, that tells nothing about them.
 */
export function handOutOrder(request: OrderRequest): HandOutOrder {
  const { handedOut, trainRows, method } = request;
  return {
    handedOut: shuffled(handedOut, 'handed out', request),
    train: method === 'time' ? trainRows : shuffled(trainRows, 'train', request),
  };
}

/** What is registered of an order. */
export function orderFacts({ handedOut, train }: HandOutOrder): NonNullable<SplitFacts['order']> {
  return {
    from: 'SHA-256 of seed and data',
    handedOutSha256: rowsSha256(handedOut),
    trainSha256: rowsSha256(train),
  };
}

/**
 * The order of a recorded split again: undefined for those of before rows were shuffled, and `mismatch` when it is not
 * the one that was recorded.
 */
export function recordedOrder(
  rows: Pick<OrderRequest, 'handedOut' | 'trainRows' | 'datasetSha256'>,
  split: SplitFacts,
): HandOutOrder | 'mismatch' | undefined {
  if (split.order === undefined) return undefined;
  const order = handOutOrder({ ...rows, method: split.method, seed: split.seed });
  const { handedOutSha256, trainSha256 } = orderFacts(order);
  const same = handedOutSha256 === split.order.handedOutSha256 && trainSha256 === split.order.trainSha256;
  return same ? order : 'mismatch';
}

function shuffled(rows: Uint32Array, side: string, { seed, datasetSha256 }: OrderRequest): Uint32Array {
  const hash = createHash('sha256').update(`order of rows\n${side}\n${seed}\n${datasetSha256}\n`).digest();
  const word = (at: number) => hash.readUInt32LE(4 * at);
  const order = rows.slice();
  shuffle(order, Prng.fromState([word(0), word(1), word(2), word(3)]));
  return order;
}
