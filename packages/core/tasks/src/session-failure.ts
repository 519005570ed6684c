import { usualHint } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import type { FinishedSession } from './task-sessions.ts';

export interface SuccessOptions {
  /** Code of a command that ran and failed. */
  readonly code?: string;
  /** What else a person must know about a command that failed, as a clause. */
  readonly note?: string | undefined;
  /** The same about what it printed. */
  readonly explain?: ((printed: string) => Promise<string | undefined>) | undefined;
}

const SHOWN_HOSTS = 5;

/** Throws what a session's end means, unless the command ran and returned 0. `what` starts a sentence: "the adapter". */
export async function requireSuccess(
  session: FinishedSession,
  what: string,
  { code = 'command_failed', note, explain }: SuccessOptions = {},
): Promise<void> {
  const { exit } = session;
  if (exit.end === 'exited' && exit.exitCode === 0) return;
  const tail = (await session.tail()).trim();
  const printed = tail === '' ? 'it printed nothing' : `it said: ${tail}`;
  const refused = (exit.network?.hosts ?? []).filter(({ verdict }) => verdict === 'refused').slice(0, SHOWN_HOSTS);
  const hosts = refused.map(
    ({ host, port, reason }) => `${host}:${port ?? '?'} was refused (${reason ?? 'not allowed'})`,
  );
  const notes = [note, ...hosts, printed, await explain?.(tail)];
  const said = notes.filter((one) => one !== undefined).join('; ');
  switch (exit.end) {
    case 'exited':
      throw new AssayError(code, `${what} ended with exit code ${exit.exitCode}`, {
        why: said,
        hint: 'look at the log of the session; a result is only taken from a command that succeeds',
        details: { session: session.id, exitCode: exit.exitCode },
      });
    case 'signaled':
      throw new AssayError(code, `${what} was ended by ${exit.signal ?? 'a signal'}`, {
        why: said,
        hint: 'look at the log of the session; SIGSEGV and SIGBUS are crashes of compiled code, and fewer rows with --limit may show which row does it',
        details: { session: session.id },
      });
    case 'timed_out':
      throw new AssayError('task_timeout', `${what} ran out of time after ${exit.seconds.toFixed(0)} s`, {
        why: said,
        hint: 'try fewer rows with --limit, or a faster entry point',
      });
    case 'out_of_memory':
      throw new AssayError('out_of_memory', `${what} needed more memory than it may have`, {
        why: exit.message ?? said,
        hint: 'raise sandbox.memory_bytes in config.yaml, or try fewer rows with --limit',
      });
    case 'output_limit':
      throw new AssayError('output_limit', `${what} wrote more than it may`, {
        why: exit.message ?? said,
        hint: 'make it write less, try fewer rows with --limit, or raise sandbox.disk_bytes in config.yaml',
      });
    case 'killed':
      throw new AssayError('canceled', `${what} was ended on request`, {
        why: exit.message ?? said,
        hint: usualHint('canceled'),
      });
    case 'setup_failed':
      throw new AssayError('sandbox_setup_failed', `${what} did not start`, {
        why: exit.message ?? said,
        hint: 'run "assay doctor" to test the sandbox',
      });
    case 'lost':
      throw new AssayError('session_lost', `${what} was lost when its host ended`, {
        why: exit.message ?? 'the session host is gone',
        hint: 'retry the task',
      });
  }
}
