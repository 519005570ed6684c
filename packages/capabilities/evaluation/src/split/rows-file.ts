import * as z from 'zod';
import { AssayError } from '@assay/foundation';
import { readJson, sha256Text } from '@assay/files';
import { recordedOrder } from './hand-out-order.ts';
import { packRows, rowsSha256, unpackRows } from './row-list.ts';
import type { WrittenFile } from './line-writer.ts';
import { splitFactsSchema, type SplitFacts } from './split-facts.ts';

export interface RowsFile {
  readonly datasetSha256: string;
  readonly split: SplitFacts;
  readonly handedOut: Uint32Array;
  readonly trainRows: Uint32Array;
  /** The rows in the order in which they were handed out; absent in files of before rows were shuffled. */
  readonly order?: Uint32Array | undefined;
}

/** The text of `rows.json`: split facts and both row lists, packed. */
export function rowsFileText(file: Omit<RowsFile, 'order'>): string {
  const { datasetSha256, split } = file;
  const rows = { handedOut: packRows(file.handedOut), train: packRows(file.trainRows) };
  return `${JSON.stringify({ v: 1, datasetSha256, split, encoding: 'base64 of LEB128 gaps', ...rows })}\n`;
}

export function describeRowsFile(path: string, text: string): WrittenFile {
  return { path, sha256: sha256Text(text), size: Buffer.byteLength(text) };
}

const content = z.object({
  v: z.literal(1),
  datasetSha256: z.string(),
  split: splitFactsSchema,
  handedOut: z.string(),
  train: z.string(),
});

/** Reads `rows.json` again and checks both lists against their hashes. Throws `record_invalid` when it is damaged. */
export async function readRowsFile(path: string): Promise<RowsFile> {
  const parsed = content.safeParse(await readJsonOr(path));
  if (!parsed.success) throw damaged(path, 'It is not what was written.');
  const { datasetSha256, split } = parsed.data;
  const handedOut = unpackRows(parsed.data.handedOut, split.handedOut);
  const trainRows = unpackRows(parsed.data.train, split.train);
  if (rowsSha256(handedOut) !== split.handedOutSha256 || rowsSha256(trainRows) !== split.trainSha256)
    throw damaged(path, 'Its row lists do not have the hashes that stand beside them.');
  const order = recordedOrder({ handedOut, trainRows, datasetSha256 }, split);
  if (order === 'mismatch') throw damaged(path, 'Its order of rows does not have the hash that stands beside it.');
  return { datasetSha256, split, handedOut, trainRows, order: order?.handedOut };
}

async function readJsonOr(path: string): Promise<unknown> {
  try {
    return await readJson(path);
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged(path, 'It is not JSON.');
    throw error;
  }
}

function damaged(path: string, why: string): AssayError {
  return new AssayError('record_invalid', `${path} is missing or damaged`, {
    why,
    hint: 'Run the task that prepared the data again.',
  });
}
