import { hangsOnVersion, sameFailure, type Diagnosis, type DiagnosisKind } from './diagnosis.ts';
import { applyChange, type InstallState, type Proposal, type Stop } from './install-state.ts';
import type { Proposer } from './proposals.ts';
import { buildProposals } from './propose-build.ts';
import { indexProposals } from './propose-index.ts';
import { machineProposals } from './propose-machine.ts';
import { runProposals } from './propose-run.ts';

/** Attempts to install, the first one included. */
export const MOST_ATTEMPTS = 3;

const proposals: Readonly<Record<DiagnosisKind, Proposer>> = {
  ...machineProposals,
  ...indexProposals,
  ...buildProposals,
  ...runProposals,
};

/** What to do about a failure, whatever was tried before. */
export function propose(diagnosis: Diagnosis, state: InstallState): Proposal {
  // Nothing of the repository contradicts its own lock file: that was made for another Python or another machine.
  if (diagnosis.kind === 'conflict' && state.lockFile !== null) return withoutLock(state.lockFile, diagnosis);
  const proposal = proposals[diagnosis.kind]({ diagnosis, state });
  const isEnd = 'stop' in proposal && proposal.stop.code === 'dependency_install_failed';
  return isEnd && state.lockFile !== null && hangsOnVersion.has(diagnosis.kind)
    ? withoutLock(state.lockFile, diagnosis)
    : proposal;
}

function withoutLock(file: string, { kind, list, evidence }: Diagnosis): Proposal {
  const shown = kind === 'conflict' && list.length > 0 ? list.join('; ') : evidence;
  return {
    change: { kind: 'without_lock', file },
    why: `its versions cannot be installed with this Python on this machine: ${shown}`,
  };
}

export type NextStep =
  | { readonly kind: 'attempt'; readonly state: InstallState }
  | { readonly kind: 'probe'; readonly requirement: string }
  | { readonly kind: 'stop'; readonly stop: Stop };

/**
 * The next step after a failed attempt: one change and another attempt, a question to the index, or the end. There are
 * at most three attempts, and the same failure after a change ends them, since the change did not help.
 */
export function nextStep(state: InstallState, diagnosis: Diagnosis): NextStep {
  const last = state.attempts.at(-1);
  const proposal = propose(diagnosis, state);
  if ('probe' in proposal) return { kind: 'probe', requirement: proposal.probe };
  if ('stop' in proposal) return { kind: 'stop', stop: afterAttempts(proposal.stop, state) };
  const isSame = last !== undefined && sameFailure(last.diagnosis, diagnosis);
  if (isSame || state.attempts.length + 1 >= MOST_ATTEMPTS)
    return { kind: 'stop', stop: afterAttempts(gaveUp(diagnosis, state, isSame), state) };
  const attempt = { diagnosis, change: proposal.change, why: proposal.why };
  return {
    kind: 'attempt',
    state: { ...applyChange(state, proposal.change), answers: {}, attempts: [...state.attempts, attempt] },
  };
}

/** The state with what the index said about one requirement. */
export function withAnswer(state: InstallState, requirement: string, answer: Diagnosis): InstallState {
  return { ...state, answers: { ...state.answers, [requirement]: answer } };
}

function gaveUp(diagnosis: Diagnosis, state: InstallState, isSame: boolean): Stop {
  return {
    code: 'dependency_install_failed',
    message: `the packages could not be installed in ${state.attempts.length + 1} attempts`,
    why: `${isSame ? 'the same failure came again after a change' : 'the last failure'}: ${diagnosis.evidence}`,
    hint: 'correct the requirements of the repository as the attempts show, and start the plan again',
  };
}

function afterAttempts(stop: Stop, state: InstallState): Stop {
  if (state.attempts.length === 0) return stop;
  const tried = state.attempts.map(({ why }, index) => `${index + 1}: ${why}`).join('; ');
  return { ...stop, why: `${stop.why} (tried before: ${tried})` };
}
