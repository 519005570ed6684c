/** One significant piece of a Python text. `line` stands at the start of every logical line and holds its depth. */
export interface PythonToken {
  readonly kind: 'line' | 'string' | 'number' | 'name' | 'mark';
  readonly text: string;
}

// The end of every string is optional, so no repetition is ever tried again.
const PIECE =
  /(?<space>[ \t\f]+|\\\r?\n)|(?<newline>\r?\n|\r)|(?<comment>#[^\r\n]*)|(?<string>[rbuft]{0,3}(?:"""(?:[^"\\]+|\\[^]|"(?!""))*(?:"""|$)|'''(?:[^'\\]+|\\[^]|'(?!''))*(?:'''|$)|"(?:[^"\\\r\n]+|\\[^])*"?|'(?:[^'\\\r\n]+|\\[^])*'?))|(?<number>(?:0[xob][\da-f_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?\d[\d_]*)?j?))|(?<name>[\p{L}_][\p{L}\p{M}\p{N}_]*)|(?<mark>[^])/giuy;

/**
 * The tokens of a Python text without what does not change a program: comments, white space, line breaks inside brackets,
 * blank lines, and lines that are only a string (docstrings). It reads any text; it does not check the grammar.
 */
export function pythonTokens(source: string): PythonToken[] {
  const reader = new LogicalLines();
  for (const { groups, 0: text } of source.replace(/^\u{FEFF}/u, '').matchAll(new RegExp(PIECE, 'giu')))
    reader.take(kindOf(groups ?? {}), text);
  return reader.finish();
}

type Piece = PythonToken['kind'] | 'space' | 'newline' | 'comment';

function kindOf(groups: Readonly<Record<string, string | undefined>>): Piece {
  const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
  return (kind ?? 'mark') as Piece;
}

/** Gathers pieces into logical lines with the depth of their indentation. */
class LogicalLines {
  readonly #done: PythonToken[] = [];
  #line: PythonToken[] = [];
  readonly #indents = [0];
  #indent = 0;
  #brackets = 0;
  #atStart = true;

  take(kind: Piece, text: string): void {
    if (kind === 'comment') return;
    if (kind === 'space') {
      if (this.#atStart && !text.startsWith('\\')) this.#indent = width(text);
      return;
    }
    if (kind === 'newline') {
      if (this.#brackets === 0) this.#endLine();
      return;
    }
    this.#atStart = false;
    if (kind === 'mark') this.#count(text);
    this.#line.push({ kind, text });
  }

  finish(): PythonToken[] {
    this.#endLine();
    return this.#done;
  }

  #count(mark: string): void {
    if ('([{'.includes(mark)) this.#brackets += 1;
    if (')]}'.includes(mark)) this.#brackets = Math.max(0, this.#brackets - 1);
  }

  #endLine(): void {
    if (this.#line.length > 0 && !this.#line.every(isPlainString))
      this.#done.push({ kind: 'line', text: String(this.#depth()) }, ...this.#line);
    this.#line = [];
    this.#indent = 0;
    this.#atStart = true;
  }

  /** How many blocks deep the line stands: the widths themselves do not matter. */
  #depth(): number {
    while (this.#indent < this.#indents.at(-1)!) this.#indents.pop();
    if (this.#indent > this.#indents.at(-1)!) this.#indents.push(this.#indent);
    return this.#indents.length - 1;
  }
}

function width(space: string): number {
  let cells = 0;
  for (const one of space) cells += one === '\t' ? 8 - (cells % 8) : 1;
  return cells;
}

/** A string that is not computed: alone on a line it does nothing. */
function isPlainString({ kind, text }: PythonToken): boolean {
  return kind === 'string' && !/^[rb]*[ft]/i.test(text);
}
