import { extname } from 'node:path';
import { AssayError } from '@assay/foundation';
import type { DatasetFormat } from '@assay/contracts';
import { CsvMachine } from './csv-machine.ts';
import { bomLength } from './encoding.ts';
import { rowKeys } from './json-reader.ts';

export interface TableShape {
  readonly format: DatasetFormat;
  /** Of CSV and TSV. */
  readonly delimiter?: string;
}

const formats = new Map<string, DatasetFormat>([
  ['.csv', 'csv'],
  ['.tsv', 'tsv'],
  ['.tab', 'tsv'],
  ['.json', 'json'],
  ['.jsonl', 'jsonl'],
  ['.ndjson', 'jsonl'],
]);

const delimiters = [',', ';', '\t', '|'] as const;

/**
 * The format by the file's ending, or for another ending by its first character; the delimiter by its first rows. A file
 * called .json that has one object per line is read as JSONL.
 */
export function sniffTable(name: string, head: Buffer): TableShape {
  const content = head.subarray(bomLength(head));
  const named = formats.get(extname(name).toLowerCase());
  const format = named === undefined || named === 'json' ? byContent(content, named ?? 'csv') : named;
  if (format === 'json' || format === 'jsonl') return { format };
  return { format, delimiter: format === 'tsv' ? '\t' : sniffDelimiter(content) };
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

/**
 * The delimiter that cuts the first rows into the same number of cells, the more cells the better; comma when none
 * gives two columns. Only complete rows of the sample are looked at.
 */
function sniffDelimiter(head: Buffer): string {
  let best: { readonly delimiter: string; readonly agree: number; readonly cells: number } | undefined;
  for (const delimiter of delimiters) {
    const counts = cellCounts(head, delimiter);
    const cells = counts[0] ?? 1;
    if (cells < 2) continue;
    const agree = counts.filter((count) => count === cells).length / counts.length;
    if (best === undefined || agree > best.agree || (agree === best.agree && cells > best.cells))
      best = { delimiter, agree, cells };
  }
  return best?.delimiter ?? ',';
}

function cellCounts(head: Buffer, delimiter: string): readonly number[] {
  const counts: number[] = [];
  const machine = new CsvMachine(delimiter.charCodeAt(0), (row) => counts.push(row.count));
  try {
    machine.feed(head);
    if (counts.length === 0) machine.finish();
  } catch (error) {
    if (!(error instanceof AssayError)) throw error; // a wrong delimiter may make the sample malformed
  }
  return counts;
}
