import { isProgram, predictionNames } from './python-source.ts';

export interface EntryPointCandidate {
  readonly path: string;
  readonly score: number;
  /** What raised or lowered the score. */
  readonly reasons: readonly string[];
}

const KEPT = 12;

const nameRules: readonly (readonly [pattern: RegExp, points: number, reason: string])[] = [
  [/(^|\/)(main|__main__|cli|app)\.py$/i, 50, 'is named like a program'],
  [/(^|[/_-])(eval|evaluate|benchmark)[^/]*\.py$/i, 45, 'is named like an evaluation'],
  [/(^|[/_-])(predict|infer|classif|inference)[^/]*\.py$/i, 45, 'is named like a prediction'],
  [/(^|[/_-])train[^/]*\.py$/i, 40, 'is named like training'],
  [/(^|[/_-])run[^/]*\.py$/i, 30, 'is named like a run script'],
  [/(^|[/_-])model[^/]*\.py$/i, 20, 'is named like a model'],
  [/(^|[/_-])(tests?|examples?|demos?)([/_.-]|$)/i, -20, 'looks like a test, an example or a demo'],
  [/(^|[/_-])(tutorials?|notebooks?|docs?)([/_.-]|$)/i, -10, 'looks like teaching material'],
  [/(^|\/)(setup|conftest|conf)\.py$/i, -30, 'is packaging or test set-up'],
];

/** How likely a Python file is where the work starts; the best first, at most 12, only those with points. */
export function rankEntryPoints(
  files: readonly { readonly path: string; readonly source: string }[],
): EntryPointCandidate[] {
  return files
    .map((file) => rank(file.path, file.source))
    .filter((candidate) => candidate.score > 0)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, KEPT);
}

function rank(path: string, source: string): EntryPointCandidate {
  const reasons: string[] = [];
  let score = 0;
  const add = (points: number, reason: string) => {
    score += points;
    reasons.push(`${points > 0 ? '+' : ''}${points} ${reason}`);
  };
  for (const [pattern, points, reason] of nameRules) if (pattern.test(path)) add(points, reason);
  const names = predictionNames(source);
  if (names.length > 0) add(Math.min(40, 20 + 5 * names.length), `defines ${names.slice(0, 4).join(', ')}`);
  if (isProgram(source)) add(10, 'runs as a program');
  const depth = path.split('/').length - 1;
  if (depth > 3) add(-5, 'lies deep in the tree');
  return { path, score, reasons };
}
