/** A line that is longer is read in pieces of this size, so that no row of a log is without bound. */
export const ROW_BYTES = 8192;

const NEWLINE = 10;

/** Where the complete rows of a buffer end: behind each newline, and inside a line that is longer than `ROW_BYTES`. */
export function rowEnds(buffer: Buffer): number[] {
  const ends: number[] = [];
  let start = 0;
  let newline = buffer.indexOf(NEWLINE);
  for (;;) {
    if (newline !== -1 && newline < start) newline = buffer.indexOf(NEWLINE, start);
    if (newline !== -1 && newline - start < ROW_BYTES) start = newline + 1;
    else if (buffer.length - start > ROW_BYTES) start = characterStart(buffer, start + ROW_BYTES);
    else return ends;
    ends.push(start);
  }
}

/** The place at or right before `at` where no UTF-8 character is cut. */
function characterStart(buffer: Buffer, at: number): number {
  let place = at;
  while (at - place < 3 && (buffer[place]! & 0xc0) === 0x80) place -= 1;
  return (buffer[place]! & 0xc0) === 0x80 ? at : place;
}
