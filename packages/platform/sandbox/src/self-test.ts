import { mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '@assay/files';
import { errorText, newId } from '@assay/foundation';
import type { Instance, Sandbox, SandboxSpec, SessionExit } from './sandbox.ts';
import { sessionFiles } from './session-files.ts';

export interface SelfTestResult {
  readonly name: string;
  readonly passed: boolean;
  readonly detail: string;
}

const MIB = 1024 * 1024;
const MEMORY_BYTES = 64 * MIB;
/** More than the limit, held at once: `tail` keeps an endless line in memory. */
const MEMORY_BOMB = 'head -c 300000000 /dev/zero | tail -c 299999999 > /dev/null; exit 0';

/**
 * Each attempt prints `name TAB held|ESCAPED TAB detail`. It counts as held only when it said so: an attempt that
 * crashed the script leaves the rest unproven. `$1` is a file on this machine that must not be visible.
 */
const ATTEMPTS = `
secret=$1 filter=$2
say() { printf '%s\\t%s\\t%s\\n' "$1" "$2" "$3"; }
held_unless() { if eval "$2" 2>/dev/null; then say "$1" ESCAPED "$3"; else say "$1" held "$3"; fi; }
field() { sed -n "s/^$1:[[:space:]]*//p" /proc/self/status; }
held_unless 'files outside' '[ -e "$secret" ]' 'a file of this machine'
held_unless 'home folders' '[ -e /home ] || [ -r /etc/shadow ]' '/home and /etc/shadow'
held_unless 'network' '[ "$(grep -c : /proc/net/dev)" != 1 ] || ! grep -q lo: /proc/net/dev' 'interfaces besides lo'
held_unless 'other processes' '[ "$(ls /proc | grep -c "^[0-9]*$")" -gt 12 ]' 'processes of this machine'
held_unless 'capabilities' '[ "$(field CapEff)$(field CapBnd)" != 00000000000000000000000000000000 ]' 'capabilities left'
held_unless 'new privileges' '[ "$(field NoNewPrivs)" != 1 ]' 'set-user-id programs work'
held_unless 'system call filter' '[ "$(field Seccomp)" != "$filter" ]' 'filter not in force'
held_unless 'kernel settings' '( : >> /proc/sys/kernel/core_pattern )' 'kernel settings can be written'
held_unless 'read-only root' '( : > /escape ) || ( : > /usr/escape ) || ( : > /etc/escape )' 'the root can be written'
held_unless 'namespaces' 'unshare -U true || unshare -m true' 'a new namespace'
held_unless 'mounts' 'mount -t tmpfs none /tmp' 'a mount'
held_unless 'environment' 'tr "\\0" "\\n" < /proc/1/environ | grep -v "^PWD=/$" | grep -q .' 'variables of this machine'
held_unless 'descriptors' 'ls -l /proc/$$/fd /proc/1/fd > /tmp/fds; grep -E "pipe:|socket:" /tmp/fds' 'open descriptors'
`;

/** A quick try at the boundary with the shell alone: about half a second. The escape suite of the tests goes further. */
export async function selfTest(sandbox: Sandbox): Promise<readonly SelfTestResult[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'assay-self-test-')));
  try {
    await using instance = await sandbox.create(spec());
    return [...(await attempts(instance, folder)), await memoryBound(instance, folder)];
  } catch (error) {
    return [{ name: 'start', passed: false, detail: errorText(error) }];
  } finally {
    await removeTree(folder);
  }
}

async function attempts(instance: Instance, folder: string): Promise<SelfTestResult[]> {
  const secret = join(folder, 'secret');
  await writeFile(secret, 'secret');
  const filter = instance.attestation.seccomp ? '2' : '0';
  const { exit, output } = await run(instance, folder, ['/bin/sh', '-c', ATTEMPTS, 'sh', secret, filter]);
  const said = new Map(
    output.split('\n').map((line) => {
      const [name = '', verdict = '', detail = ''] = line.split('\t');
      return [name, { verdict, detail }] as const;
    }),
  );
  return attemptNames().map((name) => {
    const answer = said.get(name);
    if (answer === undefined) return { name, passed: false, detail: `it said nothing (${exit.message ?? exit.end})` };
    return { name, passed: answer.verdict === 'held', detail: answer.detail };
  });
}

async function memoryBound(instance: Instance, folder: string): Promise<SelfTestResult> {
  const { exit } = await run(instance, folder, ['/bin/sh', '-c', MEMORY_BOMB]);
  return { name: 'memory bound', passed: exit.end === 'out_of_memory', detail: exit.message ?? exit.end };
}

async function run(
  instance: Instance,
  folder: string,
  argv: readonly string[],
): Promise<{ readonly exit: SessionExit; readonly output: string }> {
  const sessionId = newId('session');
  const sessionDir = join(folder, sessionId);
  const session = await instance.exec({ argv, cwd: '/tmp', sessionDir, sessionId, name: 'self-test' });
  const exit = await session.wait();
  return { exit, output: await readFile(join(sessionDir, sessionFiles.output), 'utf8') };
}

function attemptNames(): string[] {
  return [...ATTEMPTS.matchAll(/^held_unless '([^']+)'/gm)].map((match) => match[1]!);
}

function spec(): SandboxSpec {
  return {
    mounts: [],
    network: 'none',
    cpus: 1,
    memoryBytes: MEMORY_BYTES,
    pids: 32,
    env: {},
    readOnlyRoot: true,
    timeoutSeconds: 10,
    outputLimitBytes: MIB,
    diskBytes: 16 * MIB,
    allowedRoots: [],
    dataRoots: [],
  };
}
