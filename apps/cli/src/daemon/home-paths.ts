import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** The home that commands work on: `ASSAY_HOME`, else `~/.assay`. */
export function homeFolder(env: Environment): string {
  const chosen = env['ASSAY_HOME'];
  return resolve(chosen === undefined || chosen === '' ? join(env['HOME'] ?? homedir(), '.assay') : chosen);
}

/** The demo has a home of its own beside the built program, unless `ASSAY_HOME` names one. */
export function demoHome(env: Environment, root: string): string {
  const chosen = env['ASSAY_HOME'];
  return chosen === undefined || chosen === ''
    ? join(root, 'node_modules', '.cache', 'assay-demo', 'home')
    : resolve(chosen);
}

export const daemonFile = (home: string) => join(home, 'runtime', 'daemon.json');
export const tokenFile = (home: string) => join(home, 'runtime', 'token');
export const daemonLog = (home: string) => join(home, 'logs', 'daemon.out');
