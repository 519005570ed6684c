import { execFile } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { diagnose, type KernelFacts } from './diagnose.ts';

const TIMEOUT_MS = 5000;
/** The first with --disable-userns and sized tmpfs. */
const MIN_VERSION = [0, 8, 0] as const;

export type Probe =
  | { readonly usable: true; readonly program: string; readonly version: string }
  | { readonly usable: false; readonly version: string | null; readonly why: string; readonly hint: string };

/** Starts a real, empty sandbox with `options` and says what came of it. */
export async function probeBubblewrap(
  options: readonly string[],
  searchPath = process.env['PATH'] ?? '',
): Promise<Probe> {
  const program = findProgram(searchPath);
  if (program === undefined)
    return unusable(null, 'the program bwrap was not found', 'sudo apt-get install bubblewrap');
  const [said, tried] = await Promise.all([
    attempt(program, ['--version']),
    attempt(program, [...options, '--', '/usr/bin/true']),
  ]);
  const version = /(\d+)\.(\d+)\.(\d+)/.exec(said.stdout)?.slice(1).map(Number);
  if (version === undefined)
    return unusable(null, `${program} --version failed`, 'sudo apt-get install --reinstall bubblewrap');
  const name = version.join('.');
  if (isOlder(version, MIN_VERSION))
    return unusable(
      name,
      `bubblewrap ${name} cannot forbid user namespaces inside (that needs ${MIN_VERSION.join('.')})`,
      'install a newer bubblewrap (Debian 12, Ubuntu 24.04 and later have one)',
    );
  if (tried.ok) return { usable: true, program, version: name };
  const { why, hint } = diagnose(tried.stderr.trim(), kernelFacts());
  return unusable(name, why, hint);
}

function unusable(version: string | null, why: string, hint: string): Probe {
  return { usable: false, version, why, hint };
}

function attempt(program: string, args: readonly string[]): Promise<{ ok: boolean; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { encoding: 'utf8', env: {}, timeout: TIMEOUT_MS }, (error, stdout, stderr) =>
      resolve({ ok: error === null, stdout, stderr }),
    );
  });
}

function findProgram(searchPath: string): string | undefined {
  return searchPath
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, 'bwrap'))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

function isOlder(version: readonly number[], than: readonly number[]): boolean {
  for (const [i, wanted] of than.entries()) {
    const have = version[i] ?? 0;
    if (have !== wanted) return have < wanted;
  }
  return false;
}

function kernelFacts(): KernelFacts {
  return {
    apparmorRestricts: setting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1',
    unprivilegedForbidden: setting('/proc/sys/kernel/unprivileged_userns_clone') === '0',
    noUserNamespaces: setting('/proc/sys/user/max_user_namespaces') === '0',
  };
}

function setting(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
