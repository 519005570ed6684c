import { mkdtemp, open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayError, errorCode } from '@assay/foundation';
import { gitConfiguration, gitEnvironment, type Credential, type GitAccess } from './git-environment.ts';
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
  const answer =
    access.credential === undefined ? undefined : await unlinkedFile(home, credentialText(access.credential));
  return {
    run: (args, call) => runGit(args, call, { environment, redact, descriptor3: answer?.fd }),
    [Symbol.asyncDispose]: async () => {
      await answer?.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** What git's credential protocol wants to read. */
function credentialText({ username, value }: Credential): string {
  return `username=${username}\npassword=${value}\n`;
}

/** A file without a name: whoever holds the descriptor can read it, and nobody else finds it. */
async function unlinkedFile(folder: string, text: string): Promise<FileHandle> {
  const path = join(folder, 'answer');
  const file = await open(path, 'wx+', 0o600);
  try {
    await rm(path);
    await file.writeFile(text);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

const ANSWER_LIMIT = 64 * 1024 * 1024;

async function runGit(
  args: readonly string[],
  call: GitCall,
  place: {
    readonly environment: Readonly<Record<string, string>>;
    readonly redact: (text: string) => string;
    readonly descriptor3: number | undefined;
  },
): Promise<GitResult> {
  const { onProgress } = call;
  try {
    const result = await runProcess('git', args, {
      cwd: call.cwd ?? '/',
      env: { ...place.environment, ...call.env },
      signal: call.signal,
      timeoutMs: call.timeoutMs,
      stdoutLimit: call.stdoutLimit ?? ANSWER_LIMIT,
      descriptor3: place.descriptor3,
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
