import { NEWLINE, sealOf, type Seal } from './line.ts';

/** What one thread found out about lines so that another one need not. */
export interface CheckedLines {
  /** The offset of every line end. */
  readonly ends: Uint32Array;
  /** The `Seal` of every line. */
  readonly seals: Uint8Array;
}

/** Of bytes that are whole lines. Looks at the checksums only: what the lines say is for the reader to find out. */
export function checkLines(bytes: Buffer): CheckedLines {
  const ends: number[] = [];
  const found: Seal[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, at);
    ends.push(end);
    found.push(sealOf(bytes, at, end));
    at = end + 1;
  }
  return { ends: Uint32Array.from(ends), seals: Uint8Array.from(found) };
}
