import { execa } from 'execa';
import { exists } from '@assay/files';
import { AssayError, systemFailure } from '@assay/foundation';

export interface GitOptions {
  readonly cwd: string;
  readonly signal?: AbortSignal;
  readonly timeoutSeconds?: number;
}

/** Settings of a machine or a repository must not run programs or ask questions while the daemon uses git. */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.autocrlf=false',
  'core.quotePath=false',
  'commit.gpgSign=false',
  'gc.auto=0',
  'init.defaultBranch=main',
  'user.name=Assay',
  'user.email=assay@localhost',
];

/**
 * Runs git on a quest and resolves with its standard output. The caller's git environment is not inherited.
 * Rejects with `not_configured` without a git command, `disk_full`, else `internal` with git's own words.
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<string> {
  const result = await execa('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], {
    cwd: options.cwd,
    env: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: (options.timeoutSeconds ?? 45) * 1000,
    ...(options.signal ? { cancelSignal: options.signal } : {}),
  });
  if (result.exitCode === 0) return result.stdout;
  const { stderr, code, originalMessage = 'no message' } = result;
  throw await gitFailure(args[0] ?? '', { stderr, code, cwd: options.cwd, originalMessage });
}

interface FailedGit {
  readonly stderr: string;
  readonly code: string | undefined;
  readonly cwd: string;
  readonly originalMessage: string;
}

async function gitFailure(command: string, { stderr, code, cwd, originalMessage }: FailedGit): Promise<AssayError> {
  const why = stderr.split('\n').slice(-3).join(' ').trim() || originalMessage;
  // A folder that is missing gives ENOENT too.
  if (code === 'ENOENT' && (await exists(cwd)))
    return new AssayError('not_configured', 'git is not installed', {
      why: 'every quest is a git repository, and there is no git command on the PATH',
      hint: 'install git (Debian, Ubuntu: apt install git) and try again',
    });
  const full = /no space left on device|disk quota exceeded/i.test(stderr)
    ? systemFailure(Object.assign(new Error(`git ${command}: ${why}`), { code: 'ENOSPC' }))
    : undefined;
  return full ?? new AssayError('internal', `git ${command} failed`, { why, hint: `look at ${cwd}` });
}
