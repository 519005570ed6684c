import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayError, errorCode } from '@assay/foundation';
import { runProcess } from './run-process.ts';

export interface GitCall {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
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
 * command runs on our own bare cache.
 */
export interface Git extends AsyncDisposable {
  /** Resolves also when git says no. Rejects on abort; throws `task_timeout` and `not_configured` (no git). */
  run(args: readonly string[], call: GitCall): Promise<GitResult>;
}

/**
 * A file and not `-c`: git drops `-c` values when it starts upload-pack. `safe.directory` is needed because checkouts
 * are often owned by another user; `protocol` refuses every transport but the local one.
 */
const configuration = `[safe]
	directory = *
[core]
	hooksPath = /dev/null
	fsmonitor = false
	attributesFile = /dev/null
	excludesFile = /dev/null
	untrackedCache = false
[protocol]
	allow = never
	version = 2
[protocol "file"]
	allow = always
[uploadpack]
	allowAnySHA1InWant = true
[gc]
	auto = 0
[maintenance]
	auto = false
[init]
	defaultBranch = main
	templateDir =
[submodule]
	recurse = false
[advice]
	detachedHead = false
`;

export async function openGit(): Promise<Git> {
  const home = await mkdtemp(join(tmpdir(), 'assay-git-'));
  const configFile = join(home, 'gitconfig');
  await writeFile(configFile, configuration, { mode: 0o600 });
  const environment = gitEnvironment(home, configFile);
  return {
    run: (args, call) => runGit(args, call, environment),
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

function gitEnvironment(home: string, configFile: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: configFile,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: 'file',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    SSH_ASKPASS: '/bin/false',
  };
}

async function runGit(
  args: readonly string[],
  call: GitCall,
  environment: Readonly<Record<string, string>>,
): Promise<GitResult> {
  try {
    const result = await runProcess('git', args, {
      cwd: call.cwd ?? '/',
      env: { ...environment, ...call.env },
      signal: call.signal,
      timeoutMs: call.timeoutMs,
      ...(call.input === undefined ? {} : { input: call.input }),
    });
    if (result.timedOut) throw timedOut(args, call.timeoutMs);
    return { ok: result.exitCode === 0, stdout: result.stdout.toString('utf8'), stderr: result.stderr.trim() };
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
    why: 'the repository is large, damaged, or on a slow file system; git and its children were ended',
    hint: 'raise the time-out of the preparation, or clone the repository with --depth 1 and give that clone',
  });
}
