import { dirname, extname } from 'node:path/posix';
import { ROWS_THAT_PROVE } from './search-text.ts';

export const SPREAD_ROWS = 'rows of the data stand one by one in files of this folder, each with its target';

/** A file is a row, and not a text in which one stands by chance, when so much of it is the row. */
const MOSTLY = 0.2;

/** Counts rows over many small files: a copy may give each row a file of its own. */
export class SpreadRows {
  readonly #rowsIn = new Map<string, Set<number>>();

  /** Takes what one file that proves nothing alone holds. */
  add(file: string, { rows, of }: { readonly rows: readonly number[]; readonly of: number }): void {
    if (rows.length === 0 || of < MOSTLY) return;
    const place = placeOf(file);
    const known = this.#rowsIn.get(place) ?? new Set();
    for (const row of rows) known.add(row);
    this.#rowsIn.set(place, known);
  }

  /**
   * The files that hold rows, out of all: of a folder in which sampled rows were found, every file of the same kind, since
   * the other rows were not looked for. Rows of several folders count together.
   */
  files(all: readonly string[]): string[] {
    const rows = new Set([...this.#rowsIn.values()].flatMap((found) => [...found]));
    if (rows.size < ROWS_THAT_PROVE) return [];
    return all.filter((file) => this.#rowsIn.has(placeOf(file)));
  }
}

/** Folder and kind; below the second folder all count as one, as with a folder for each row. */
function placeOf(file: string): string {
  return `${dirname(file).split('/').slice(0, 2).join('/')} ${extname(file)}`;
}
