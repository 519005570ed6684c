import { createHash } from 'node:crypto';
import { ByteView, hashBytes, ONE_TO_ONE_BYTES } from '../data/byte-view.ts';
import { limits } from '../data/limits.ts';

/** Memory that all counters of one table share; a counter that cannot grow any more stops counting exactly. */
export class CountBudget {
  #left: number;

  constructor(bytes: number = limits.distinctBytes) {
    this.#left = bytes;
  }

  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#left += bytes;
  }
}

/** Marks a value that is kept as its SHA-256 because it is longer than a label may be. */
const DIGEST = 0x4000_0000;
interface NewValue {
  readonly hash: number;
  readonly view: ByteView;
  readonly start: number;
  readonly tagged: number;
  readonly times: number;
}

/** An entry is four numbers side by side, so that a look at it is one line of the processor's cache. */
const ENTRY = 4;
const HASH = 0;
const OFFSET = 1;
/** Bytes of the value, with DIGEST when they are a digest. */
const LENGTH = 2;
const COUNT = 3;
const FIRST_ENTRIES = 32;
const FIRST_ARENA = 256;

/**
 * Counts the distinct values of one column by their bytes: an open-addressing table over one arena, no string per cell.
 * Exact up to 10,000 distinct values (equality compares bytes, or hashes where they are one-to-one); behind that `distinct` stays at 10,000,
 * `exact` is false and the memory is given back.
 */
export class ValueCounter {
  readonly #budget: CountBudget;
  /** Number of the entry plus one, or 0; twice as many as there is room for entries. */
  #slots = new Int32Array(FIRST_ENTRIES * 2);
  #entries = new Int32Array(FIRST_ENTRIES * ENTRY);
  #arena = new ByteView(new Uint8Array(FIRST_ARENA));
  #arenaUsed = 0;
  #reserved = 0;
  distinct = 0;
  exact = true;

  constructor(budget: CountBudget) {
    this.#budget = budget;
    if (!this.#reserve(tableBytes(FIRST_ENTRIES) + FIRST_ARENA)) this.#saturate();
  }

  /** Counts the value from `start` to before `end`. */
  add(view: ByteView, start: number, end: number): void {
    if (!this.exact) return;
    if (end - start <= limits.labelBytes) {
      this.#count(view, start, end - start);
      return;
    }
    const digest = createHash('sha256').update(view.bytes.subarray(start, end)).digest();
    this.#count(new ByteView(digest), 0, digest.length | DIGEST);
  }

  /** Counts a short text that stood in so many rows. */
  addText(text: string, count: number): void {
    if (!this.exact) return;
    const bytes = new ByteView(new Uint8Array(Buffer.from(text)));
    this.#count(bytes, 0, bytes.bytes.length, count);
  }

  /** The values with their row counts, in order of first appearance; undefined text = longer than 256 bytes. */
  *entries(): Generator<{ readonly text: string | undefined; readonly count: number }> {
    if (!this.exact) return;
    for (let at = 0; at < this.distinct * ENTRY; at += ENTRY) {
      const from = this.#entries[at + OFFSET]!;
      const length = this.#entries[at + LENGTH]!;
      const bytes = this.#arena.bytes.subarray(from, from + length);
      yield {
        text: length >= DIGEST ? undefined : Buffer.from(bytes).toString('utf8'),
        count: this.#entries[at + COUNT]! >>> 0,
      };
    }
  }

  #count(view: ByteView, start: number, tagged: number, times = 1): void {
    const hash = hashBytes(view, start, tagged & ~DIGEST);
    const entries = this.#entries;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let number = slots[slot]!; number !== 0; number = slots[slot]!) {
      const at = (number - 1) * ENTRY;
      if (
        entries[at + HASH] === hash &&
        entries[at + LENGTH] === tagged &&
        (tagged <= ONE_TO_ONE_BYTES || this.#equals(entries[at + OFFSET]!, view, start, tagged & ~DIGEST))
      ) {
        entries[at + COUNT]! += times;
        return;
      }
      slot = (slot + 1) & mask;
    }
    this.#insert(slot, { hash, view, start, tagged, times });
  }

  /** Compares at least four bytes by words; the last word may overlap the one before. */
  #equals(from: number, view: ByteView, start: number, length: number): boolean {
    const kept = this.#arena.words;
    const words = view.words;
    const last = length - 4;
    // From the end: labels tend to begin alike.
    if (kept.getInt32(from + last, true) !== words.getInt32(start + last, true)) return false;
    for (let i = 0; i < last; i += 4)
      if (kept.getInt32(from + i, true) !== words.getInt32(start + i, true)) return false;
    return true;
  }

  #insert(slot: number, value: NewValue): void {
    const length = value.tagged & ~DIGEST;
    if (this.distinct === limits.distinct || !this.#makeRoom(length)) {
      this.#saturate();
      return;
    }
    const entry = this.distinct * ENTRY;
    this.#arena.bytes.set(value.view.bytes.subarray(value.start, value.start + length), this.#arenaUsed);
    this.#entries[entry + HASH] = value.hash;
    this.#entries[entry + OFFSET] = this.#arenaUsed;
    this.#entries[entry + LENGTH] = value.tagged;
    this.#entries[entry + COUNT] = value.times;
    this.#arenaUsed += length;
    this.distinct += 1;
    if (this.distinct * 2 > this.#slots.length) this.#rehash();
    else this.#slots[slot] = this.distinct;
  }

  /** Room for one more entry of `length` bytes; false when the shared memory is used up. */
  #makeRoom(length: number): boolean {
    const arena = this.#arena.bytes;
    if (this.#arenaUsed + length > arena.length) {
      const size = Math.max(arena.length * 2, this.#arenaUsed + length);
      if (!this.#reserve(size - arena.length)) return false;
      const larger = new Uint8Array(size);
      larger.set(arena);
      this.#arena = new ByteView(larger);
    }
    const room = this.#entries.length / ENTRY;
    if (this.distinct < room) return true;
    if (!this.#reserve(tableBytes(room))) return false;
    const larger = new Int32Array(room * 2 * ENTRY);
    larger.set(this.#entries);
    this.#entries = larger;
    return true;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.distinct; number += 1) {
      let slot = this.#entries[number * ENTRY + HASH]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }

  #reserve(bytes: number): boolean {
    if (!this.#budget.take(bytes)) return false;
    this.#reserved += bytes;
    return true;
  }

  #saturate(): void {
    this.exact = false;
    this.#budget.give(this.#reserved);
    this.#reserved = 0;
    this.#slots = this.#entries = new Int32Array(0);
    this.#arena = new ByteView(new Uint8Array(0));
  }
}

/** Bytes of the table with room for so many entries: the entries, and two slots for each. */
function tableBytes(entries: number): number {
  return entries * ENTRY * 4 + entries * 2 * 4;
}
