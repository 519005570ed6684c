import { AssayError } from '@assay/foundation';
import {
  changeText,
  maySettle,
  diagnose,
  markerHolds,
  nextStep,
  normaliseName,
  requirementText,
  withAnswer,
  type Diagnosis,
  type FailedStep,
  type InstallState,
  type MarkerEnvironment,
  type Requirement,
  type Stop,
} from '@assay/dependencies';
import type { EnvironmentFailure, EnvironmentOutcome, PythonEnvironment } from '@assay/python-environments';
import type { PythonInterpreter } from '@assay/sandbox';

/** One call of the environment builder. */
export interface BuildRequest {
  /** Names its commands: `attempt-1`, `question-1`. */
  readonly name: string;
  readonly interpreter: PythonInterpreter;
  readonly requirements: readonly string[];
  readonly constraints: readonly string[];
  readonly buildConstraints: readonly string[];
  readonly buildEnv: Readonly<Record<string, string>>;
  readonly sources: 'never' | 'when-needed';
  readonly verbose: boolean;
}

export interface InstallDriver {
  readonly build: (request: BuildRequest) => Promise<EnvironmentOutcome>;
  /** Imports what the entry point imports; what it printed when that fails. */
  readonly check: (environment: PythonEnvironment, name: string) => Promise<FailedStep | undefined>;
  readonly markers: (interpreter: PythonInterpreter) => Promise<MarkerEnvironment>;
  readonly interpreters: readonly PythonInterpreter[];
  readonly tell: (message: string) => void;
  /** The state with which an earlier installation with this start succeeded, its imports included. */
  readonly recall?: (start: InstallState) => Promise<InstallState | undefined>;
  readonly remember?: (start: InstallState, mended: InstallState) => Promise<void>;
}

export interface Installed {
  readonly environment: PythonEnvironment;
  readonly interpreter: PythonInterpreter;
  readonly state: InstallState;
  readonly requirements: readonly string[];
  /** Left out because their condition does not hold here. */
  readonly leftOut: readonly string[];
}

/** Questions to the index between two attempts. */
const MOST_QUESTIONS = 3;

/**
 * Installs what a state asks for, and mends what the rules know: at most three attempts, each told with what was changed
 * and why. Rejects with the sentence in which it ends.
 */
export async function installWithRepair(start: InstallState, driver: InstallDriver): Promise<Installed> {
  const known = await driver.recall?.(start);
  let state = known ?? start;
  // Ends: every round adds an attempt to the state, and the third attempt that fails is the end.
  for (;;) {
    const number = state.attempts.length + 1;
    const interpreter = interpreterOf(state, driver);
    const applied = requirementLines(state, await driver.markers(interpreter));
    const outcome = await driver.build({
      ...common(state, interpreter),
      ...applied,
      name: `attempt-${number}`,
      sources: 'when-needed',
      verbose: false,
    });
    const isProven = state === known && outcome.kind === 'ready' && outcome.environment.cached;
    const diagnosis =
      outcome.kind === 'failed'
        ? diagnose(failedInstall(outcome.failure))
        : isProven
          ? undefined // the same files were imported before
          : (unlocked(applied.pins, outcome.environment) ??
            (await imported(driver, outcome.environment, `import-check-${number}`)));
    if (outcome.kind === 'ready' && diagnosis === undefined) {
      if (state !== known) await driver.remember?.(start, state);
      return {
        environment: outcome.environment,
        interpreter,
        state,
        requirements: applied.requirements,
        leftOut: applied.leftOut,
      };
    }
    state = await repaired(state, diagnosis!, driver);
  }
}

async function imported(
  driver: InstallDriver,
  environment: PythonEnvironment,
  name: string,
): Promise<Diagnosis | undefined> {
  const failure = await driver.check(environment, name);
  return failure === undefined ? undefined : diagnose(failure);
}

/** The first installed file that a constraint promises with another hash; pip checks hashes of requirements only. */
function unlocked(pins: readonly Requirement[], { lock }: PythonEnvironment): Diagnosis | undefined {
  for (const { name, version, sha256, file } of lock) {
    const pin = pins.find((one) => one.name === normaliseName(name) && one.hashes.length > 0);
    if (pin === undefined || pin.hashes.includes(`sha256:${sha256 ?? ''}`)) continue;
    return {
      kind: 'hash_mismatch',
      package: pin.name,
      requirement: `${pin.name}${pin.specifier}`,
      subject: null,
      list: [],
      evidence: `${file} (${name} ${version}) has SHA-256 ${sha256 ?? 'unknown'}, and ${pin.origin.file}:${pin.origin.line} names others`,
    };
  }
  return undefined;
}

async function repaired(failed: InstallState, first: Diagnosis, driver: InstallDriver): Promise<InstallState> {
  let [state, diagnosis] = [failed, first];
  const number = state.attempts.length + 1;
  driver.tell(`attempt ${number} failed: ${diagnosis.kind.replaceAll('_', ' ')}: ${diagnosis.evidence}`);
  for (let asked = 0; ; asked++) {
    const step = nextStep(state, diagnosis);
    if (step.kind === 'stop' || (step.kind === 'probe' && asked >= MOST_QUESTIONS))
      throw stopped(step.kind === 'stop' ? step.stop : undefined, diagnosis, state);
    if (step.kind === 'attempt') {
      const { change, why } = step.state.attempts.at(-1)!;
      driver.tell(`attempt ${number + 1}: ${changeText(change)}, because ${why}`);
      return step.state;
    }
    const answer = await ask(state, { requirement: step.requirement, name: `question-${number}-${asked + 1}` }, driver);
    state = withAnswer(state, step.requirement, answer);
    if (diagnosis.kind === 'not_found') diagnosis = answer;
  }
}

/** What the index says about the wheels of one requirement. */
async function ask(
  state: InstallState,
  question: { readonly requirement: string; readonly name: string },
  driver: InstallDriver,
): Promise<Diagnosis> {
  const interpreter = interpreterOf(state, driver);
  const outcome = await driver.build({
    ...common(state, interpreter),
    name: question.name,
    requirements: [question.requirement],
    constraints: [],
    sources: 'never',
    verbose: true,
  });
  if (outcome.kind === 'ready') return diagnose({ step: 'probe', output: 'it has a wheel' });
  return diagnose({ ...failedInstall(outcome.failure), step: 'probe' });
}

function common(state: InstallState, interpreter: PythonInterpreter) {
  return { interpreter, buildConstraints: state.buildConstraints, buildEnv: state.buildEnv };
}

function interpreterOf(state: InstallState, { interpreters }: InstallDriver): PythonInterpreter {
  const found = interpreters.find(({ version }) => version === state.python);
  if (found !== undefined) return found;
  throw new AssayError('internal', `Python ${state.python} was chosen and is not among the interpreters`);
}

/** The lines whose conditions hold for an interpreter, without the conditions. */
export function requirementLines(state: InstallState, markers: MarkerEnvironment) {
  const holds = ({ marker }: Requirement) => marker === null || markerHolds(marker, markers) !== false;
  const line = (one: Requirement) =>
    requirementText({ ...one, marker: null, hashes: state.checksHashes ? one.hashes : [] });
  const pins = state.constraints.filter(holds);
  return {
    requirements: state.requirements.filter(holds).map(line),
    // A hash among the constraints would make pip demand one of every requirement.
    constraints: pins.map((one) => requirementText({ ...one, marker: null, hashes: [], extras: [] })),
    pins,
    leftOut: state.requirements.filter((one) => !holds(one)).map(requirementText),
  };
}

function failedInstall({ output, exit, message, refusedHosts, space }: EnvironmentFailure): FailedStep {
  const refused = refusedHosts.map(({ host }) => `the sandbox refused the host ${host}`).join('\n');
  const end = exit?.end;
  return {
    step: 'install',
    output: output === '' ? message : `${output}${refused === '' ? '' : `\n${refused}`}`,
    ...(end === 'timed_out' || end === 'out_of_memory' || end === 'output_limit' ? { end } : {}),
    ...(space === undefined ? {} : { space }),
  };
}

function stopped(stop: Stop | undefined, diagnosis: Diagnosis, { attempts }: InstallState): AssayError {
  const tried = attempts.map(({ diagnosis: { kind, evidence }, change, why }) => ({
    kind,
    evidence,
    changed: changeText(change),
    why,
  }));
  const isFinal = !maySettle.has(diagnosis.kind);
  const details = {
    attempts: [...tried, { kind: diagnosis.kind, evidence: diagnosis.evidence, changed: null, why: null }],
  };
  if (stop === undefined)
    return new AssayError('dependency_install_failed', 'the packages could not be installed', {
      why: diagnosis.evidence,
      hint: 'correct the requirements of the repository as the attempts show, and start the plan again',
      details,
      isFinal,
    });
  return new AssayError(stop.code, stop.message, { why: stop.why, hint: stop.hint, details, isFinal });
}
