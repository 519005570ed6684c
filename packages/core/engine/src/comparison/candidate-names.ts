import type { PlanInputs } from '@assay/contracts';

/** Short names of plans, unique among them: the repository's own, with folder, revision and entry point where they were said. */
export function candidateNames(inputs: readonly PlanInputs[]): string[] {
  const short = inputs.map((one) => nameOf(one, 1));
  const both = inputs.map((one) => nameOf(one, 2));
  // The folder above is named where it tells one from another.
  const longer = short.map((name, at) => (isUnique(short, at) || !isUnique(both, at) ? name : both[at]!));
  const seen = new Map<string, number>();
  return longer.map((name, at) => {
    if (isUnique(longer, at)) return name;
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    return `${name} #${number}`;
  });
}

function isUnique(names: readonly string[], at: number): boolean {
  return names.every((name, other) => other === at || name !== names[at]);
}

function nameOf({ repository = '', ref, subfolder, entrypoint }: PlanInputs, parts: number): string {
  const path = repository
    .replace(/\.git\/?$/, '')
    .split('/')
    .filter((part) => part !== '');
  const base = path.slice(-parts).join('/') || repository;
  const folder = subfolder === undefined ? '' : `/${subfolder}`;
  return `${base}${folder}${ref === undefined ? '' : `@${ref}`}${entrypoint === undefined ? '' : ` ${entrypoint}`}`;
}
