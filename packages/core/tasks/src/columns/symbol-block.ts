import type { Phrase } from './column-sample.ts';

/** So many symbols are looked at together: 8 MiB. */
export const BLOCK = 1 << 20;

/** Consecutive symbols of a text, and where its lines begin. */
export class SymbolBlock {
  readonly values = new Float64Array(BLOCK);
  /** The place of the first symbol of each line that has any; at last the end of the last one. */
  readonly lines = new Int32Array(BLOCK + 1);
  length = 0;
  lineCount = 0;

  hasRoomFor(symbols: number): boolean {
    return this.length + symbols <= BLOCK;
  }

  push(symbol: number): void {
    this.values[this.length++] = symbol;
  }

  /** A line without symbols is none. */
  endLine(): void {
    if (this.length > this.lines[this.lineCount]!) this.lines[++this.lineCount] = this.length;
  }

  clear(): void {
    this.length = 0;
    this.lineCount = 0;
  }
}

/** Joins the words of each phrase to one symbol, the longest phrase first, so that every label takes one place. */
export function joinPhrases(block: SymbolBlock, phrases: readonly Phrase[]): void {
  if (phrases.length === 0) return;
  const { values, lines } = block;
  const byFirst = byFirstWord(phrases);
  let to = 0;
  let line = 0;
  for (let from = 0; from < block.length;) {
    while (line <= block.lineCount && lines[line]! <= from) lines[line++] = to;
    const phrase = byFirst
      .get(values[from]!)
      ?.find(({ words }) => words.every((word, at) => values[from + at] === word && from + at < block.length));
    values[to++] = phrase?.symbol ?? values[from]!;
    from += phrase?.words.length ?? 1;
  }
  while (line <= block.lineCount) lines[line++] = to;
  block.length = to;
}

function byFirstWord(phrases: readonly Phrase[]): Map<number, Phrase[]> {
  const groups = new Map<number, Phrase[]>();
  for (const phrase of phrases.toSorted((a, b) => b.words.length - a.words.length))
    groups.set(phrase.words[0]!, [...(groups.get(phrase.words[0]!) ?? []), phrase]);
  return groups;
}
