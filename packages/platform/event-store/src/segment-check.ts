import type { AssayEvent } from '@assay/contracts';
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

export interface PlacedEvent {
  readonly event: AssayEvent;
  /** Of the line in the file. */
  readonly start: number;
  /** Behind its line end. */
  readonly end: number;
}

/** Every event of the whole lines of a segment, checked, with bounded memory. Throws DamageFound or `record_newer`. */
export function* segmentEvents(source: SegmentSource): Generator<PlacedEvent> {
  let seq = source.first;
  let offset = 0;
  for (let window = WINDOW; offset < source.size;) {
    const bytes = readFully(source.fd, offset, Math.min(window, source.size - offset));
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end === 0 && offset + bytes.length >= source.size) return;
    if (end === 0) window = widerWindow(source, offset, window);
    for (let at = 0; at < end; seq++) {
      const next = bytes.indexOf(NEWLINE, at) + 1;
      yield { event: decodeAt(source, bytes, { at, offset, seq }), start: offset + at, end: offset + next };
      at = next;
    }
    offset += end;
  }
}

/** Checks every line. Events behind `throughSeq` are counted as torn. Throws as `segmentEvents` does. */
export function checkSegment(source: SegmentSource, throughSeq = Number.MAX_SAFE_INTEGER): CheckedSegment {
  const index = new OffsetIndex();
  let lastSeq = source.first - 1;
  let length = 0;
  for (const { event, start, end } of segmentEvents(source)) {
    if (event.seq > throughSeq) return { lastSeq, length, torn: source.size - length, index };
    index.note(event.seq, start);
    lastSeq = event.seq;
    length = end;
  }
  return { lastSeq, length, torn: checkTorn(source, length), index };
}

/** Checks the last lines only (`tail` bytes, or the last line when it is longer). Throws as `checkSegment` does. */
export function checkTail(source: SegmentSource, tail = TAIL): CheckedSegment {
  for (let window = tail; ; window *= 2) {
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

function decodeAt(
  source: SegmentSource,
  bytes: Buffer,
  place: Place & { readonly seq: number | undefined },
): AssayEvent {
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
