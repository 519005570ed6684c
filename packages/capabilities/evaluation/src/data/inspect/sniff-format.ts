import { extname } from 'node:path';
import type { DatasetFormat } from '@assay/contracts';
import { rowKeys } from '../json-reader.ts';

const formats = new Map<string, DatasetFormat>([
  ['.csv', 'csv'],
  ['.tsv', 'tsv'],
  ['.tab', 'tsv'],
  ['.json', 'json'],
  ['.jsonl', 'jsonl'],
  ['.ndjson', 'jsonl'],
]);

/**
 * The format by the file's ending, or for another ending by its first character. A file called .json that has one
 * object per line is read as JSONL. `head` is UTF-8 without a byte order mark.
 */
export function sniffFormat(name: string, head: Buffer): DatasetFormat {
  const named = formats.get(extname(name).toLowerCase());
  return named === undefined || named === 'json' ? byContent(head, named ?? 'csv') : named;
}

function byContent(head: Buffer, otherwise: DatasetFormat): DatasetFormat {
  const text = head.toString('utf8').trimStart();
  if (text.startsWith('[')) return 'json';
  if (!text.startsWith('{')) return otherwise;
  const lineEnd = text.indexOf('\n');
  const first = parsed(lineEnd === -1 ? text : text.slice(0, lineEnd));
  if (first === undefined) return 'json';
  if (lineEnd !== -1 && text.slice(lineEnd).trim() !== '') return 'jsonl';
  return otherwise === 'json' || rowKeys.some((key) => Array.isArray(first[key])) ? 'json' : 'jsonl';
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
