import { closeSync, existsSync, fstatSync, openSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AssayError } from '@assay/foundation';
import type { AssayEvent } from '@assay/contracts';
import { damageError, DamageFound, type Damage } from './damage.ts';
import { readGeneration } from './generation-file.ts';
import { checkSegment, segmentEvents, type CheckedSegment, type SegmentSource } from './segment-check.ts';
import { listSegments, segmentPath, type Segment } from './segment-names.ts';

/** What a full check found. Nothing is changed by looking. */
export interface JournalReport {
  readonly quest: string;
  readonly segments: number;
  /** Undefined when the generation file is missing or damaged. */
  readonly generation: number | undefined;
  /** The last event before the first damage. */
  readonly lastSeq: number;
  /** A write that did not finish, or one under way in a running daemon; cut when the journal is opened. */
  readonly torn: { readonly file: string; readonly offset: number; readonly bytes: number } | null;
  /** The first damage of each segment. */
  readonly damage: readonly Damage[];
  /** Set when a newer program wrote here: what it says. */
  readonly newer: string | null;
}

export interface CheckOptions {
  readonly signal?: AbortSignal;
}

/** Reads every line of a journal and reports damage as data. Rejects only when files cannot be read. */
export async function checkJournal(dir: string, quest: string, options: CheckOptions = {}): Promise<JournalReport> {
  const eventsDir = join(dir, 'events');
  const report = new Findings(quest);
  report.collect(() => (report.generation = readGeneration(eventsDir)?.generation));
  const segments = report.collect(() => segmentsOf(eventsDir)) ?? [];
  let expected = 1;
  for (const [index, segment] of segments.entries()) {
    options.signal?.throwIfAborted();
    if (segment.first !== expected) report.misplaced(segment, expected);
    const last = index === segments.length - 1;
    const checked = report.collect(() => checkFile(segment, quest));
    if (checked !== undefined) report.segment(segment, checked, last);
    // After damage the next file tells by its name where it continues.
    expected = checked === undefined ? (segments[index + 1]?.first ?? 0) : checked.lastSeq + 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return report.result(segments.length);
}

/**
 * The events on disk without opening the journal for writing and without its lock: a torn last line is passed over.
 * Rejects with `journal_damaged` or `record_newer` where the log cannot be read.
 */
export async function* readJournalFiles(dir: string, quest: string): AsyncGenerator<AssayEvent> {
  try {
    let expected = 1;
    for (const segment of segmentsOf(join(dir, 'events'))) {
      if (segment.first !== expected) throw new DamageFound(misplaced(segment, expected));
      const fd = openSync(segment.path, 'r');
      try {
        for (const { event } of segmentEvents(sourceOf(segment, fd, quest))) {
          yield event;
          expected = event.seq + 1;
        }
      } finally {
        closeSync(fd);
      }
    }
  } catch (error) {
    throw error instanceof DamageFound ? damageError(quest, error.damage) : error;
  }
}

class Findings {
  generation: number | undefined;
  #lastSeq = 0;
  #torn: JournalReport['torn'] = null;
  readonly #damage: Damage[] = [];
  #newer: string | null = null;
  readonly #quest: string;

  constructor(quest: string) {
    this.#quest = quest;
  }

  /** Undefined when there is damage, which is noted. */
  collect<T>(look: () => T): T | undefined {
    try {
      return look();
    } catch (error) {
      if (error instanceof DamageFound) this.#damage.push(error.damage);
      else if (error instanceof AssayError && error.code === 'record_newer') this.#newer ??= error.message;
      else throw error;
      return undefined;
    }
  }

  misplaced(segment: Segment, expected: number): void {
    if (expected > 0) this.#damage.push(misplaced(segment, expected));
  }

  segment(segment: Segment, checked: CheckedSegment, last: boolean): void {
    if (this.#damage.length === 0) this.#lastSeq = checked.lastSeq;
    if (checked.torn === 0) return;
    const place = { file: segment.path, offset: checked.length };
    if (last) this.#torn = { ...place, bytes: checked.torn };
    else this.#damage.push({ ...place, reason: `its last ${checked.torn} bytes are not a whole line` });
  }

  result(segments: number): JournalReport {
    return {
      quest: this.#quest,
      segments,
      generation: this.generation,
      lastSeq: this.#lastSeq,
      torn: this.#torn,
      damage: this.#damage,
      newer: this.#newer,
    };
  }
}

function segmentsOf(eventsDir: string): Segment[] {
  if (!existsSync(eventsDir)) throw new DamageFound({ file: eventsDir, offset: 0, reason: 'this folder is missing' });
  const segments = listSegments(eventsDir);
  if (segments.length > 0) return segments;
  throw new DamageFound({ file: segmentPath(eventsDir, 1), offset: 0, reason: 'this segment is missing' });
}

function misplaced(segment: Segment, expected: number): Damage {
  const reason = `event ${expected} comes next, but the next segment is ${basename(segment.path)}`;
  return { file: segment.path, offset: 0, reason };
}

function checkFile(segment: Segment, quest: string): CheckedSegment {
  const fd = openSync(segment.path, 'r');
  try {
    return checkSegment(sourceOf(segment, fd, quest));
  } finally {
    closeSync(fd);
  }
}

function sourceOf(segment: Segment, fd: number, quest: string): SegmentSource {
  return { fd, file: segment.path, size: fstatSync(fd).size, first: segment.first, quest };
}
