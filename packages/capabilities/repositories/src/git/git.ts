import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayError, errorCode } from '@assay/foundation';
import { gitConfiguration, gitEnvironment, type GitAccess } from './git-environment.ts';
import { redactor } from './redact.ts';
import { runProcess } from './run-process.ts';

export interface GitCall {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  /** Bytes of answer that are read; more is `repository_too_large`. */
  readonly stdoutLimit?: number;
  /** Receives git's progress lines. */
  readonly onProgress?: (line: string) => void;
}

export interface GitResult {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Git with a home, a configuration and an environment of its own: nothing of the person's configuration and no
 * `GIT_*` variable takes part, so no filter, hook, alias or helper is defined. A repository that is not ours is only
 * ever read through `upload-pack`, the one git program made to serve a directory that nobody trusts; every other
 * command runs on our own bare cache. No password is in its arguments, files or answers.
 */
export interface Git extends AsyncDisposable {
  /** Resolves also when git says no. Rejects on abort; throws `task_timeout` and `not_configured` (no git). */
  run(args: readonly string[], call: GitCall): Promise<GitResult>;
}

/** Without `access` it reads repositories of this machine and nothing else. */
export async function openGit(access: GitAccess = { transport: 'file' }): Promise<Git> {
  const home = await mkdtemp(join(tmpdir(), 'assay-git-'));
  const configFile = join(home, 'gitconfig');
  await writeFile(configFile, gitConfiguration(access), { mode: 0o600 });
  const environment = gitEnvironment(access, { home, configFile, env: process.env });
  const redact = redactor(access.credential);
  return {
    run: (args, call) => runGit(args, call, { environment, redact }),
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

const ANSWER_LIMIT = 64 * 1024 * 1024;

async function runGit(
  args: readonly string[],
  call: GitCall,
  place: { readonly environment: Readonly<Record<string, string>>; readonly redact: (text: string) => string },
): Promise<GitResult> {
  const { onProgress } = call;
  try {
    const result = await runProcess('git', args, {
      cwd: call.cwd ?? '/',
      env: { ...place.environment, ...call.env },
      signal: call.signal,
      timeoutMs: call.timeoutMs,
      stdoutLimit: call.stdoutLimit ?? ANSWER_LIMIT,
      ...(call.input === undefined ? {} : { input: call.input }),
      ...(onProgress === undefined ? {} : { onStderrLine: (line) => onProgress(place.redact(line)) }),
    });
    if (result.timedOut) throw timedOut(args, call.timeoutMs);
    return {
      ok: result.exitCode === 0,
      stdout: result.stdout.toString('utf8'),
      stderr: place.redact(result.stderr.trim()),
    };
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new AssayError('not_configured', 'git is not installed', {
      why: 'a git repository was given and there is no git command on the PATH',
      hint: 'install git (Debian, Ubuntu: apt install git) and try again',
    });
  }
}

function timedOut(args: readonly string[], timeoutMs: number): AssayError {
  const command = args.find((arg) => /^[a-z][a-z-]+$/.test(arg)) ?? 'git';
  return new AssayError('task_timeout', `git ${command} did not finish in ${Math.round(timeoutMs / 1000)} s`, {
    why: 'the repository is large or damaged, or its disk or network is slow; git and its children were ended',
    hint: 'raise repositories.timeout_seconds in config.yaml, or clone the repository with --depth 1 and give that clone',
  });
}
