import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { throwIfAborted } from '@assay/foundation';
import { LineWriter, type WrittenFile } from './line-writer.ts';

/** So many lines are copied before others get the thread. */
const AT_ONCE = 4096;

/**
 * Takes lines in one order and writes them in another without holding them: they wait in a file beside the result, with
 * eight bytes in memory for each.
 */
export class LineShuffler implements Disposable {
  readonly #path: string;
  readonly #waiting: LineWriter;
  readonly #ends: Float64Array;
  #length = 0;
  #bytes = 0;

  /** Neither the file nor `<path>.waiting` may exist. */
  constructor(path: string, lines: number) {
    this.#path = path;
    this.#waiting = new LineWriter(`${path}.waiting`);
    this.#ends = new Float64Array(lines);
  }

  add(line: string): void {
    this.#waiting.line(line);
    this.#bytes += Buffer.byteLength(line) + 1;
    this.#ends[this.#length] = this.#bytes;
    this.#length += 1;
  }

  /** Writes the lines, `order[0]` first, each as what `lineOf` makes of it and its new place. */
  async finish(
    order: Iterable<number>,
    lineOf: (text: string, place: number) => string,
    signal?: AbortSignal,
  ): Promise<WrittenFile> {
    const { path } = this.#waiting.finish();
    using written = new LineWriter(this.#path);
    const fd = openSync(path, 'r');
    try {
      let place = 0;
      for (const at of order) {
        written.line(lineOf(this.#read(fd, at), place));
        place += 1;
        if (place % AT_ONCE !== 0) continue;
        await setImmediate();
        throwIfAborted(signal);
      }
    } finally {
      closeSync(fd);
    }
    return written.finish();
  }

  [Symbol.dispose](): void {
    this.#waiting[Symbol.dispose]();
    rmSync(this.#waiting.path, { force: true });
  }

  #read(fd: number, at: number): string {
    const start = at === 0 ? 0 : this.#ends[at - 1]!;
    const bytes = Buffer.allocUnsafe(this.#ends[at]! - start - 1);
    for (let got = 0; got < bytes.length;) {
      const more = readSync(fd, bytes, got, bytes.length - got, start + got);
      if (more === 0) throw new Error(`${this.#waiting.path} was cut while it was read`);
      got += more;
    }
    return bytes.toString('utf8');
  }
}
