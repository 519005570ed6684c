import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

export interface WrittenFile {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

const FLUSH_CHARACTERS = 256 * 1024;

/**
 * Writes lines to a new file while hashing them. Writes are synchronous, in blocks, because rows arrive in callbacks;
 * at most one block is held.
 */
export class LineWriter implements Disposable {
  readonly path: string;
  readonly #hash = createHash('sha256');
  #fd: number | undefined;
  #held: string[] = [];
  #heldCharacters = 0;
  #size = 0;

  /** The file must not exist yet. */
  constructor(path: string) {
    this.path = path;
    this.#fd = openSync(path, 'wx', 0o644);
  }

  line(text: string): void {
    this.#held.push(text, '\n');
    this.#heldCharacters += text.length + 1;
    if (this.#heldCharacters >= FLUSH_CHARACTERS) this.#flush();
  }

  /** Syncs and closes the file. */
  finish(): WrittenFile {
    this.#flush();
    fsyncSync(this.#fd!);
    this[Symbol.dispose]();
    return { path: this.path, sha256: this.#hash.digest('hex'), size: this.#size };
  }

  [Symbol.dispose](): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #flush(): void {
    const block = Buffer.from(this.#held.join(''));
    this.#held = [];
    this.#heldCharacters = 0;
    this.#hash.update(block);
    this.#size += block.length;
    for (let at = 0; at < block.length;) at += writeSync(this.#fd!, block, at);
  }
}
