/**
 * Blanks out comments and the content of string literals, keeping line breaks, so that what remains can be searched
 * for statements: `import numpy` inside a docstring is not an import.
 */
export function withoutStringsAndComments(source: string): string {
  // Longest delimiters first; a raw string cannot escape its delimiter differently for this purpose.
  const token =
    /#[^\n]*|("""|''')(?:\\[^]|(?!\1)[^\\])*(?:\1|$)|"(?:\\[^]|[^"\\\n])*("|$|(?=\n))|'(?:\\[^]|[^'\\\n])*('|$|(?=\n))/g;
  return source.replace(token, (found) => found.replace(/[^\n]/g, ' '));
}

export interface PythonImport {
  /** The first part of the module's name. */
  readonly module: string;
  /** True inside `try:`, a function or an `if`: the program may run without it. */
  readonly isConditional: boolean;
}

/** The absolute imports of a source text. Relative ones (`from . import x`) always belong to the repository. */
export function pythonImports(source: string): PythonImport[] {
  const plain = withoutStringsAndComments(source).replace(/\\\r?\n/g, ' ');
  const found: PythonImport[] = [];
  for (const match of plain.matchAll(
    /^([ \t]*)(?:.*;[ \t]*)?(?:import[ \t]+([^\n;]+)|from[ \t]+([\w.]+)[ \t]+import\b)/gm,
  )) {
    const isConditional = match[1] !== '';
    const names = match[3] === undefined ? (match[2] ?? '').split(',') : [match[3]];
    for (const name of names) {
      const module = /^\s*([A-Za-z_]\w*)/.exec(name)?.[1];
      if (module !== undefined) found.push({ module, isConditional });
    }
  }
  return found;
}

/** The prediction-like functions and methods that a source text defines. */
export function predictionNames(source: string): string[] {
  const plain = withoutStringsAndComments(source);
  const names = [...plain.matchAll(/^[ \t]*(?:async[ \t]+)?def[ \t]+([A-Za-z]\w*)/gm)].map((match) => match[1] ?? '');
  return [
    ...new Set(
      names.filter((name) => /^(predict|classify|infer|score|label|tag|detect|estimate|fit|evaluate)/.test(name)),
    ),
  ];
}

/** True when the file runs as a program. */
export function isProgram(source: string): boolean {
  return /^if[ \t]+__name__[ \t]*==/m.test(withoutStringsAndComments(source));
}
