import { closeSync, fdatasyncSync, ftruncateSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@assay/foundation';
import { openJournal, type OpenRequest } from './opened-journal.ts';
import { OffsetIndex } from './offset-index.ts';
import { SegmentReader, type ReadAnswer, type ReadRequest } from './segment-reader.ts';
import { Sealer } from './seal.ts';
import { segmentPath, type Segment } from './segment-names.ts';
import { syncDirectorySync, writeFully } from './sync-files.ts';

/** A write or sync that failed. `poisoned`: what is on disk is not known until the journal is opened again. */
export class WriteFailure extends Error {
  override readonly name = 'WriteFailure';
  readonly poisoned: boolean;

  constructor(cause: unknown, poisoned: boolean) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.poisoned = poisoned;
  }
}

/** One for every journal of the thread: a batch is sealed, written and synced before the next one. */
const sealer = new Sealer();

/** The files of one journal, used by one thread with synchronous calls. */
export class JournalFiles {
  readonly generation: number;
  readonly notes: readonly string[];
  readonly #eventsDir: string;
  readonly #segmentBytes: number;
  readonly #segments: Segment[];
  readonly #reader: SegmentReader;
  #fd: number;
  /** Good bytes of the last segment. */
  #length: number;
  #lastSeq: number;
  #unwritable: unknown;

  /** Throws as `openJournal` does. */
  constructor(request: OpenRequest & { readonly segmentBytes: number }) {
    const opened = openJournal(request);
    this.#eventsDir = join(request.dir, 'events');
    this.#segmentBytes = request.segmentBytes;
    this.#segments = opened.segments;
    this.#reader = new SegmentReader(join(request.dir, 'state'));
    this.#fd = opened.fd;
    this.#length = opened.tail.length;
    this.#lastSeq = opened.tail.lastSeq;
    this.generation = opened.generation;
    this.notes = opened.notes;
    this.#unwritable = opened.unwritable;
    this.#reader.setIndex(this.#last.first, opened.tail.index);
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Why nothing can be written until the journal is opened again; undefined when it can. */
  get unwritable(): unknown {
    return this.#unwritable;
  }

  get #last(): Segment {
    return this.#segments.at(-1)!;
  }

  /** Seals, writes and syncs `count` lines whose seals are open. Throws WriteFailure; nothing of the lines counts then. */
  append(text: string, count: number): void {
    this.appendSealed(sealer.seal(text), count);
  }

  /** Writes and syncs `count` sealed lines. Throws as `append` does. */
  appendSealed(bytes: Buffer, count: number): void {
    if (this.#unwritable !== undefined) throw new WriteFailure(this.#unwritable, true);
    if (this.#length >= this.#segmentBytes) this.#rotate();
    try {
      writeFully(this.#fd, bytes, this.#length);
    } catch (error) {
      throw this.#afterFailedWrite(error);
    }
    try {
      fdatasyncSync(this.#fd);
    } catch (error) {
      throw this.#poison(error);
    }
    this.#reader.note(this.#last.first, { seq: this.#lastSeq + 1, offset: this.#length });
    this.#length += bytes.length;
    this.#lastSeq += count;
  }

  read(request: ReadRequest): ReadAnswer {
    const segment = this.#segments.findLast((candidate) => candidate.first <= request.seq)!;
    const length = segment === this.#last ? this.#length : undefined;
    const at = request.at?.segment === segment.first ? request.at : undefined;
    return this.#reader.read(segment, length, { ...request, at });
  }

  close(): void {
    this.#reader.save(this.#last.first);
    closeSync(this.#fd);
  }

  /** Cuts a part that was written; a full disk leaves the journal usable for when there is space again. */
  #afterFailedWrite(error: unknown): WriteFailure {
    const full = isDiskFull(error);
    try {
      ftruncateSync(this.#fd, this.#length);
    } catch (second) {
      return this.#poison(second);
    }
    return full ? new WriteFailure(error, false) : this.#poison(error);
  }

  #poison(error: unknown): WriteFailure {
    this.#unwritable = error;
    return new WriteFailure(error, true);
  }

  #rotate(): void {
    const next = { first: this.#lastSeq + 1, path: segmentPath(this.#eventsDir, this.#lastSeq + 1) };
    let fd: number | undefined;
    try {
      fd = openSync(next.path, 'wx', 0o600);
      syncDirectorySync(this.#eventsDir);
    } catch (error) {
      if (fd === undefined && isDiskFull(error)) throw new WriteFailure(error, false);
      if (fd !== undefined) closeSync(fd);
      throw this.#poison(error);
    }
    this.#reader.save(this.#last.first);
    closeSync(this.#fd);
    this.#fd = fd;
    this.#length = 0;
    this.#reader.setIndex(next.first, new OffsetIndex());
    this.#segments.push(next);
  }
}

export function isDiskFull(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}
