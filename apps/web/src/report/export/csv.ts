import type { Provenance } from './provenance.ts';

export type Cell = string | number | null;

/**
 * A table as CSV of RFC 4180, after comment lines that say where it comes from. A text that a spreadsheet would run as a
 * formula gets an apostrophe in front, because cells come from data and repositories that nobody has read.
 */
export function csvOf(header: readonly string[], rows: readonly (readonly Cell[])[], { sentence, title }: Provenance) {
  const about = [title, sentence].map((line) => `# ${line.replaceAll(/[\r\n]+/g, ' ')}`);
  const lines = [header, ...rows].map((cells) => cells.map(cellOf).join(','));
  return `${[...about, ...lines].join('\r\n')}\r\n`;
}

function cellOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const safe = /^[=+\-@\t\r]/.test(cell) && !Number.isFinite(Number(cell)) ? `'${cell}` : cell;
  return /[",\r\n#]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
