import { createHash } from 'node:crypto';
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
/** Bytes of one entry's hash, offset, length and count. */
const ENTRY_BYTES = 16;

/**
 * Counts the distinct values of one column by their bytes: an open-addressing table over one arena, no string per cell.
 * Exact up to 10,000 distinct values (equality compares bytes, never hashes); behind that `distinct` stays at 10,000,
 * `exact` is false and the memory is given back.
 */
export class ValueCounter {
  readonly #budget: CountBudget;
  #slots = new Int32Array(64);
  #hashes = new Int32Array(32);
  #offsets = new Int32Array(32);
  #lengths = new Int32Array(32);
  #counts = new Uint32Array(32);
  #arena = new Uint8Array(256);
  #arenaUsed = 0;
  #reserved = 0;
  #last = -1;
  distinct = 0;
  exact = true;

  constructor(budget: CountBudget) {
    this.#budget = budget;
    if (!this.#reserve(64 * 4 + 32 * ENTRY_BYTES + 256)) this.#saturate();
  }

  /** Counts the value in `bytes[start, end)`. */
  add(bytes: Uint8Array, start: number, end: number): void {
    if (!this.exact) return;
    if (end - start <= limits.labelBytes) {
      this.#count(bytes, start, end - start);
      return;
    }
    const digest = createHash('sha256').update(bytes.subarray(start, end)).digest();
    this.#count(digest, 0, digest.length | DIGEST);
  }

  /** The values with their row counts, in order of first appearance; undefined text = longer than 256 bytes. */
  *entries(): Generator<{ readonly text: string | undefined; readonly count: number }> {
    if (!this.exact) return;
    for (let i = 0; i < this.distinct; i += 1) {
      const from = this.#offsets[i]!;
      const length = this.#lengths[i]!;
      const text = length >= DIGEST ? undefined : Buffer.from(this.#arena.buffer, from, length).toString('utf8');
      yield { text, count: this.#counts[i]! };
    }
  }

  #count(bytes: Uint8Array, start: number, tagged: number): void {
    const length = tagged & ~DIGEST;
    // Neighbouring rows often repeat a value: compare with the last one before hashing.
    if (this.#last >= 0 && this.#equals(this.#last, bytes, start, tagged)) {
      this.#counts[this.#last]! += 1;
      return;
    }
    const hash = fnv1a(bytes, start, length);
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let entry = this.#slots[slot]!; entry !== 0; entry = this.#slots[slot]!) {
      if (this.#hashes[entry - 1] === hash && this.#equals(entry - 1, bytes, start, tagged)) {
        this.#counts[entry - 1]! += 1;
        this.#last = entry - 1;
        return;
      }
      slot = (slot + 1) & mask;
    }
    this.#insert(slot, { hash, bytes, start, tagged });
  }

  #equals(entry: number, bytes: Uint8Array, start: number, tagged: number): boolean {
    if (this.#lengths[entry] !== tagged) return false;
    const arena = this.#arena;
    const from = this.#offsets[entry]!;
    // From the end: labels tend to begin alike.
    for (let i = (tagged & ~DIGEST) - 1; i >= 0; i -= 1) if (arena[from + i] !== bytes[start + i]) return false;
    return true;
  }

  #insert(slot: number, value: { hash: number; bytes: Uint8Array; start: number; tagged: number }): void {
    const length = value.tagged & ~DIGEST;
    if (this.distinct === limits.distinct || !this.#makeRoom(length)) {
      this.#saturate();
      return;
    }
    const entry = this.distinct;
    this.#arena.set(value.bytes.subarray(value.start, value.start + length), this.#arenaUsed);
    this.#hashes[entry] = value.hash;
    this.#offsets[entry] = this.#arenaUsed;
    this.#lengths[entry] = value.tagged;
    this.#counts[entry] = 1;
    this.#slots[slot] = entry + 1;
    this.#arenaUsed += length;
    this.#last = entry;
    this.distinct += 1;
    if (this.distinct * 2 > this.#slots.length) this.#rehash();
  }

  /** Room for one more entry of `length` bytes; false when the shared memory is used up. */
  #makeRoom(length: number): boolean {
    if (this.#arenaUsed + length > this.#arena.length) {
      const size = Math.max(this.#arena.length * 2, this.#arenaUsed + length);
      if (!this.#reserve(size - this.#arena.length)) return false;
      const arena = new Uint8Array(size);
      arena.set(this.#arena);
      this.#arena = arena;
    }
    if (this.distinct < this.#hashes.length) return true;
    const size = this.#hashes.length * 2;
    if (!this.#reserve((size / 2) * ENTRY_BYTES + size * 2 * 4)) return false;
    this.#hashes = doubled(this.#hashes);
    this.#offsets = doubled(this.#offsets);
    this.#lengths = doubled(this.#lengths);
    const counts = new Uint32Array(size);
    counts.set(this.#counts);
    this.#counts = counts;
    return true;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let entry = 0; entry < this.distinct; entry += 1) {
      const hash = this.#hashes[entry]!;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry + 1;
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
    this.#slots = this.#hashes = this.#offsets = this.#lengths = new Int32Array(0);
    this.#counts = new Uint32Array(0);
    this.#arena = new Uint8Array(0);
    this.#last = -1;
  }
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

/** FNV-1a, 32 bits (Fowler, Noll, Vo). Only spreads values over slots; equality never rests on it. */
function fnv1a(bytes: Uint8Array, start: number, length: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = start; i < start + length; i += 1) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash;
}
