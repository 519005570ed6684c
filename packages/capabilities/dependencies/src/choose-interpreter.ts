import type { RequiresPython } from './dependency-spec.ts';
import { compareVersions, versionFits } from './specifiers.ts';

export interface InterpreterChoice<T> {
  readonly interpreter: T;
  /** One clause: why this one. */
  readonly why: string;
}

export interface ChoiceOptions<T> {
  /** The one that is used when nothing speaks against it. */
  readonly preferred?: T;
  /** Ranges found out later, such as by a package that refuses this Python. */
  readonly also?: readonly string[];
}

const minors = ['3.14', '3.13', '3.12', '3.11', '3.10', '3.9', '3.8', '3.7', '3.6'];

/** The interpreter that fits every demand; those that also fit the wishes come first, then the usual one, then the newest. */
export function chooseInterpreter<T extends { readonly version: string }>(
  demands: readonly RequiresPython[],
  interpreters: readonly T[],
  { preferred, also = [] }: ChoiceOptions<T> = {},
): InterpreterChoice<T> | { readonly missing: MissingPython } {
  const hard = [...demands.filter(({ isPreference }) => !isPreference).map(({ specifier }) => specifier), ...also];
  const soft = demands.filter(({ isPreference }) => isPreference).map(({ specifier }) => specifier);
  const fits = (version: string, ranges: readonly string[]) => ranges.every((range) => versionFits(version, range));
  const usable = interpreters.filter(({ version }) => fits(version, hard));
  if (usable.length === 0) return { missing: missingPython(hard, interpreters) };
  const wished = usable.filter(({ version }) => fits(version, soft));
  const pool = soft.length > 0 && wished.length > 0 ? wished : usable;
  const interpreter =
    pool.find((one) => one === preferred || one.version === preferred?.version) ??
    [...pool].sort((a, b) => compareVersions(b.version, a.version))[0]!;
  return { interpreter, why: reason(interpreter, { hard, soft, hasWished: wished.length > 0 }) };
}

function reason(
  { version }: { readonly version: string },
  found: { readonly hard: readonly string[]; readonly soft: readonly string[]; readonly hasWished: boolean },
): string {
  const parts: string[] = [];
  if (found.hard.length > 0) parts.push(`it fits ${found.hard.join(' and ')}`);
  if (found.soft.length > 0)
    parts.push(
      found.hasWished
        ? `its author used ${found.soft.join(' and ')}`
        : `its author used ${found.soft.join(' and ')}, which this machine does not have`,
    );
  return parts.length === 0 ? `nothing demands another one than ${version}` : parts.join('; ');
}

export interface MissingPython {
  /** Such as `3.13`; null when no known version fits. */
  readonly version: string | null;
  readonly demands: readonly string[];
  readonly found: readonly string[];
  /** One sentence with the command that installs it. */
  readonly hint: string;
}

function missingPython(
  demands: readonly string[],
  interpreters: readonly { readonly version: string }[],
): MissingPython {
  // `>=3.8.1` is met by a later 3.8, and `<3.12` excludes all of 3.12: a high patch release stands for the minor version.
  const version =
    minors.slice(1).find((minor) => demands.every((range) => versionFits(`${minor}.30`, range))) ??
    minors.find((minor) => demands.every((range) => versionFits(`${minor}.30`, range))) ??
    null;
  const found = [...new Set(interpreters.map((one) => one.version))].sort(compareVersions);
  return {
    version,
    demands,
    found,
    hint:
      version === null
        ? 'no version of Python fits all of these ranges: correct them in the repository'
        : `install Python ${version}, for example with "uv python install ${version}" or "pyenv install ${version}", and start the plan again`,
  };
}
