import { stripVTControlCharacters } from 'node:util';

/** Controls, line separators, and format characters (they reorder or hide text) but for the two joiners of scripts. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;

/**
 * One line of text that cannot move the cursor, colour, reorder or hide anything on a terminal. Labels, names and
 * messages come from data and repositories; they are only ever printed through this.
 */
export function safeText(text: string): string {
  const wellFormed = Buffer.from(text).toString();
  return stripVTControlCharacters(wellFormed)
    .replaceAll(/[\n\r\t]+/g, ' ')
    .replaceAll(UNSAFE, '');
}
