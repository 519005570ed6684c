import { usualHint } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import type { EgressHost } from '@assay/sandbox';
import type { EnvironmentFailure, StepResult } from './environment.ts';

const OUTPUT_BYTES = 64 * 1024;

/** Hosts that a step asked for and did not get. */
export function refusedHosts(result: StepResult): EgressHost[] {
  return (result.exit.network?.hosts ?? []).filter(({ verdict }) => verdict === 'refused');
}

/**
 * Undefined for a step that succeeded; a failure for one that the requirements may be to blame for. Throws what has
 * nothing to do with them: a sandbox that did not start, a lost or an ended session.
 */
export async function failureOf(
  step: EnvironmentFailure['step'],
  result: StepResult,
  notes: readonly string[],
): Promise<EnvironmentFailure | undefined> {
  const { exit } = result;
  if (exit.end === 'exited' && exit.exitCode === 0) return undefined;
  const why = exit.message ?? (await result.tail(2000));
  if (exit.end === 'setup_failed')
    throw new AssayError('sandbox_setup_failed', 'the installation did not start', {
      why,
      hint: 'run "assay doctor" to test the sandbox',
    });
  if (exit.end === 'lost')
    throw new AssayError('session_lost', 'the installation was lost when its host ended', {
      why,
      hint: 'retry the task',
    });
  if (exit.end === 'killed' && !/^more than \d+ processes$/.test(exit.message ?? ''))
    throw new AssayError('canceled', 'the installation was ended on request', {
      why,
      hint: usualHint('canceled'),
    });
  return {
    step,
    message: exit.message ?? `the installer ended with exit code ${exit.exitCode}`,
    output: await result.tail(OUTPUT_BYTES),
    refusedHosts: refusedHosts(result),
    exit,
    session: result.id,
    notes,
  };
}

/** pip's words for: there may be a source distribution, but no wheel. */
const NO_WHEEL =
  /No matching distribution found|Could not find a version that satisfies|ResolutionImpossible|conflicting dependencies/;

export function mayNeedSources(failure: EnvironmentFailure): boolean {
  return failure.exit?.end === 'exited' && NO_WHEEL.test(failure.output);
}
