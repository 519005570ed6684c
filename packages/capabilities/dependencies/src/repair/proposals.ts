import { chooseInterpreter } from '../choose-interpreter.ts';
import { packageOfModule } from '../import-names.ts';
import { normaliseName, requirementText, type Requirement } from '../requirement.ts';
import type { Diagnosis } from './diagnosis.ts';
import type { Change, InstallState, Proposal, Stop } from './install-state.ts';

/** What a proposer gets: one diagnosis in one state. */
export interface Case {
  readonly diagnosis: Diagnosis;
  readonly state: InstallState;
}

export type Proposer = (found: Case) => Proposal;

export function change(made: Change, why: string): Proposal {
  return { change: made, why };
}

export function stop(
  message: string,
  why: string,
  hint: string,
  code: Stop['code'] = 'dependency_install_failed',
): Proposal {
  return { stop: { code, message, why, hint } };
}

/** The requirement of the repository that a diagnosis is about; undefined for a package that another one needs. */
export function listed({ diagnosis, state }: Case): Requirement | undefined {
  return state.requirements.find(({ name }) => name !== '' && name === diagnosis.package);
}

/** `requirements.txt:3 (numpy==1.19)`, or the name alone. */
export function placeOf(requirement: Requirement | undefined, name: string | null): string {
  if (requirement === undefined || requirement.origin.line === 0) return name ?? 'a package';
  return `${requirementText({ ...requirement, hashes: [] })} (${requirement.origin.file}:${requirement.origin.line})`;
}

/** True when the entry point always imports a module of this package. */
export function isImported(state: InstallState, name: string): boolean {
  return state.imports.some(
    (module) => normaliseName(module) === name || normaliseName(packageOfModule(module).name) === name,
  );
}

export function wasTried(state: InstallState, made: Change): boolean {
  return state.attempts.some((attempt) => JSON.stringify(attempt.change) === JSON.stringify(made));
}

/** Leaves a package out that the entry point does not import; otherwise `instead`. */
export function orWithout(found: Case, reason: string, instead: () => Proposal): Proposal {
  const requirement = listed(found);
  if (requirement === undefined || found.state.imports.length === 0 || isImported(found.state, requirement.name))
    return instead();
  return change({ kind: 'remove', name: requirement.name }, `${reason}, and the entry point does not import it`);
}

/** Another interpreter of this machine that fits `range` too, or the version that is needed. */
export function otherPython(found: Case, range: string, reason: string): Proposal {
  const { state } = found;
  const pythons = state.pythons.map((version) => ({ version }));
  const choice = chooseInterpreter(state.demands, pythons, { also: [range] });
  if ('missing' in choice)
    return stop(
      choice.missing.version === null ? 'no version of Python fits' : `Python ${choice.missing.version} is needed`,
      `${reason}; this machine has ${choice.missing.found.join(', ')}`,
      choice.missing.hint,
      'interpreter_missing',
    );
  const made: Change = { kind: 'python', version: choice.interpreter.version };
  if (choice.interpreter.version === state.python || wasTried(state, made))
    return stop(
      'no interpreter of this machine fits',
      reason,
      `install a Python that fits ${range}, and start the plan again`,
      'interpreter_missing',
    );
  return change(made, reason);
}
