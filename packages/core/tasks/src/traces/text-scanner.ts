import { BASE, confirmingHash, letterAt } from './letters.ts';
import { LETTERS, type KnownTexts } from './known-texts.ts';

/** What stands around a row's text, in units of UTF-16. */
export const BEFORE = 64;
export const AFTER = 96;
/** Of a long gap between two letters of a text, such as in a table of wide cells, no more is looked at. */
const KEPT = 4096;
const RING = 64;
const HASH_WORD = /(?<![0-9a-zA-Z])[0-9a-f]{8,128}(?![0-9a-zA-Z])/gi;

/** A row that was recognised in a text. */
export interface Sighting {
  readonly row: number;
  /** By its text, or by a hash of it. */
  readonly by: 'text' | 'hash';
  /** What stands before its first letter; undefined when only its end was seen. */
  readonly before?: string;
  /** What stands after its last letter; undefined when only its start was seen. */
  readonly after?: string;
}

export interface TextScanner {
  begin(): void;
  push(text: string): void;
  end(): void;
}

/** Recognises rows of the data set in a text that arrives in pieces, whatever stands between their letters. */
export function createTextScanner(known: KnownTexts, see: (sighting: Sighting) => void): TextScanner {
  const { anchors } = known;
  const lengths = Int32Array.from(new Set([...known.lengths, LETTERS]));
  const powers = lengths.map((length) => power(length));
  const letters = new Uint16Array(RING);
  const prefixes = new Int32Array(RING);
  /** Where each of the last letters stands in `held`. */
  const places = new Int32Array(RING);
  const recent = new Uint16Array(LETTERS);
  let count = 0;
  let hash = 0;
  let held = '';
  let scanned = 0;

  function look(at: number): void {
    for (let which = 0; which < lengths.length; which++) {
      const length = lengths[which]!;
      if (count < length) continue;
      const before = prefixes[(count - length) & (RING - 1)]!;
      const first = (hash - Math.imul(before, powers[which]!)) | 0;
      if (!anchors.mayHold(first)) continue;
      for (let step = 0; step < length; step++) recent[step] = letters[(count - length + 1 + step) & (RING - 1)]!;
      const anchor = anchors.get(first, confirmingHash(recent, 0, length));
      if (anchor === undefined) continue;
      const start = places[(count - length + 1) & (RING - 1)]!;
      see({
        row: anchor.row,
        by: 'text',
        ...(anchor.part === 'end' ? {} : { before: held.slice(Math.max(0, start - BEFORE), start) }),
        ...(anchor.part === 'start' ? {} : { after: held.slice(at + 1, at + 1 + AFTER) }),
      });
    }
  }

  /** Scans what is held, but for the last units, which what follows may be needed for. */
  function scan(until: number): void {
    for (let at = scanned; at < until; at++) {
      const letter = letterAt(held, at);
      if (letter === 0) continue;
      count++;
      hash = (Math.imul(hash, BASE) + letter) | 0;
      const place = count & (RING - 1);
      letters[place] = letter;
      prefixes[place] = hash;
      places[place] = at;
      look(at);
    }
    if (known.hashes.size > 0) scanHashes(until);
    scanned = Math.max(scanned, until);
    const cut = Math.max(0, scanned - KEPT);
    if (cut === 0) return;
    held = held.slice(cut);
    scanned -= cut;
    for (let at = 0; at < RING; at++) places[at] = Math.max(0, places[at]! - cut);
  }

  function scanHashes(until: number): void {
    HASH_WORD.lastIndex = scanned;
    for (let match = HASH_WORD.exec(held); match !== null && match.index < until; match = HASH_WORD.exec(held)) {
      const word = match[0].toLowerCase();
      const found = known.hashes.get(word.slice(0, 8));
      if (found === undefined || !found.hash.startsWith(word)) continue;
      const end = match.index + word.length;
      see({
        row: found.row,
        by: 'hash',
        before: held.slice(Math.max(0, match.index - BEFORE), match.index),
        after: held.slice(end, end + AFTER),
      });
    }
  }

  return {
    begin() {
      count = 0;
      hash = 0;
      prefixes[0] = 0;
      held = '';
      scanned = 0;
    },
    push(text) {
      held += text;
      scan(Math.max(scanned, held.length - 2 * AFTER - 128));
    },
    end() {
      scan(held.length);
    },
  };
}

function power(exponent: number): number {
  let result = 1;
  for (let step = 0; step < exponent; step++) result = Math.imul(result, BASE);
  return result;
}
