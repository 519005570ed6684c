import type { CsvOptions } from '../csv-machine.ts';
import { headRows } from './head-rows.ts';

const delimiters = [',', ';', '\t', '|', ' '] as const;

export interface DelimiterGuess {
  readonly delimiter: string;
  readonly confidence: number;
  readonly evidence: readonly string[];
  /** Others that cut every row of the sample into the same number of cells. */
  readonly rivals: readonly string[];
}

interface Cut {
  readonly delimiter: string;
  readonly rows: number;
  readonly cells: number;
  /** Share of the rows with as many cells as the first. */
  readonly agree: number;
}

/**
 * The delimiter that cuts the first rows into the same number of cells, the more cells the better; comma when none
 * gives two columns. Blanks are looked at only when nothing else fits.
 */
export function sniffDelimiter(head: Buffer, options: CsvOptions): DelimiterGuess {
  const cuts = delimiters.map((delimiter) => cutBy(head, delimiter, options)).filter(({ cells }) => cells >= 2);
  const marks = cuts.filter(({ delimiter }) => delimiter !== ' ');
  const best =
    [...marks].sort((a, b) => b.agree - a.agree || b.cells - a.cells)[0] ?? cuts.find(({ agree }) => agree === 1);
  if (best === undefined)
    return { delimiter: ',', confidence: 1, evidence: ['there is one column, so nothing separates cells'], rivals: [] };
  const rivals = marks.filter((cut) => cut !== best && cut.agree === 1 && best.agree === 1 && cut.rows >= 3);
  const evidence = [
    `${quoted(best.delimiter)} cuts ${Math.round(best.agree * best.rows)} of the first ${best.rows} rows into ${best.cells} cells`,
    ...rivals.map((cut) => `${quoted(cut.delimiter)} cuts all of them into ${cut.cells} cells`),
  ];
  // One row that is a comma short happens; a delimiter that fits few rows does not.
  const confidence = rivals.length > 0 ? 0.6 : best.agree >= 0.8 || best.delimiter === ',' ? 0.95 : 0.6;
  return { delimiter: best.delimiter, confidence, evidence, rivals: rivals.map(({ delimiter }) => delimiter) };
}

function cutBy(head: Buffer, delimiter: string, options: CsvOptions): Cut {
  const counts = headRows(head, delimiter, options).map((row) => row.length);
  const cells = counts[0] ?? 1;
  const agree = counts.length === 0 ? 0 : counts.filter((count) => count === cells).length / counts.length;
  return { delimiter, rows: counts.length, cells, agree };
}

export function quoted(delimiter: string): string {
  return delimiter === '\t' ? 'a tab' : delimiter === ' ' ? 'a blank' : `"${delimiter}"`;
}
