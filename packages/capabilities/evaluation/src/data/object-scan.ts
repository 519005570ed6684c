const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Finds where a JSON object ends by its brackets, without looking at what is between them. An object that is longer than
 * what is there is scanned on from where the last look ended, so that many small chunks cost no more than one.
 */
export class ObjectScan {
  #scanned = 0;
  #depth = 0;
  #inText = false;

  /** Behind the closing bracket of the object that begins at `start`; −1 when it lies behind the end of the bytes. */
  endOf(bytes: Buffer, start: number): number {
    for (let at = start + this.#scanned; at < bytes.length; at += 1) {
      const byte = bytes[at]!;
      if (this.#inText) {
        if (byte === QUOTE) this.#inText = false;
        else if (byte === BACKSLASH) {
          if (at + 1 === bytes.length) return this.#wait(at - start); // the escaped character is not there yet
          at += 1;
        }
      } else if (byte === QUOTE) this.#inText = true;
      else if (byte === 123 || byte === 91) this.#depth += 1;
      else if (byte === 125 || byte === 93) {
        this.#depth -= 1;
        if (this.#depth === 0) {
          this.#scanned = 0;
          return at + 1;
        }
      }
    }
    return this.#wait(bytes.length - start);
  }

  #wait(scanned: number): -1 {
    this.#scanned = scanned;
    return -1;
  }
}
