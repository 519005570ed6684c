import { extname } from 'node:path';
import { AssayError } from '@assay/foundation';
import type { DatasetFormat } from '@assay/contracts';
import { CsvMachine } from './csv-machine.ts';
import { bomLength } from './encoding.ts';

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

/** The format by the file's ending, or for another ending by its first character; the delimiter by its first rows. */
export function sniffTable(name: string, head: Buffer): TableShape {
  const format = formats.get(extname(name).toLowerCase()) ?? byContent(head.subarray(bomLength(head)));
  if (format === 'json' || format === 'jsonl') return { format };
  return { format, delimiter: format === 'tsv' ? '\t' : sniffDelimiter(head.subarray(bomLength(head))) };
}

function byContent(head: Buffer): DatasetFormat {
  const text = head.toString('utf8').trimStart();
  if (text.startsWith('[')) return 'json';
  if (!text.startsWith('{')) return 'csv';
  const firstLine = text.slice(0, text.indexOf('\n') === -1 ? undefined : text.indexOf('\n'));
  try {
    JSON.parse(firstLine);
    return 'jsonl';
  } catch {
    return 'json';
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
