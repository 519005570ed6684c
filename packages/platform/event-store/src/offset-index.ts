const EVERY_EVENTS = 256;
const EVERY_BYTES = 64 * 1024;

/** A known place: event `seq` starts at byte `offset` of its segment. */
export interface IndexEntry {
  readonly seq: number;
  readonly offset: number;
}

/** Where some events of one segment start, at least every 64 KiB or 256 events. Losing it costs one scan. */
export class OffsetIndex {
  readonly #entries: IndexEntry[] = [];
  /** False when only the tail of the segment was looked at: places before the first entry are unknown. */
  readonly complete: boolean;

  constructor(complete = true, entries: readonly IndexEntry[] = []) {
    this.complete = complete;
    this.#entries.push(...entries);
  }

  get entries(): readonly IndexEntry[] {
    return this.#entries;
  }

  /** Events are noted in order; only some are kept. */
  note(seq: number, offset: number): void {
    const last = this.#entries.at(-1);
    if (last === undefined || seq - last.seq >= EVERY_EVENTS || offset - last.offset >= EVERY_BYTES)
      this.#entries.push({ seq, offset });
  }

  /** The nearest known place at or before `seq`, undefined when none is known. */
  find(seq: number): IndexEntry | undefined {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#entries[middle]!.seq <= seq) low = middle + 1;
      else high = middle;
    }
    return this.#entries[low - 1];
  }
}
