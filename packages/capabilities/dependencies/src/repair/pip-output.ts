/** What pip printed, apart from what it only quotes. */
export interface PipOutput {
  /** pip's own lines, and those of a pip that it ran for build dependencies. */
  readonly own: string;
  /** What programs of packages printed: it may say anything. */
  readonly said: string;
  readonly whole: string;
}

/** pip quotes the output of a program with this indentation, line by line; its own lines stand further left. */
const QUOTED = / {6}/y;
const NESTED_PIP = /^ {0,4}× (?:pip subprocess to install|installing) (?:build|backend) dependencies/;
/** Ends of lines to a pattern, but not to pip: a quoted line that holds one stays one line. */
// eslint-disable-next-line no-control-regex
const OTHER_LINE_ENDS = /[\r\v\f\x1c-\x1e\u0085\u2028\u2029]/g;
/** A build that needs a package that must be built that needs … */
const DEEPEST = 3;

export function readPipOutput(text: string): PipOutput {
  const whole = text.replace(OTHER_LINE_ENDS, ' ');
  const { own, said } = divided(whole.split('\n'), DEEPEST);
  return { own: own.join('\n'), said: said.join('\n'), whole };
}

function divided(lines: readonly string[], depth: number): { own: string[]; said: string[] } {
  const own: string[] = [];
  const said: string[] = [];
  let nested: string[] | undefined;
  const close = () => {
    if (nested === undefined) return;
    const inner = divided(nested, depth - 1);
    own.push(...inner.own);
    said.push(...inner.said);
    nested = undefined;
  };
  for (const line of lines) {
    QUOTED.lastIndex = 0;
    if (QUOTED.test(line)) {
      (nested ?? said).push(nested === undefined ? line : line.slice(QUOTED.lastIndex));
      continue;
    }
    // What stands between the headline and the quoted lines is pip's: "exit code: 1", "[3 lines of output]".
    if (nested !== undefined && nested.length > 0) close();
    if (depth > 0 && NESTED_PIP.test(line)) nested ??= [];
    own.push(line);
  }
  close();
  return { own, said };
}
