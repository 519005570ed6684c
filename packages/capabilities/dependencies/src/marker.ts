import { isSpecifier, isVersion, versionFits } from './specifiers.ts';
import { normaliseName } from './requirement.ts';

/** The values of a PEP 508 environment, such as `python_version` and `sys_platform`. */
export type MarkerEnvironment = Readonly<Record<MarkerVariable, string>>;

export const markerVariables = [
  'implementation_name',
  'implementation_version',
  'os_name',
  'platform_machine',
  'platform_python_implementation',
  'platform_release',
  'platform_system',
  'platform_version',
  'python_full_version',
  'python_version',
  'sys_platform',
] as const;
export type MarkerVariable = (typeof markerVariables)[number];

type Operand = { readonly variable: MarkerVariable | 'extra' } | { readonly literal: string };
type Marker =
  | { readonly kind: 'and'; readonly left: Marker; readonly right: Marker }
  | { readonly kind: 'or'; readonly left: Marker; readonly right: Marker }
  | { readonly kind: 'compare'; readonly operator: string; readonly left: Operand; readonly right: Operand };

/** Older names of the same variables, allowed by PEP 508. */
const oldNames: Readonly<Record<string, MarkerVariable>> = {
  'os.name': 'os_name',
  'sys.platform': 'sys_platform',
  'platform.version': 'platform_version',
  'platform.machine': 'platform_machine',
  'platform.python_implementation': 'platform_python_implementation',
  python_implementation: 'platform_python_implementation',
};

const versions: ReadonlySet<string> = new Set(['python_version', 'python_full_version', 'implementation_version']);
const MOST_TOKENS = 400;

/**
 * True when a marker holds (PEP 508). `extras` are the extras that were asked for: `extra == "x"` is false without them.
 * Returns undefined for a text that is no marker.
 */
export function markerHolds(
  text: string,
  environment: MarkerEnvironment,
  extras: readonly string[] = [],
): boolean | undefined {
  const marker = parseMarker(text);
  if (marker === undefined) return undefined;
  const asked = extras.length === 0 ? [''] : extras.map(normaliseName);
  return asked.some((extra) => holds(marker, { ...environment, extra }));
}

/** True for a text that PEP 508 allows as a marker. */
export function isMarker(text: string): boolean {
  return parseMarker(text) !== undefined;
}

function parseMarker(text: string): Marker | undefined {
  const tokens = tokenize(text);
  if (tokens === undefined || tokens.length === 0) return undefined;
  const state = { tokens, at: 0 };
  const marker = parseOr(state);
  return state.at === tokens.length ? marker : undefined;
}

function tokenize(text: string): string[] | undefined {
  const pattern = /\s*(?:("[^"]*"|'[^']*')|(===|~=|==|!=|<=|>=|<|>)|([()])|(not\s+in\b)|([A-Za-z_][\w.]*))\s*/y;
  const tokens: string[] = [];
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null || tokens.length >= MOST_TOKENS) return undefined;
    tokens.push(match[1] ?? match[2] ?? match[3] ?? (match[4] === undefined ? (match[5] ?? '') : 'not in'));
  }
  return tokens;
}

interface ParserState {
  readonly tokens: readonly string[];
  at: number;
}

function parseOr(state: ParserState): Marker | undefined {
  return parseChain(state, 'or', () => parseChain(state, 'and', () => parseComparison(state)));
}

function parseChain(state: ParserState, kind: 'and' | 'or', part: () => Marker | undefined): Marker | undefined {
  let left = part();
  while (left !== undefined && state.tokens[state.at] === kind) {
    state.at++;
    const right = part();
    left = right === undefined ? undefined : { kind, left, right };
  }
  return left;
}

function parseComparison(state: ParserState): Marker | undefined {
  if (state.tokens[state.at] === '(') {
    state.at++;
    const inner = parseOr(state);
    if (state.tokens[state.at++] !== ')') return undefined;
    return inner;
  }
  const left = operand(state.tokens[state.at++]);
  const operator = state.tokens[state.at++];
  const right = operand(state.tokens[state.at++]);
  if (left === undefined || right === undefined || operator === undefined) return undefined;
  if (!/^(===|~=|==|!=|<=|>=|<|>|in|not in)$/.test(operator)) return undefined;
  return { kind: 'compare', operator, left, right };
}

function operand(token: string | undefined): Operand | undefined {
  if (token === undefined) return undefined;
  if (/^["']/.test(token)) return { literal: token.slice(1, -1) };
  if (token === 'extra') return { variable: 'extra' };
  const name = oldNames[token] ?? token;
  return isVariable(name) ? { variable: name } : undefined;
}

function isVariable(name: string): name is MarkerVariable {
  return (markerVariables as readonly string[]).includes(name);
}

function holds(marker: Marker, environment: Readonly<Record<string, string>>): boolean {
  if (marker.kind === 'and') return holds(marker.left, environment) && holds(marker.right, environment);
  if (marker.kind === 'or') return holds(marker.left, environment) || holds(marker.right, environment);
  const isExtra = [marker.left, marker.right].some((side) => 'variable' in side && side.variable === 'extra');
  const value = (side: Operand) => {
    const text = 'literal' in side ? side.literal : (environment[side.variable] ?? '');
    return isExtra ? normaliseName(text) : text;
  };
  const isVersioned = [marker.left, marker.right].some((side) => 'variable' in side && versions.has(side.variable));
  return compareValues(value(marker.left), marker.operator, { right: value(marker.right), isVersioned });
}

/** Versions compare as versions when both sides are some, everything else as text. */
function compareValues(
  left: string,
  operator: string,
  { right, isVersioned }: { readonly right: string; readonly isVersioned: boolean },
): boolean {
  if (operator === 'in') return right.includes(left);
  if (operator === 'not in') return !right.includes(left);
  if (isVersioned && isVersion(left) && isSpecifier(`${operator}${right}`))
    return versionFits(left, `${operator}${right}`);
  switch (operator) {
    case '==':
    case '===':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      return false;
  }
}
