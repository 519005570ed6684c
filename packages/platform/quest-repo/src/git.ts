import { execa } from 'execa';
import { AssayError } from '@assay/foundation';

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
 * Rejects with `internal` and git's own words when it fails.
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
  throw new AssayError('internal', `git ${args[0] ?? ''} failed`, {
    why: result.stderr.split('\n').slice(-3).join(' ').trim() || (result.originalMessage ?? 'no message'),
    hint: result.code === 'ENOENT' ? 'install git, then try again' : `look at ${options.cwd}`,
  });
}
