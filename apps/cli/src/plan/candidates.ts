import { InvalidArgumentError } from 'commander';

/** One thing to measure: a repository, at a revision, a folder of it, through an entry point. */
export interface CandidateOptions {
  readonly repo: string;
  readonly revision?: string | undefined;
  readonly ref?: string | undefined;
  readonly subfolder?: string | undefined;
  readonly entry?: string | undefined;
  /** The same for all. */
  readonly secret?: string | undefined;
  /** The same for all. */
  readonly map?: string | undefined;
}

/** Every use of a repeatable option, in order. */
export function collected(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

const MOST = 10;

/**
 * What is to be measured, from options that may each be given several times. An option that is given once holds for all;
 * those that are given several times go together by their order. Throws what commander turns into a usage error.
 */
export function candidatesOf(options: {
  readonly repo: readonly string[];
  readonly revision?: readonly string[] | undefined;
  readonly ref?: readonly string[] | undefined;
  readonly subfolder?: readonly string[] | undefined;
  readonly entry?: readonly string[] | undefined;
  readonly secret?: string | undefined;
  readonly map?: string | undefined;
}): CandidateOptions[] {
  const { repo, revision = [], ref = [], subfolder = [], entry = [], secret, map } = options;
  const repeated = { repo, revision, ref, subfolder, entry };
  const count = Math.max(...Object.values(repeated).map(({ length }) => length));
  const uneven = Object.entries(repeated).find(([, { length }]) => length > 1 && length !== count);
  if (uneven !== undefined)
    throw new InvalidArgumentError(
      `--${uneven[0]} is given ${uneven[1].length} times and another option ${count} times: give each once, or the same number of times.`,
    );
  if (count > MOST) throw new InvalidArgumentError(`At most ${MOST} candidates are compared at once.`);
  const shared = { ...(secret === undefined ? {} : { secret }), ...(map === undefined ? {} : { map }) };
  return Array.from({ length: count }, (_, place) => {
    const said = Object.entries(repeated).flatMap(([name, values]) => {
      const value = values.length > 1 ? values[place] : values[0];
      return value === undefined ? [] : [[name, value] as const];
    });
    return { repo: repo[0]!, ...Object.fromEntries(said), ...shared };
  });
}
