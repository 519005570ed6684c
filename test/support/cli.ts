import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface CliRun {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs, and what it has printed so far. */
export interface StartedCli {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Its exit code, once it has ended. */
  readonly exit: Promise<number | null>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Starts the command line as a user does, in a process of its own. */
export function startCli(
  args: readonly string[],
  env: Env,
  /** A program and its first arguments that the command runs under. */
  under: readonly string[] = [],
  /** Standard input; none when left out. */
  input?: string,
): StartedCli {
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
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { stdout: () => stdout, stderr: () => stderr, exit };
}

/** Runs it to its end. */
export async function runCli(
  args: readonly string[],
  env: Env,
  under: readonly string[] = [],
  input?: string,
): Promise<CliRun> {
  const { stdout, stderr, exit } = startCli(args, env, under, input);
  return { exit: await exit, stdout: stdout(), stderr: stderr() };
}
