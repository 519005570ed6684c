import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assetPath } from '@assay/entries';
import { AssayError } from '@assay/foundation';
import { runProcess } from '../git/run-process.ts';

/** The Python whose pip settings say which index is asked. */
export interface PackageIndex {
  readonly python: string;
  /** Passwords that are kept for indexes; pip's settings need none then. */
  readonly passwords?: readonly IndexPassword[];
}

export interface IndexPassword {
  /** Each `host:port`. */
  readonly hosts: readonly string[];
  readonly user: string;
  readonly password: string;
}

export interface IndexCall {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly onProgress?: ((line: string) => void) | undefined;
}

const ANSWER_LIMIT = 16 * 1024 * 1024;
/** Where pip's settings are, the ways out of the network, and whom to trust in it. */
const TAKEN =
  /^(pip_.*|https?_proxy|all_proxy|no_proxy|ssl_cert_(file|dir)|requests_ca_bundle|curl_ca_bundle|netrc|home|path|xdg_config_(home|dirs)|lang|virtual_env)$/i;

/**
 * Asks the index through this machine's pip: the same index, proxies, certificates and passwords as `pip download`, and
 * no code of a package runs. Gives what the script printed. Throws `task_timeout`, `not_configured` and `refused` as it
 * is told by the script's answer, whose texts hold no password.
 */
export async function askIndex(
  index: PackageIndex,
  args: readonly string[],
  call: IndexCall,
): Promise<Readonly<Record<string, unknown>>> {
  const scratch = await mkdtemp(join(tmpdir(), 'assay-index-'));
  try {
    const environment = Object.entries(process.env).filter(([name, value]) => TAKEN.test(name) && value !== undefined);
    const result = await runProcess(index.python, ['-E', '-B', assetPath('python/ask_index.py'), ...args], {
      cwd: scratch,
      env: {
        ...(Object.fromEntries(environment) as Record<string, string>),
        TMPDIR: scratch,
        PYTHONIOENCODING: 'utf-8',
      },
      signal: call.signal,
      timeoutMs: call.timeoutMs,
      input: JSON.stringify(passwordsByHost(index.passwords ?? [])),
      stdoutLimit: ANSWER_LIMIT,
    });
    if (result.timedOut) throw timedOut(call.timeoutMs);
    return answerOf(result.stdout.toString('utf8'), result.stderr);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** As they stand in addresses: the usual ports are left out there. */
function passwordsByHost(passwords: readonly IndexPassword[]) {
  return passwords.flatMap(({ hosts, user, password }) =>
    hosts.flatMap((host) =>
      [...new Set([host, host.replace(/:(?:443|80)$/, '')])].map((name) => ({ host: name, user, password })),
    ),
  );
}

function answerOf(stdout: string, stderr: string): Readonly<Record<string, unknown>> {
  const last = stdout.trim().split('\n').at(-1) ?? '';
  try {
    const answer: unknown = JSON.parse(withoutPasswords(last));
    if (typeof answer === 'object' && answer !== null) return answer as Readonly<Record<string, unknown>>;
  } catch {
    // told below
  }
  const reason = withoutPasswords(stderr.trim().split('\n').at(-1) ?? '');
  throw new AssayError('not_configured', 'pip could not be asked for the package', {
    why: reason === '' ? 'it gave no answer' : reason.slice(0, 300),
    hint: 'check that "python3 -m pip --version" works for the user who starts the daemon',
  });
}

/** pip's settings may hold `https://user:password@host`. */
export function withoutPasswords(text: string): string {
  return text.replaceAll(/(\w:\/\/)[^\s/@"']*@/g, '$1');
}

function timedOut(timeoutMs: number): AssayError {
  return new AssayError('task_timeout', `the package index did not answer in ${Math.round(timeoutMs / 1000)} s`, {
    why: 'the index or the network is slow, or the package is large',
    hint: 'try again, or raise repositories.timeout_seconds in config.yaml',
  });
}
