import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface CliRun {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line as a user does, in a process of its own. */
export function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  /** A program and its first arguments that the command runs under. */
  under: readonly string[] = [],
  /** Standard input; none when left out. */
  input?: string,
): Promise<CliRun> {
  const [program, ...first] = [...under, process.execPath, `${root}/bin/assay.mjs`, ...args];
  const child = spawn(program!, first, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, stdout, stderr }));
  });
}
