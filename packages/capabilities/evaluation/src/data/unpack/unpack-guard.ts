import { AssayError } from '@assay/foundation';
import { limits } from '../limits.ts';

/** Stops the unpacking of a file that grows beyond measure; what is plain data shrinks far less. */
export class UnpackGuard {
  readonly #name: string;
  #packed = 0;
  #unpacked = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** Packed bytes that were read so far. */
  read(bytes: number): void {
    this.#packed += bytes;
  }

  /** Throws `dataset_format` when too much came out of what was read. */
  wrote(bytes: number): void {
    this.#unpacked += bytes;
    const allowed = Math.min(limits.unpackedBytes, limits.unpackedFree + this.#packed * limits.unpackedRatio);
    if (this.#unpacked <= allowed) return;
    throw new AssayError('dataset_format', `${this.#name} unpacks to too much`, {
      why: `${this.#packed} packed bytes gave more than ${allowed}; at most ${limits.unpackedRatio} times as much is unpacked.`,
      hint: 'Unpack the file yourself, look at it, and give the unpacked file.',
      details: { packed: this.#packed, unpacked: this.#unpacked },
    });
  }
}
