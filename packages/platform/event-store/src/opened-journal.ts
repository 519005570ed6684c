import { closeSync, existsSync, fdatasyncSync, fstatSync, ftruncateSync, mkdirSync, openSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errorCode, isoTime } from '@assay/foundation';
import { DamageFound } from './damage.ts';
import { readGeneration, writeGeneration, type GenerationRecord } from './generation-file.ts';
import { checkSegment, checkTail, type CheckedSegment } from './segment-check.ts';
import { listSegments, segmentPath, type Segment } from './segment-names.ts';
import { syncDirectorySync } from './sync-files.ts';

export interface OpenRequest {
  /** Holds `events/` and `state/`. */
  readonly dir: string;
  readonly quest: string;
  readonly create: boolean;
  /** Milliseconds since the epoch, for the record of a cut. */
  readonly now: number;
  /**
   * What was acknowledged when the journal is opened again after a failure: the last segment is then read whole, what
   * stands behind that event was answered as failed and is cut, and less than that is damage.
   */
  readonly throughSeq?: number;
}

/** A journal whose files were found good, ready to be appended to. */
export interface OpenedJournal {
  readonly segments: Segment[];
  readonly fd: number;
  readonly tail: CheckedSegment;
  readonly generation: number;
  readonly notes: string[];
  /** Why it can only be read: a read-only file system, or no space to record the cut of a torn line. */
  readonly unwritable: unknown;
}

/**
 * Opens the last segment for writing: makes a new journal, or checks the order of the segments and the tail of the
 * last one and cuts a torn last line. Throws DamageFound, `record_newer`, or the file system's error.
 */
export function openJournal(request: OpenRequest): OpenedJournal {
  const eventsDir = join(request.dir, 'events');
  prepareFolder(request, eventsDir);
  const notes: string[] = [];
  const record = readGeneration(eventsDir);
  const segments = listSegments(eventsDir);
  if (record === undefined) notes.push(...beginGeneration(eventsDir, segments));
  else if (segments.length === 0)
    throw new DamageFound({ file: segmentPath(eventsDir, 1), offset: 0, reason: 'this segment is missing' });
  checkOrder(segments, request.quest, eventsDir);
  if (segments.length === 0) segments.push({ first: 1, path: segmentPath(eventsDir, 1) });
  const last = segments.at(-1)!;
  const { fd, refused } = openForWriting(last.path);
  try {
    const tail = checkLast(fd, last, request);
    const current = record ?? { v: 1, generation: 1, cuts: [] };
    const cut = refused === undefined ? cutTorn({ fd, last, tail, eventsDir, current, request }) : { failed: refused };
    const { torn, length } = tail;
    if (torn > 0 && cut.failed === undefined)
      notes.push(`cut a torn last line of ${torn} bytes at byte ${length} of ${last.path}`);
    return { segments, fd, tail, generation: cut.generation ?? current.generation, notes, unwritable: cut.failed };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openForWriting(path: string): { fd: number; refused?: unknown } {
  try {
    return { fd: openSync(path, 'r+') };
  } catch (error) {
    if (!['EROFS', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
    return { fd: openSync(path, 'r'), refused: error };
  }
}

function prepareFolder(request: OpenRequest, eventsDir: string): void {
  if (existsSync(eventsDir)) return;
  if (!request.create) throw new DamageFound({ file: eventsDir, offset: 0, reason: 'this folder is missing' });
  mkdirSync(eventsDir, { recursive: true, mode: 0o700 });
  syncDirectorySync(request.dir);
}

/** The segment is made before the generation file, so a journal with a generation always has a segment. */
function beginGeneration(eventsDir: string, segments: readonly Segment[]): string[] {
  if (segments.length === 0) {
    closeSync(openSync(segmentPath(eventsDir, 1), 'wx', 0o600));
    syncDirectorySync(eventsDir);
  }
  writeGeneration(eventsDir, { v: 1, generation: 1, cuts: [] });
  return segments.length === 0
    ? []
    : [`generation.json of ${eventsDir} was missing; the journal is generation 1 again`];
}

/** The first segment starts at 1 and each one starts where the one before ends. */
function checkOrder(segments: readonly Segment[], quest: string, eventsDir: string): void {
  const begin = segments[0]?.first ?? 1;
  if (begin !== 1)
    throw new DamageFound({ file: segmentPath(eventsDir, 1), offset: 0, reason: 'this segment is missing' });
  for (const [index, segment] of segments.slice(0, -1).entries()) {
    const next = segments[index + 1]!;
    const { lastSeq, torn, length } = readTail(segment, quest);
    const damaged = torn > 0 || lastSeq !== next.first - 1;
    if (!damaged) continue;
    const reason = `it ends with event ${lastSeq}, but the next segment is ${basename(next.path)}`;
    throw new DamageFound({ file: segment.path, offset: length, reason });
  }
}

/** Of a segment that is not the last one only its last event is wanted. */
const CLOSED_TAIL = 8 * 1024;

function readTail(segment: Segment, quest: string): CheckedSegment {
  const fd = openSync(segment.path, 'r');
  try {
    return checkTail({ fd, file: segment.path, size: fstatSync(fd).size, first: segment.first, quest }, CLOSED_TAIL);
  } finally {
    closeSync(fd);
  }
}

function checkLast(fd: number, last: Segment, request: OpenRequest): CheckedSegment {
  const { throughSeq, quest } = request;
  const source = { fd, file: last.path, size: fstatSync(fd).size, first: last.first, quest };
  if (throughSeq === undefined) return checkTail(source);
  const tail = checkSegment(source, throughSeq);
  if (tail.lastSeq < throughSeq) {
    const reason = `it ends with event ${tail.lastSeq}, but event ${throughSeq} was acknowledged`;
    throw new DamageFound({ file: last.path, offset: tail.length, reason });
  }
  return tail;
}

/**
 * The new generation is durable before a byte is cut: a reader of the old tail can never mistake the new one for it.
 * After a failed sync the file is synced once more, also when there is nothing to cut: only then is the disk trusted.
 */
function cutTorn(what: {
  readonly fd: number;
  readonly last: Segment;
  readonly tail: CheckedSegment;
  readonly eventsDir: string;
  readonly current: GenerationRecord;
  readonly request: OpenRequest;
}): { generation?: number; failed?: unknown } {
  const { fd, last, tail, eventsDir, current, request } = what;
  try {
    if (tail.torn === 0) {
      if (request.throughSeq !== undefined) fdatasyncSync(fd);
      return {};
    }
    const generation = current.generation + 1;
    const entry = { at: isoTime(request.now), file: basename(last.path), offset: tail.length, bytes: tail.torn };
    writeGeneration(eventsDir, { v: 1, generation, cuts: [...current.cuts, entry] });
    ftruncateSync(fd, tail.length);
    fdatasyncSync(fd);
    return { generation };
  } catch (error) {
    return { failed: error };
  }
}
