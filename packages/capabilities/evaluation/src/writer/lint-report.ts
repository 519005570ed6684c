import { lexer, type Token, type Tokens } from 'marked';

/** Texts that stand where something should have been written. Looked for outside code. */
const placeholders: readonly { readonly pattern: RegExp; readonly name: string }[] = [
  { pattern: /\b(TODO|TBD|TBA|FIXME|XXX)\b/, name: 'an open task' },
  { pattern: /lorem ipsum/i, name: 'filler text' },
  {
    pattern:
      /\b(conclusions?|results?|discussion|abstract|summary|text|content|figures?|tables?|analysis)\s+(goes\s+)?here\b/i,
    name: 'a heading without content',
  },
  { pattern: /\b(to be (written|added|determined|filled in|completed)|coming soon|placeholder)\b/i, name: 'a promise' },
  { pattern: /\[\s*(insert|add|your|fill in|describe|citation needed)\b[^\]]*\]/i, name: 'a blank to fill in' },
  { pattern: /<\s*(insert|your|fill in)\b[^>]*>/i, name: 'a blank to fill in' },
  { pattern: /\?\?\?/, name: 'an open question' },
  { pattern: /(待补充|待完成|此处填写|在此处)/, name: 'a blank to fill in' },
];

/** Marks the next table as one without results, and says why: `<!-- not results: configuration of the run -->`. */
const NOT_RESULTS = /^<!--\s*not results:\s*\S[^>]*-->\s*$/;

/** A table with such words is one of results, whatever its author says. */
const RESULT_WORDS =
  /\b(accuracy|precision|recall|f1|macro_f1|auroc|auc|log_loss|mse|mae|rmse|r2|score|metric|value|interval)\b/i;

/** A number that stands by itself; digits inside a name such as F1 or top5 are no number. */
const BARE_NUMBER = /(?<![\p{L}\p{N}_])[+\-−]?[.,]?\p{Nd}/u;

/** A result that was typed into the prose, such as "accuracy is 0.97". */
const TYPED_RESULT =
  /\b(accuracy|precision|recall|f1|macro[_ -]f1|auroc|log[_ ]loss|mse|mae|rmse|r2)\b\W{0,3}(=|:|is|was|of|reached|equals|at)\s*[+\-−≈~]*\s*\.?\p{Nd}/iu;

/** Stands in the place of a reference while the template is parsed; no digit, and no text of a report. */
export const REFERENCE_MARK = '\u{F8FF}';

export interface LintOptions {
  /** Figures that exist, as they are written in the report. */
  readonly figures: ReadonlySet<string>;
}

/**
 * Problems of a report whose references were replaced by `REFERENCE_MARK`: placeholders, missing figures, empty
 * sections, HTML tables (which cannot be checked), results typed into the prose, and numbers in tables of results that
 * are not references.
 *
 * Every table is a table of results unless a comment `<!-- not results: why -->` stands directly above it and none of its
 * headers names a metric. In a table of results only names may hold digits by themselves: header cells and inline code.
 */
export function lintReport(markdown: string, options: LintOptions): readonly string[] {
  const tokens = lexer(markdown);
  const problems: string[] = [];
  problems.push(...emptySections(tokens));
  let exempt = false;
  for (const { token, depth } of walk(tokens, 0)) {
    if (token.type === 'table') {
      problems.push(...tableProblems(token as Tokens.Table, exempt));
      exempt = false;
      continue;
    }
    if (token.type === 'html' && NOT_RESULTS.test(token.raw)) exempt = true;
    else if (token.type !== 'space' && depth === 0) exempt = false;
    problems.push(...tokenProblems(token, options));
  }
  return [...new Set(problems)];
}

interface Visited {
  readonly token: Token;
  readonly depth: number;
}

/** Every token in the order of the text; the cells of tables are visited too. */
function* walk(tokens: readonly Token[], depth: number): Generator<Visited> {
  for (const token of tokens) {
    yield { token, depth };
    if (token.type === 'table') {
      const { header, rows } = token as Tokens.Table;
      for (const cell of [...header, ...rows.flat()]) yield* walk(cell.tokens, depth + 1);
    }
    if (token.type === 'list') for (const item of (token as Tokens.List).items) yield* walk(item.tokens, depth + 1);
    if ('tokens' in token && token.tokens !== undefined) yield* walk(token.tokens, depth + 1);
  }
}

function tokenProblems(token: Token, options: LintOptions): readonly string[] {
  if (token.type === 'image') {
    const { href } = token as Tokens.Image;
    return options.figures.has(href) ? [] : [`the figure ${href === '' ? '(no path)' : href} does not exist`];
  }
  if (token.type === 'html') {
    if (/<\s*(table|tr|td)\b/i.test(token.raw)) return ['an HTML table cannot be checked: write it in Markdown'];
    if (/<\s*img\b/i.test(token.raw)) return ['an HTML image cannot be checked: write it in Markdown'];
    return NOT_RESULTS.test(token.raw) ? [] : placeholderProblems(token.raw);
  }
  // The text of a block is seen whole and in its parts, so that code inside it is left out.
  const isBlock = 'tokens' in token && token.tokens !== undefined;
  if (token.type === 'text' && !isBlock) return placeholderProblems(token.raw);
  return token.type === 'heading' || token.type === 'paragraph' || token.type === 'text' ? proseProblems(token) : [];
}

/** What can be cut into several tokens is looked for in the whole text without its code spans. */
function proseProblems(token: Token): readonly string[] {
  const text = token.raw.replace(/`[^`]*`/g, '').replace(/\\(?=\W|_)/g, '');
  const typed = TYPED_RESULT.exec(text);
  return [
    ...placeholderProblems(text),
    ...(typed === null ? [] : [`the text "${typed[0].slice(0, 60)}" states a result without a reference`]),
  ];
}

function placeholderProblems(text: string): readonly string[] {
  return placeholders.flatMap(({ pattern, name }) => {
    const match = pattern.exec(text);
    return match === null ? [] : [`"${match[0].slice(0, 60)}" is a placeholder (${name})`];
  });
}

function tableProblems(table: Tokens.Table, exempt: boolean): readonly string[] {
  const headers = table.header.map((cell) => cell.text);
  const title = headers.join(' | ');
  if (exempt) {
    const named = headers.find((header) => RESULT_WORDS.test(header));
    return named === undefined ? [] : [`the table "${title}" names results ("${named}") and cannot be exempt`];
  }
  return table.rows.flatMap((row, line) =>
    row.flatMap((cell) => {
      const text = plainText(cell.tokens);
      if (!BARE_NUMBER.test(text)) return [];
      return [`row ${line + 1} of the table "${title}" holds the bare number "${text.trim().slice(0, 60)}"`];
    }),
  );
}

/** The text of a cell without inline code, which holds names. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'codespan') return ' ';
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
      return token.raw;
    })
    .join('');
}

/** A heading that is followed by one of its own or a higher level, or by nothing, promises what is not there. */
function emptySections(tokens: readonly Token[]): readonly string[] {
  const blocks = tokens.filter(({ type }) => type !== 'space');
  return blocks.flatMap((token, i) => {
    if (token.type !== 'heading') return [];
    const next = blocks[i + 1];
    const filled =
      next !== undefined &&
      (next.type !== 'heading' || (next as Tokens.Heading).depth > (token as Tokens.Heading).depth);
    return filled ? [] : [`the section "${(token as Tokens.Heading).text}" is empty`];
  });
}
