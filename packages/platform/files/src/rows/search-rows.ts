import { isAscii } from 'node:buffer';
import { stripVTControlCharacters } from 'node:util';
import { readRows, type RowChunk } from './read-rows.ts';

export interface RowHits {
  /** Rows in which the text stands. */
  readonly total: number;
  /** The first of them, at most `MAX_HITS`. */
  readonly rows: readonly number[];
  readonly searchedRows: number;
  /** False when the time was over before the end of the file. */
  readonly complete: boolean;
}

const MAX_HITS = 10_000;
const ESCAPE = 27;

/**
 * The rows of a file in which a text stands. A text without capitals is found in any case (of the letters A to Z); escape
 * sequences of terminals are not looked into. Rejects with the signal's reason; ends early after `limitMs`.
 */
export async function searchRows(
  path: string,
  text: string,
  options: { readonly limitMs: number; readonly signal?: AbortSignal },
): Promise<RowHits> {
  const until = performance.now() + options.limitMs;
  const anyCase = text === text.toLowerCase();
  const needle = Buffer.from(text).toString('latin1');
  const rows: number[] = [];
  let total = 0;
  let searched = 0;
  for await (const chunk of readRows(path, 0, options.signal)) {
    for (const row of hitsIn(chunk, needle, anyCase)) {
      total += 1;
      if (rows.length < MAX_HITS) rows.push(searched + row);
    }
    searched += chunk.ends.length;
    if (performance.now() > until) return { total, rows, searchedRows: searched, complete: false };
  }
  return { total, rows, searchedRows: searched, complete: true };
}

/** Bytes are compared as single characters, which is exact for UTF-8 and needs no decoding. */
function hitsIn({ bytes, ends }: RowChunk, needle: string, anyCase: boolean): number[] {
  const text = lettersOf(bytes, anyCase);
  if (bytes.includes(ESCAPE)) return rowsWithEscapes(text, ends, needle);
  const hits: number[] = [];
  let row = 0;
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, ends[row])) {
    while (ends[row]! <= at) row += 1;
    hits.push(row);
  }
  return hits;
}

function rowsWithEscapes(text: string, ends: readonly number[], needle: string): number[] {
  const hits: number[] = [];
  ends.forEach((end, row) => {
    const own = text.slice(row === 0 ? 0 : ends[row - 1], end);
    if (stripVTControlCharacters(own).includes(needle)) hits.push(row);
  });
  return hits;
}

/** Only A to Z are made small: what else looks like a letter here is a part of a longer character. */
function lettersOf(bytes: Buffer, anyCase: boolean): string {
  const text = bytes.toString('latin1');
  if (!anyCase) return text;
  return isAscii(bytes) ? text.toLowerCase() : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
