import { mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, errorCode, newId, throwIfAborted } from '@assay/foundation';
import type { Attestation, EventDraft, EventScope } from '@assay/contracts';
import { exists, readJson, writeJsonDurable } from '@assay/files';
import {
  attachSession,
  sessionFiles,
  type Sandbox,
  type SandboxSpec,
  type Session,
  type SessionExit,
} from '@assay/sandbox';
import { DaemonStopping } from '@assay/scheduler';

export interface SessionRequest {
  readonly spec: SandboxSpec;
  readonly argv: readonly string[];
  /** Absolute path inside the sandbox. */
  readonly cwd: string;
}

export interface FinishedSession {
  readonly id: string;
  readonly exit: SessionExit;
  readonly attestation: Attestation;
  /** The last part of what the command printed, for messages. */
  tail(bytes?: number): Promise<string>;
  /** All that it printed to its standard output, refused above `limit` bytes. */
  output(limit: number): Promise<string>;
}

/** Ties a named session to an attempt before it starts, so that a restart finds it. */
interface Binding {
  readonly sessionId: string;
  readonly dir: string;
  readonly attestation: Attestation;
}

export interface TaskSessionsOptions {
  readonly home: string;
  readonly attemptDir: string;
  readonly sessionsDir: string;
  readonly sandbox: Sandbox;
  readonly scope: EventScope;
  readonly signal: AbortSignal;
  readonly journal: (draft: EventDraft) => Promise<void>;
}

/** Runs the session of that name in this attempt, or binds to it when it was started before a restart. */
export async function runTaskSession(
  options: TaskSessionsOptions,
  name: string,
  request: () => Promise<SessionRequest>,
): Promise<FinishedSession> {
  const bound = await readBinding(options.attemptDir, name);
  if (bound !== undefined && (await exists(join(bound.dir, 'meta.json')))) {
    const found = await attachSession({ home: options.home, dir: bound.dir });
    if (found.kind === 'ended') return finished(bound, found.exit);
    if (found.kind === 'running') return finished(bound, await follow(options, bound, found.session));
    throw new AssayError('session_lost', `the command "${name}" was lost when its host ended`, {
      why: 'the program that ran it is gone and left no exit record',
      hint: 'retry the task; an attempt is never taken over half done',
    });
  }
  return startSession(options, name, await request());
}

async function startSession(
  options: TaskSessionsOptions,
  name: string,
  request: SessionRequest,
): Promise<FinishedSession> {
  throwIfAborted(options.signal);
  const sessionId = newId('session');
  const dir = join(options.sessionsDir, sessionId);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const instance = await options.sandbox.create(request.spec);
  const binding: Binding = { sessionId, dir, attestation: instance.attestation };
  await mkdir(join(options.attemptDir, 'sessions'), { recursive: true, mode: 0o700 });
  await writeJsonDurable(bindingPath(options.attemptDir, name), binding);
  const command = { argv: request.argv, cwd: request.cwd, sessionDir: dir, sessionId, separateStreams: true, name };
  const session = await instance.exec({ ...command, scope: options.scope });
  await options.journal({
    type: 'session.started',
    scope: { ...options.scope, session: sessionId },
    data: { name, backend: options.sandbox.id, dir },
  });
  const exit = await follow(options, binding, session);
  await instance[Symbol.asyncDispose](); // not when the daemon stops: that would end the session
  return finished(binding, exit);
}

/** Reads from the session's own files: the log is there whoever started the command. */
function finished(binding: Binding, exit: SessionExit): FinishedSession {
  const log = join(binding.dir, sessionFiles.output);
  return {
    id: binding.sessionId,
    exit,
    attestation: binding.attestation,
    async tail(bytes = 2000) {
      const parts = [await lastBytes(log, bytes), await lastBytes(join(binding.dir, sessionFiles.stderr), bytes)];
      return parts
        .filter((part) => part !== '')
        .join('\n')
        .slice(-bytes);
    },
    async output(limit) {
      if ((await stat(log)).size <= limit) return readFile(log, 'utf8');
      throw new AssayError('output_too_large', `a command printed more than ${limit} bytes`, {
        hint: 'make the repository smaller, or name a part of it',
      });
    },
  };
}

/** The end of a log as text; empty when there is none. */
async function lastBytes(path: string, bytes: number): Promise<string> {
  if (!(await exists(path))) return '';
  await using handle = await open(path, 'r');
  const { size } = await handle.stat();
  const start = Math.max(0, size - bytes);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
  return buffer.subarray(0, bytesRead).toString('utf8');
}

/** Waits for the end; an abort ends the command, except when the daemon stops: then it goes on for the next one. */
async function follow(options: TaskSessionsOptions, binding: Binding, session: Session): Promise<SessionExit> {
  let exit: SessionExit;
  try {
    exit = await session.wait(options.signal);
  } catch (error) {
    if (!options.signal.aborted || options.signal.reason instanceof DaemonStopping) throw error;
    await session.kill('the task was ended');
    await journalEnd(options, binding, await session.wait());
    throw error;
  }
  await journalEnd(options, binding, exit);
  return exit;
}

async function journalEnd(options: TaskSessionsOptions, binding: Binding, exit: SessionExit): Promise<void> {
  const scope = { ...options.scope, session: binding.sessionId };
  if (exit.network !== undefined && exit.network.hosts.length > 0) {
    const { hosts, moreHosts } = exit.network;
    await options.journal({ type: 'session.network', scope, data: { hosts, moreHosts } });
  }
  await options.journal({
    type: 'session.ended',
    scope,
    data: { end: exit.end, exitCode: exit.exitCode, seconds: exit.seconds },
  });
}

/** True when a session of this attempt still runs or has left an exit record. */
export async function attemptHasSession(home: string, attemptDir: string): Promise<boolean> {
  for (const name of await bindingNames(attemptDir)) {
    const binding = await readBinding(attemptDir, name);
    if (binding === undefined || !(await exists(join(binding.dir, 'meta.json')))) continue;
    const found = await attachSession({ home, dir: binding.dir });
    if (found.kind !== 'lost') return true;
  }
  return false;
}

async function bindingNames(attemptDir: string): Promise<string[]> {
  try {
    const names = await readdir(join(attemptDir, 'sessions'));
    return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function bindingPath(attemptDir: string, name: string): string {
  return join(attemptDir, 'sessions', `${name}.json`);
}

async function readBinding(attemptDir: string, name: string): Promise<Binding | undefined> {
  return (await readJson(bindingPath(attemptDir, name))) as Binding | undefined;
}

/** Ends the sessions of an attempt that nobody waits for: its task was canceled or given away after a restart. */
export async function endAttemptSessions(home: string, attemptDir: string): Promise<void> {
  for (const name of await bindingNames(attemptDir)) {
    const binding = await readBinding(attemptDir, name);
    if (binding === undefined || !(await exists(join(binding.dir, 'meta.json')))) continue;
    const found = await attachSession({ home, dir: binding.dir });
    if (found.kind === 'running') await found.session.kill('its task was ended');
  }
}
