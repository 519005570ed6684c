const LF = 10;
const CR = 13;

export interface LineSplitterOptions {
  /** A longer line ends the reading with the error of `onTooLong`. */
  readonly maxBytes: number;
  /** The line without its line end; valid only during the call. */
  readonly onLine: (line: Buffer) => void;
  readonly onTooLong: (line: number) => Error;
}

/** Cuts a byte stream into lines that end in LF or CRLF; holds at most one unfinished line. */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  #parts: Buffer[] = [];
  #held = 0;
  /** The line being delivered, from 1. */
  line = 0;

  constructor(options: LineSplitterOptions) {
    this.#options = options;
  }

  write(chunk: Buffer): void {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(LF, from);
      if (end === -1) break;
      this.#deliver(chunk.subarray(from, end));
      from = end + 1;
    }
    if (from === chunk.length) return;
    this.#held += chunk.length - from;
    if (this.#held > this.#options.maxBytes) throw this.#options.onTooLong(this.line + 1);
    this.#parts.push(Buffer.from(chunk.subarray(from)));
  }

  /** Delivers a last line that has no line end. */
  finish(): void {
    if (this.#held > 0) this.#deliver(Buffer.alloc(0));
  }

  #deliver(tail: Buffer): void {
    this.line += 1;
    const whole = this.#held === 0 ? tail : Buffer.concat([...this.#parts, tail]);
    this.#parts = [];
    this.#held = 0;
    if (whole.length > this.#options.maxBytes) throw this.#options.onTooLong(this.line);
    this.#options.onLine(whole.at(-1) === CR ? whole.subarray(0, -1) : whole);
  }
}
