/** Cuts a byte stream into lines of UTF-8 text. Throws when a line passes `maxBytes`. */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, end));
      lines.push(Buffer.concat(this.#parts).toString('utf8'));
      this.#parts = [];
      this.#size = 0;
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    return lines;
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) throw new Error(`a line is longer than ${this.#maxBytes} bytes`);
    if (part.length > 0) this.#parts.push(part);
  }
}
