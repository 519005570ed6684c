import { assertNever } from '@assay/foundation';
import type { RequiresPython } from '../dependency-spec.ts';
import type { Requirement } from '../requirement.ts';
import type { Diagnosis } from './diagnosis.ts';

/** Everything that decides what is installed: a repair changes one thing in it. */
export interface InstallState {
  readonly requirements: readonly Requirement[];
  readonly constraints: readonly Requirement[];
  /** The lock file whose versions are among the constraints, or null. */
  readonly lockFile: string | null;
  /** Version of the interpreter in use, and those that this machine has. */
  readonly python: string;
  readonly pythons: readonly string[];
  readonly demands: readonly RequiresPython[];
  /** As in names of wheels: `x86_64`, `aarch64`. */
  readonly machine: string;
  /** False: hashes that the repository names are not checked, because only some lines have them. */
  readonly checksHashes: boolean;
  /** Ranges for what builds source distributions, such as `setuptools<81`. */
  readonly buildConstraints: readonly string[];
  readonly buildEnv: Readonly<Record<string, string>>;
  /** Top-level modules that the entry point's files always import. */
  readonly imports: readonly string[];
  /** Declared, and not needed as far as the imports show. */
  readonly declared: readonly Requirement[];
  /** From git or an address. */
  readonly unavailable: readonly Requirement[];
  /** What the index says about single requirements that failed, by their text. */
  readonly answers: Readonly<Record<string, Diagnosis>>;
  readonly attempts: readonly Attempt[];
}

/** One change to an `InstallState`. */
export type Change =
  | { readonly kind: 'replace'; readonly name: string; readonly by: string }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'range'; readonly name: string; readonly from: string; readonly to: string }
  | { readonly kind: 'add'; readonly name: string; readonly specifier: string }
  | { readonly kind: 'python'; readonly version: string }
  | { readonly kind: 'build_constraint'; readonly text: string }
  | { readonly kind: 'build_env'; readonly name: string; readonly value: string }
  | { readonly kind: 'without_hashes' }
  | { readonly kind: 'without_lock'; readonly file: string }
  | { readonly kind: 'again' };

/** A failed attempt, what it meant, and what was changed for the next one. */
export interface Attempt {
  readonly diagnosis: Diagnosis;
  readonly change: Change;
  readonly why: string;
}

/** Why there is no further attempt: what a person reads. */
export interface Stop {
  readonly code: 'dependency_install_failed' | 'interpreter_missing' | 'disk_full' | 'out_of_memory' | 'output_limit';
  readonly message: string;
  readonly why: string;
  readonly hint: string;
}

export type Proposal =
  | { readonly change: Change; readonly why: string }
  | { readonly stop: Stop }
  /** Ask the index about this one requirement, wheels only, and propose again with the answer. */
  | { readonly probe: string };

/** The state after a change. */
export function applyChange(state: InstallState, change: Change): InstallState {
  const edit = (edited: (one: Requirement) => Requirement) => ({
    ...state,
    requirements: state.requirements.map(edited),
  });
  switch (change.kind) {
    case 'replace':
      return edit((one) => (one.name === change.name ? { ...one, name: change.by, hashes: [] } : one));
    case 'remove':
      return { ...state, requirements: state.requirements.filter(({ name }) => name !== change.name) };
    case 'range':
      return edit((one) => (one.name === change.name ? { ...one, specifier: change.to, hashes: [] } : one));
    case 'add':
      return { ...state, requirements: [...state.requirements, added(change)] };
    case 'python':
      return { ...state, python: change.version };
    case 'build_constraint':
      return { ...state, buildConstraints: [...state.buildConstraints, change.text] };
    case 'build_env':
      return { ...state, buildEnv: { ...state.buildEnv, [change.name]: change.value } };
    case 'without_hashes':
      return { ...edit((one) => ({ ...one, hashes: [] })), checksHashes: false };
    case 'without_lock':
      return withoutLock(state);
    case 'again':
      return state;
    default:
      return assertNever(change);
  }
}

function withoutLock(state: InstallState): InstallState {
  const constraints = state.constraints.filter(({ origin }) => origin.file !== state.lockFile);
  return { ...state, constraints, lockFile: null };
}

function added({ name, specifier }: { readonly name: string; readonly specifier: string }): Requirement {
  const origin = { file: '', line: 0 };
  return { name, extras: [], specifier, marker: null, place: { kind: 'index' }, editable: false, hashes: [], origin };
}

/** A change in words, as it stands in the record of the attempt. */
export function changeText(change: Change): string {
  switch (change.kind) {
    case 'replace':
      return `${change.name} is replaced by ${change.by}`;
    case 'remove':
      return `${change.name} is left out`;
    case 'range':
      return `${change.name}${change.from} becomes ${change.name}${change.to}`;
    case 'add':
      return `${change.name}${change.specifier} is added`;
    case 'python':
      return `Python ${change.version} is used`;
    case 'build_constraint':
      return `builds use ${change.text}`;
    case 'build_env':
      return `builds see ${change.name}=${change.value}`;
    case 'without_hashes':
      return 'the hashes of the repository are not checked';
    case 'without_lock':
      return `the versions of ${change.file} are not followed`;
    case 'again':
      return 'the same is tried once more';
    default:
      return assertNever(change);
  }
}
