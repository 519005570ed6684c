import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { AssayError, errorCode, throwIfAborted } from '@assay/foundation';
import { limits } from './limits.ts';

/**
 * A data file that is read once from front to end while its bytes are hashed. The next chunk is read while one is
 * worked on. Not for files that an adapter wrote: those are opened by `openOutput`.
 */
export class DataFile implements AsyncDisposable {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly #handle: FileHandle;
  readonly #hash: Hash = createHash('sha256');
  #spare: Buffer | undefined;
  #ahead: { readonly buffer: Buffer; readonly bytes: Promise<number> } | undefined;
  #at = 0;

  private constructor(path: string, handle: FileHandle, facts: { readonly size: number; readonly mtimeMs: number }) {
    this.path = path;
    this.name = basename(path);
    this.#handle = handle;
    this.size = facts.size;
    this.mtimeMs = facts.mtimeMs;
  }

  /** Opens a regular file (links are resolved). Throws `dataset_missing` or `dataset_format`. */
  static async open(given: string): Promise<DataFile> {
    try {
      const path = await realpath(given);
      // Asked before opening: opening a FIFO or a device can block or have effects.
      if (!(await stat(path)).isFile()) throw notRegular(given);
      const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      const facts = await handle.stat();
      if (facts.isFile()) return new DataFile(path, handle, facts);
      await handle.close();
      throw notRegular(given);
    } catch (error) {
      if (error instanceof AssayError) throw error;
      throw new AssayError('dataset_missing', `cannot open the data file ${given}`, {
        why: whyNotOpened(errorCode(error)),
        hint: 'Give the path of a CSV, TSV, JSON or JSONL file that this user may read.',
        details: { path: given },
        cause: error,
      });
    }
  }

  /** For readers that jump; it is closed with this file. */
  get fd(): number {
    return this.#handle.fd;
  }

  /** Up to `bytes` bytes from the front, not counted as read. */
  async head(bytes: number): Promise<Buffer> {
    const buffer = Buffer.alloc(Math.min(bytes, this.size));
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await this.#handle.read(buffer, filled, buffer.length - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  }

  /** The next bytes, which stay as they are until the call after this one; none at the end. */
  async next(signal: AbortSignal | undefined): Promise<Buffer> {
    throwIfAborted(signal);
    const { buffer, bytes } = this.#ahead ?? this.#start(Buffer.allocUnsafeSlow(this.#chunkBytes()));
    this.#ahead = undefined;
    const bytesRead = await bytes;
    throwIfAborted(signal);
    this.#at += bytesRead;
    const chunk = buffer.subarray(0, bytesRead);
    if (bytesRead > 0) {
      this.#ahead = this.#start(this.#spare ?? Buffer.allocUnsafeSlow(this.#chunkBytes()));
      this.#spare = buffer;
    }
    this.#hash.update(chunk);
    return chunk;
  }

  /** Small files get small buffers; one byte more than the file has shows that it grew. */
  #chunkBytes(): number {
    return Math.min(limits.chunkBytes, this.size + 1);
  }

  #start(buffer: Buffer): { readonly buffer: Buffer; readonly bytes: Promise<number> } {
    const bytes = this.#handle.read(buffer, 0, buffer.length, this.#at).then(({ bytesRead }) => bytesRead);
    // A pass that is given up never asks for this chunk: its failure must not end the program.
    bytes.catch(() => undefined);
    return { buffer, bytes };
  }

  /** Ends the pass: the hash of all bytes. Throws `dataset_changed` when the file was written to meanwhile. */
  async finish(): Promise<string> {
    const now = await this.#handle.stat();
    if (this.#at !== this.size || now.size !== this.size || now.mtimeMs !== this.mtimeMs)
      throw new AssayError('dataset_changed', `${this.name} changed while it was read`, {
        why: 'Its size or modification time is not what it was at the start.',
        hint: 'Wait until whatever writes the file is done, then try again.',
        details: { path: this.path },
      });
    return this.#hash.digest('hex');
  }

  /** Waits for a read that is under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

function notRegular(path: string): AssayError {
  return new AssayError('dataset_format', `${path} is not a regular file`, {
    why: 'Folders, pipes and devices are not read as data.',
    hint: 'Give the path of a CSV, TSV, JSON or JSONL file.',
    details: { path },
  });
}

function whyNotOpened(code: string | undefined): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'There is no such file.';
  if (code === 'EACCES' || code === 'EPERM') return 'This user may not read it.';
  return `The system says ${code ?? 'nothing more'}.`;
}
