import { closeSync, fstatSync, openSync, readFileSync, renameSync, writeFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { checkLines, type CheckedLines } from './checked-lines.ts';
import { DamageFound } from './damage.ts';
import { MAX_LINE_BYTES, NEWLINE } from './line.ts';
import { OffsetIndex, type IndexEntry } from './offset-index.ts';
import type { Segment } from './segment-names.ts';
import { readFully } from './sync-files.ts';

/** Where an event starts: the first seq of its segment and a byte offset in it. */
export interface Position {
  readonly segment: number;
  readonly offset: number;
}

export interface ReadRequest {
  /** The first event that is wanted. */
  readonly seq: number;
  /** About how much is wanted; whole lines are given, at least one. */
  readonly bytes: number;
  /** Where `seq` starts, as the answer before told it. */
  readonly at?: Position | undefined;
}

export interface ReadAnswer extends CheckedLines {
  /** Whole lines with their line ends; the first is event `seq`. Empty at the end of the journal. */
  readonly bytes: Uint8Array;
  readonly file: string;
  /** Of the first byte, for messages. */
  readonly offset: number;
  /** The position behind the last byte. */
  readonly next: Position;
}

const indexSchema = z.object({
  v: z.literal(1),
  entries: z.array(z.object({ seq: z.number().int().positive(), offset: z.number().int().nonnegative() })),
});

/** Finds events in segments. Owns the offset indexes, in memory and as deletable files under `state/`. */
export class SegmentReader {
  readonly #stateDir: string;
  readonly #indexes = new Map<number, OffsetIndex>();

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  setIndex(segment: number, index: OffsetIndex): void {
    this.#indexes.set(segment, index);
  }

  /** Called for events as they are written, in order. */
  note(segment: number, entry: IndexEntry): void {
    this.#indexes.get(segment)?.note(entry.seq, entry.offset);
  }

  /** Reads from one segment; `length` is the number of bytes that are good in it. */
  read(segment: Segment, length: number | undefined, request: ReadRequest): ReadAnswer {
    const fd = openSync(segment.path, 'r');
    try {
      const size = length ?? fstatSync(fd).size;
      const offset = request.at?.offset ?? this.#locate({ fd, size, segment }, request.seq);
      const bytes = readLines({ fd, size, segment }, offset, request.bytes);
      const next = { segment: segment.first, offset: offset + bytes.length };
      return { bytes, file: segment.path, offset, next, ...checkLines(bytes) };
    } finally {
      closeSync(fd);
    }
  }

  /** Written without a sync: an index that does not fit is found out when it is used. */
  save(segment: number): void {
    const index = this.#indexes.get(segment);
    if (index === undefined || !index.complete || index.entries.length < 2) return;
    const file = this.#indexFile(segment);
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.tmp`, `${JSON.stringify({ v: 1, entries: index.entries })}\n`, { mode: 0o600 });
      renameSync(`${file}.tmp`, file);
    } catch {
      // A missing index costs one scan of the segment.
    }
  }

  /** By the index in memory, else by the stored one, else by a scan; a place is used only when its event is there. */
  #locate(open: OpenSegment, seq: number): number {
    const first = open.segment.first;
    // Reading from the beginning needs no index, and making one would read the segment twice.
    if (seq === first && seqAt(open, 0) === first) return 0;
    const candidates = [() => this.#indexes.get(first), () => this.#load(first), () => this.#scan(open)];
    for (const candidate of candidates) {
      const index = candidate();
      const entry = index?.find(seq);
      if (index === undefined || entry === undefined || seqAt(open, entry.offset) !== entry.seq) continue;
      this.#indexes.set(first, index);
      return skipLines(open, entry.offset, seq - entry.seq);
    }
    throw new DamageFound({ file: open.segment.path, offset: 0, reason: `its first line is not event ${first}` });
  }

  #load(segment: number): OffsetIndex | undefined {
    let stored: unknown;
    try {
      stored = JSON.parse(readFileSync(this.#indexFile(segment), 'utf8'));
    } catch {
      return undefined; // missing or damaged: scanned anew
    }
    const checked = indexSchema.safeParse(stored);
    return checked.success ? this.#withNewer(segment, checked.data.entries) : undefined;
  }

  /** What was noted since the entries were stored comes behind them. */
  #withNewer(segment: number, entries: readonly IndexEntry[]): OffsetIndex {
    const through = entries.at(-1)?.seq ?? 0;
    const newer = (this.#indexes.get(segment)?.entries ?? []).filter((entry) => entry.seq > through);
    return new OffsetIndex(true, [...entries, ...newer]);
  }

  /** Counts line ends through the whole segment. */
  #scan(open: OpenSegment): OffsetIndex {
    const index = new OffsetIndex();
    let seq = open.segment.first;
    index.note(seq, 0);
    for (let offset = 0; offset < open.size; offset += CHUNK) {
      const bytes = readFully(open.fd, offset, Math.min(CHUNK, open.size - offset));
      for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
        seq++;
        if (offset + at + 1 < open.size) index.note(seq, offset + at + 1);
      }
    }
    this.#indexes.set(open.segment.first, index);
    this.save(open.segment.first);
    return index;
  }

  #indexFile(segment: number): string {
    return join(this.#stateDir, `index-${segment}.json`);
  }
}

interface OpenSegment {
  readonly fd: number;
  readonly size: number;
  readonly segment: Segment;
}

const CHUNK = 1024 * 1024;

/** The seq of the line at this offset when it is written in our member order, else undefined. */
function seqAt(open: OpenSegment, offset: number): number | undefined {
  const head = readFully(open.fd, offset, Math.min(64, Math.max(0, open.size - offset))).toString('latin1');
  const ours = /^\{"v":\d+,"seq":(\d+),/.exec(head)?.[1];
  if (ours !== undefined) return Number(ours);
  const line = readLines(open, offset, 1).toString('utf8').split('\n', 1)[0]!;
  try {
    return (JSON.parse(line) as { seq?: number } | null)?.seq;
  } catch {
    return undefined;
  }
}

function skipLines(open: OpenSegment, from: number, count: number): number {
  let offset = from;
  for (let left = count; left > 0;) {
    const bytes = readFully(open.fd, offset, Math.min(CHUNK, open.size - offset));
    if (bytes.length === 0)
      throw new DamageFound({ file: open.segment.path, offset, reason: 'it has fewer lines than the next one needs' });
    let at = -1;
    for (; left > 0; left--) {
      const end = bytes.indexOf(NEWLINE, at + 1);
      if (end < 0) break;
      at = end;
    }
    offset += left === 0 ? at + 1 : bytes.length;
    // A line longer than a chunk: the rest of it is skipped with the next chunk.
  }
  return offset;
}

/** Whole lines from `offset`, about `wanted` bytes, at least one line when there is one. */
function readLines(open: OpenSegment, offset: number, wanted: number): Buffer {
  for (let window = Math.max(wanted, 4096); ; window *= 4) {
    const bytes = readFully(open.fd, offset, Math.min(window, open.size - offset));
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) return bytes.subarray(0, end);
    if (bytes.length === 0) return bytes;
    if (offset + bytes.length >= open.size || window > 4 * MAX_LINE_BYTES)
      throw new DamageFound({ file: open.segment.path, offset, reason: 'this line has no end' });
  }
}
