import type { PythonToken } from './python-tokens.ts';

/** Names of variables, arguments and functions that set where random numbers start. */
const SEED_NAME = /seed|random_state/i;
const SEEDED_CALL = /seed|^(Random|RandomState|default_rng|PRNGKey)$/i;

/**
 * The tokens with every number that only says where random numbers start replaced by 0: `seed = 1`, `SEEDS = [1, 2]`,
 * `fit(x, random_state=1)`, `random.seed(1)`, `{"seed": 1}`.
 */
export function withoutSeeds(tokens: readonly PythonToken[]): PythonToken[] {
  const blank = new Set<number>();
  for (let at = 0; at < tokens.length; at += 1) {
    const start = valueAfter(tokens, at);
    if (start !== undefined) for (const place of numbersFrom(tokens, start)) blank.add(place);
  }
  return tokens.flatMap((token, at) => {
    if (!blank.has(at)) return [token];
    return token.kind === 'number' ? [{ kind: 'number' as const, text: '0' }] : [];
  });
}

/** Where the value starts that the token at `at` names, when it names a seed. */
function valueAfter(tokens: readonly PythonToken[], at: number): number | undefined {
  const token = tokens[at]!;
  const next = tokens[at + 1];
  if (token.kind === 'name' && SEEDED_CALL.test(token.text) && isMark(next, '(')) return at + 2;
  if (token.kind === 'string' && SEED_NAME.test(token.text) && isMark(next, ':')) return at + 2;
  if (token.kind !== 'name' || !SEED_NAME.test(token.text)) return undefined;
  if (isMark(next, '=')) return at + 2;
  // seed: int = 1
  return isMark(next, ':') && tokens[at + 2]?.kind === 'name' && isMark(tokens[at + 3], '=') ? at + 4 : undefined;
}

/** The places of a number with its sign, or of the numbers of a list. */
function numbersFrom(tokens: readonly PythonToken[], start: number): number[] {
  const listed = isMark(tokens[start], '[') || isMark(tokens[start], '(');
  const places: number[] = [];
  for (let at = listed ? start + 1 : start; ; at += 2) {
    if (isMark(tokens[at], '-') && tokens[at + 1]?.kind === 'number') {
      places.push(at);
      at += 1;
    }
    if (tokens[at]?.kind !== 'number') return places;
    places.push(at);
    if (!listed || !isMark(tokens[at + 1], ',')) return places;
  }
}

function isMark(token: PythonToken | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}

/** A configuration text (JSON, YAML, TOML, INI) with its seeds replaced by 0. */
export function configWithoutSeeds(text: string): string {
  return text.replace(/(\w*(?:seed|random_state)\w*["']?[ \t]*[:=][ \t]*)[+-]?\d+(?![\w.])/gi, '$10');
}
