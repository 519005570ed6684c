import { LineDamage, DamageFound } from './damage.ts';
import { decodeLine, MAX_LINE_BYTES, NEWLINE } from './line.ts';
import { OffsetIndex } from './offset-index.ts';
import { readFully } from './sync-files.ts';

/** What is known of a segment after its lines were checked. */
export interface CheckedSegment {
  /** The last event; `first - 1` when the segment is empty. */
  readonly lastSeq: number;
  /** Bytes up to and with the last line end. */
  readonly length: number;
  /** Bytes behind the last line end: a write that did not finish. */
  readonly torn: number;
  readonly index: OffsetIndex;
}

export interface SegmentSource {
  readonly fd: number;
  readonly file: string;
  readonly size: number;
  readonly first: number;
  readonly quest: string;
}

const WINDOW = 1024 * 1024;
const TAIL = 256 * 1024;

/** Checks every line. Events behind `throughSeq` are counted as torn. Throws DamageFound or `record_newer`. */
export function checkSegment(source: SegmentSource, throughSeq = Number.MAX_SAFE_INTEGER): CheckedSegment {
  const index = new OffsetIndex();
  let seq = source.first;
  let offset = 0;
  let window = WINDOW;
  while (offset < source.size) {
    const bytes = readFully(source.fd, offset, Math.min(window, source.size - offset));
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      if (offset + bytes.length >= source.size) break;
      window = widerWindow(source, offset, window);
      continue;
    }
    for (let at = 0; at < end;) {
      if (seq > throughSeq) return { lastSeq: throughSeq, length: offset + at, torn: source.size - offset - at, index };
      index.note(seq, offset + at);
      at = checkLine(source, bytes, { at, offset, seq });
      seq++;
    }
    offset += end;
  }
  return { lastSeq: seq - 1, length: offset, torn: checkTorn(source, offset), index };
}

/** Checks the last lines only (256 KiB, or the last line when it is longer). Throws as `checkSegment` does. */
export function checkTail(source: SegmentSource): CheckedSegment {
  for (let window = TAIL; ; window *= 2) {
    const begin = Math.max(0, source.size - window);
    const bytes = readFully(source.fd, begin, source.size - begin);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    const start = begin === 0 ? 0 : bytes.indexOf(NEWLINE) + 1;
    if (begin === 0 || (start > 0 && start < end)) return checkWindow(source, bytes, { begin, start, end });
    widerWindow(source, begin, window);
  }
}

function checkWindow(
  source: SegmentSource,
  bytes: Buffer,
  window: { readonly begin: number; readonly start: number; readonly end: number },
): CheckedSegment {
  const index = new OffsetIndex(window.begin === 0);
  let seq = window.begin === 0 ? source.first : undefined;
  for (let at = window.start; at < window.end;) {
    seq ??= seqOf(source, bytes, { at, offset: window.begin });
    index.note(seq, window.begin + at);
    at = checkLine(source, bytes, { at, offset: window.begin, seq });
    seq++;
  }
  const length = window.begin + window.end;
  return { lastSeq: (seq ?? source.first) - 1, length, torn: checkTorn(source, length), index };
}

interface Place {
  /** Of the line in the bytes. */
  readonly at: number;
  /** Of the bytes in the file. */
  readonly offset: number;
}

function seqOf(source: SegmentSource, bytes: Buffer, place: Place): number {
  return decodeAt(source, bytes, { ...place, seq: undefined }).seq;
}

/** The start of the next line. */
function checkLine(source: SegmentSource, bytes: Buffer, place: Place & { readonly seq: number }): number {
  decodeAt(source, bytes, place);
  return bytes.indexOf(NEWLINE, place.at) + 1;
}

function decodeAt(source: SegmentSource, bytes: Buffer, place: Place & { readonly seq: number | undefined }) {
  try {
    return decodeLine(bytes, place.at, bytes.indexOf(NEWLINE, place.at), { quest: source.quest, seq: place.seq });
  } catch (error) {
    if (!(error instanceof LineDamage)) throw error;
    throw new DamageFound({ file: source.file, offset: place.offset + place.at, reason: error.message });
  }
}

/** A write that was cut short leaves the beginning of what was written; NUL bytes come from a damaged disk. */
function checkTorn(source: SegmentSource, from: number): number {
  const torn = source.size - from;
  if (torn > 0 && torn <= MAX_LINE_BYTES) {
    const nul = readFully(source.fd, from, torn).indexOf(0);
    if (nul >= 0) throw new DamageFound({ file: source.file, offset: from + nul, reason: 'NUL bytes at the end' });
  }
  return torn;
}

function widerWindow(source: SegmentSource, offset: number, window: number): number {
  if (window >= 2 * MAX_LINE_BYTES)
    throw new DamageFound({ file: source.file, offset, reason: `no line end within ${window} bytes` });
  return window * 2;
}
