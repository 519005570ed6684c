import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Attestation } from '@assay/contracts';
import { AssayError, errorText, throwIfAborted, type Logger } from '@assay/foundation';
import { HostGone, type HostClient } from '../host-client.ts';
import type { ExecOptions, Instance, SandboxCommand, SandboxSpec, Session } from '../sandbox.ts';
import type { StartRequest } from '../session-host/protocol.ts';
import { sessionFiles } from '../session-files.ts';
import { HostSession } from '../host-session.ts';
import type { Boundary } from './boundary.ts';
import { checkTimeout } from './check-spec.ts';
import { innerEnvironment } from './inner-environment.ts';

const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;
const MAX_ARGUMENTS_BYTES = 1024 * 1024;

export interface InstanceParts {
  readonly home: string;
  readonly program: string;
  readonly spec: SandboxSpec;
  readonly boundary: Boundary;
  readonly attestation: Attestation;
  readonly host: () => Promise<HostClient>;
  readonly logger: Logger;
}

export class BubblewrapInstance implements Instance {
  readonly attestation: Attestation;
  readonly #parts: InstanceParts;
  readonly #running = new Set<Session>();

  constructor(parts: InstanceParts) {
    this.#parts = parts;
    this.attestation = parts.attestation;
  }

  async exec(command: SandboxCommand, options: ExecOptions = {}): Promise<Session> {
    throwIfAborted(options.signal);
    checkCommand(command);
    if (options.timeoutSeconds !== undefined) checkTimeout(options.timeoutSeconds);
    const request = this.#request(command, options);
    await mkdir(command.sessionDir, { recursive: true, mode: 0o700 });
    const host = await this.#start(request);
    const session = new HostSession({ home: this.#parts.home, id: command.sessionId, dir: command.sessionDir, host });
    this.#track(session, options.signal);
    return session;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#running].map((session) => session.kill('the sandbox was closed')));
  }

  /**
   * A host that was about to leave may close the connection under the request. It is asked once more, but only when it
   * surely did not start anything: the log is made before the command is.
   */
  async #start(request: StartRequest): Promise<HostClient> {
    const log = join(request.dir, sessionFiles.output);
    const known = existsSync(log);
    for (const attempt of ['first', 'last'] as const) {
      const host = await this.#parts.host();
      try {
        await host.call('start', request);
        return host;
      } catch (error) {
        if (!(error instanceof HostGone)) throw error;
        if (attempt === 'first' && existsSync(log) === known) continue;
        throw new AssayError('session_lost', `session ${request.sessionId} was lost while it started`, {
          why: errorText(error),
          hint: 'retry the task',
        });
      }
    }
    throw new Error('unreachable: the last attempt returns or throws');
  }

  #track(session: Session, signal: AbortSignal | undefined): void {
    this.#running.add(session);
    const onAbort = () => {
      session
        .kill('canceled')
        .catch((error: unknown) =>
          this.#parts.logger.log('warn', `session ${session.id} could not be ended`, { error: errorText(error) }),
        );
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    session
      .wait()
      .catch(() => undefined) // Told to whoever waits for it.
      .finally(() => {
        this.#running.delete(session);
        signal?.removeEventListener('abort', onAbort);
      });
  }

  #request(command: SandboxCommand, options: ExecOptions): StartRequest {
    const { spec, boundary, program, attestation } = this.#parts;
    return {
      sessionId: command.sessionId,
      dir: command.sessionDir,
      name: command.name,
      scope: { ...command.scope, session: command.sessionId },
      program,
      boundary: boundary.options,
      checks: boundary.checks,
      watched: boundary.watched,
      argv: command.argv,
      cwd: command.cwd,
      env: innerEnvironment(spec, command.env),
      separateStreams: command.separateStreams ?? false,
      timeoutSeconds: Math.min(options.timeoutSeconds ?? spec.timeoutSeconds, spec.timeoutSeconds),
      outputLimitBytes: spec.outputLimitBytes,
      diskBytes: spec.diskBytes,
      cpus: spec.cpus,
      memoryBytes: spec.memoryBytes,
      pids: spec.pids,
      ...(typeof spec.network === 'object'
        ? { egress: { policy: spec.network, interpreter: spec.interpreter!.executable } }
        : {}),
      attestation,
    };
  }
}

function checkCommand(command: SandboxCommand): void {
  const refuse = (what: string, why: string) => {
    throw new AssayError('sandbox_refused', what, { why, hint: 'correct the command that the sandbox is to run' });
  };
  if (!SESSION_ID.test(command.sessionId))
    refuse(`${JSON.stringify(command.sessionId)} is not a session id`, 'letters, digits, "_" and "-", at most 128');
  if (command.argv.length === 0 || command.argv[0] === '') refuse('there is no command to run', 'argv is empty');
  if (command.argv.some((argument) => argument.includes('\0')))
    refuse('the command cannot be run', 'an argument holds a zero byte');
  if (command.argv.reduce((sum, argument) => sum + Buffer.byteLength(argument) + 1, 0) > MAX_ARGUMENTS_BYTES)
    refuse('the command cannot be run', `its arguments are longer than ${MAX_ARGUMENTS_BYTES} bytes`);
  if (!isAbsolute(command.cwd) || command.cwd.includes('\0'))
    refuse(`${JSON.stringify(command.cwd)} cannot be the working folder`, 'it must be an absolute path inside');
  if (!isAbsolute(command.sessionDir))
    refuse(`${command.sessionDir} cannot hold a session`, 'it must be an absolute path');
}
