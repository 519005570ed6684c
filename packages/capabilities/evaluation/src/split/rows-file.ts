import { readFile } from 'node:fs/promises';
import { AssayError } from '@assay/foundation';
import { sha256Text } from '@assay/files';
import { packRows, rowsSha256, unpackRows } from './row-list.ts';
import type { WrittenFile } from './line-writer.ts';
import type { SplitFacts } from './split-facts.ts';

export interface RowsFile {
  readonly datasetSha256: string;
  readonly split: SplitFacts;
  readonly handedOut: Uint32Array;
  readonly trainRows: Uint32Array;
}

/** The text of `rows.json`: split facts and both row lists, packed. */
export function rowsFileText(file: RowsFile): string {
  const { datasetSha256, split } = file;
  const rows = { handedOut: packRows(file.handedOut), train: packRows(file.trainRows) };
  return `${JSON.stringify({ v: 1, datasetSha256, split, encoding: 'base64 of LEB128 gaps', ...rows })}\n`;
}

export function describeRowsFile(path: string, text: string): WrittenFile {
  return { path, sha256: sha256Text(text), size: Buffer.byteLength(text) };
}

/** Reads `rows.json` again and checks both lists against their hashes. Throws `record_invalid` when it is damaged. */
export async function readRowsFile(path: string): Promise<RowsFile> {
  const content = JSON.parse(await readFile(path, 'utf8')) as {
    v: number;
    datasetSha256: string;
    split: SplitFacts;
    handedOut: string;
    train: string;
  };
  if (content.v !== 1)
    throw new AssayError('record_newer', `${path} was written by another version`, {
      why: `It says version ${String(content.v)}; this one reads version 1.`,
      hint: 'Run the task that prepared the data again.',
    });
  const { datasetSha256, split } = content;
  const handedOut = unpackRows(content.handedOut, split.handedOut);
  const trainRows = unpackRows(content.train, split.train);
  if (rowsSha256(handedOut) !== split.handedOutSha256 || rowsSha256(trainRows) !== split.trainSha256)
    throw new AssayError('record_invalid', `${path} is damaged`, {
      why: 'Its row lists do not have the hashes that stand beside them.',
      hint: 'Run the task that prepared the data again.',
    });
  return { datasetSha256, split, handedOut, trainRows };
}
