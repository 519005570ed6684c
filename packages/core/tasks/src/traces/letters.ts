/** Of each UTF-16 unit: its lower-case form when it is a letter, a digit or part of one, else 0. */
const letterOf = new Uint16Array(1 << 16);
for (let code = 0; code < 1 << 16; code++) {
  const character = String.fromCharCode(code);
  const isPart = code >= 0xd800 && code <= 0xdfff;
  if (!isPart && !/[\p{L}\p{N}\p{M}]/u.test(character)) continue;
  const lower = character.toLowerCase();
  letterOf[code] = lower.length === 1 ? lower.charCodeAt(0) : code;
}

/** The lower-case unit of a letter or digit, 0 for everything that may be left out of a text or put into it. */
export function letterAt(text: string, at: number): number {
  return letterOf[text.charCodeAt(at)]!;
}

/** The letters and digits of a text in lower case: what is left of it however it was cleaned, joined or divided. */
export function lettersOf(text: string): Uint16Array {
  const letters = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = letterAt(text, at);
    if (letter !== 0) letters[length++] = letter;
  }
  return letters.subarray(0, length);
}

/** Base of the rolling hash (odd, so that it has an inverse) and of the second one that confirms. */
export const BASE = 0x01000193;
const SECOND = 0x85ebca6b;

/** Polynomial hash of some letters, modulo 2^32. */
export function rollingHash(letters: ArrayLike<number>, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, BASE) + letters[at]!) | 0;
  return hash;
}

/** A second hash of the same letters: both agree by chance once in 2^64. */
export function confirmingHash(letters: ArrayLike<number>, start: number, end: number): number {
  let hash = 0x9e3779b9 | 0;
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ letters[at]!, SECOND);
    hash ^= hash >>> 15;
  }
  return hash;
}
