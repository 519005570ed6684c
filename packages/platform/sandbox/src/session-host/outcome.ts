import { constants } from 'node:os';
import type { SessionEnd, SessionExit } from '../sandbox.ts';

/** Why the host ended a session. */
export interface Ending {
  readonly end: Extract<SessionEnd, 'timed_out' | 'out_of_memory' | 'output_limit' | 'killed'>;
  readonly message: string;
}

export interface EndFacts {
  /** Set when the host began to end the session. */
  readonly ending: Ending | undefined;
  /** A process inside was killed for memory. */
  readonly outOfMemory: boolean;
  readonly memoryBytes: number;
  /** As the backend reported it; undefined when the command was never executed, or nobody could report. */
  readonly exitCode: number | undefined;
  /** How the backend itself ended. */
  readonly backendSignal: string | null;
  /** What the backend wrote before it gave up. */
  readonly complaint: string;
}

type Outcome = Pick<SessionExit, 'end' | 'exitCode' | 'signal' | 'message'>;

/** A signal is reported as 128 + its number, as shells do. */
const SIGNAL_BASE = 128;
const signalNames: ReadonlyMap<number, string> = new Map(
  // Reversed, so that of two names of one number (SIGABRT, SIGIOT) the usual one stays.
  Object.entries(constants.signals)
    .toReversed()
    .map(([name, number]) => [number, name]),
);

/**
 * How a session ended. Memory first, because a killed child leaves its parent's exit code at 0; then what we did; then
 * what the command did. No exit code and no signal means that the command never started.
 */
export function outcome(facts: EndFacts): Outcome {
  const command = commandResult(facts.exitCode);
  if (facts.outOfMemory)
    return {
      ...command,
      end: 'out_of_memory',
      message: `a process passed the memory limit of ${facts.memoryBytes} bytes`,
    };
  if (facts.ending !== undefined) return { ...command, ...facts.ending };
  if (facts.exitCode !== undefined) return command;
  if (facts.backendSignal !== null)
    return {
      end: 'signaled',
      exitCode: null,
      signal: facts.backendSignal,
      message: `the sandbox was ended from outside by ${facts.backendSignal}`,
    };
  return {
    end: 'setup_failed',
    exitCode: null,
    signal: null,
    message: facts.complaint === '' ? 'the sandbox ended before the command started' : facts.complaint,
  };
}

function commandResult(exitCode: number | undefined): Outcome {
  if (exitCode === undefined) return { end: 'exited', exitCode: null, signal: null };
  const signal = signalNames.get(exitCode - SIGNAL_BASE);
  if (signal === undefined) return { end: 'exited', exitCode, signal: null };
  return { end: 'signaled', exitCode: null, signal, message: `the command was ended by ${signal}` };
}
