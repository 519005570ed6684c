import { stat } from 'node:fs/promises';
import { errorCode } from '@assay/foundation';
import { readRows } from './read-rows.ts';

/** A place is remembered for every so many rows: a million rows take two thousand numbers. */
const EVERY = 512;
/** An answer ends at this many bytes, however many rows were asked for. */
const MAX_ANSWER_BYTES = 1 << 20;

export interface RowCount {
  readonly rows: number;
  readonly bytes: number;
}

/** Where the rows of a file that may grow begin: any of them is found by reading at most a few hundred others. */
export class RowIndex {
  readonly path: string;
  #marks: number[] = [0];
  #file: number | undefined;
  #rows = 0;
  #end = 0;
  #openBytes = 0;
  #work: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** What the file holds now. Only what was added since the last call is read. */
  count(signal?: AbortSignal): Promise<RowCount> {
    const counted = this.#work.then(() => this.#extend(signal));
    this.#work = counted.catch(() => undefined); // told to who asked; the next one goes on from there
    return counted;
  }

  async #extend(signal: AbortSignal | undefined): Promise<RowCount> {
    await this.#startAgainIfReplaced();
    this.#openBytes = 0;
    for await (const { bytes, ends, offset, closed } of readRows(this.path, this.#end, signal)) {
      if (!closed) {
        this.#openBytes = bytes.length;
        break;
      }
      for (const end of ends) {
        this.#rows += 1;
        if (this.#rows % EVERY === 0) this.#marks.push(offset + end);
      }
      this.#end = offset + bytes.length;
    }
    return { rows: this.#rows + (this.#openBytes > 0 ? 1 : 0), bytes: this.#end + this.#openBytes };
  }

  /** What is known of another file, or of one that was cut, is void: rows would be missing in silence. */
  async #startAgainIfReplaced(): Promise<void> {
    const found = await stat(this.path).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (found === undefined || found.ino !== this.#file || found.size < this.#end) {
      this.#marks = [0];
      this.#rows = 0;
      this.#end = 0;
    }
    this.#file = found?.ino;
  }

  /** Rows from the given one on, without their newline. Fewer than `limit` at the end, or when they are very long. */
  async read(from: number, limit: number, signal?: AbortSignal): Promise<string[]> {
    const mark = Math.min(Math.floor(from / EVERY), this.#marks.length - 1);
    let row = mark * EVERY;
    let bytesLeft = MAX_ANSWER_BYTES;
    const found: string[] = [];
    for await (const { bytes, ends } of readRows(this.path, this.#marks[mark]!, signal)) {
      let start = 0;
      for (const end of ends) {
        if (row >= from) {
          found.push(textOf(bytes.subarray(start, end)));
          bytesLeft -= end - start;
          if (found.length >= limit || bytesLeft <= 0) return found;
        }
        row += 1;
        start = end;
      }
    }
    return found;
  }
}

export function textOf(row: Buffer): string {
  const text = row.toString('utf8');
  return text.endsWith('\n') ? text.slice(0, text.endsWith('\r\n') ? -2 : -1) : text;
}
