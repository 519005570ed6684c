import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { findPython, type PythonInterpreter, type SandboxSpec } from '../src/index.ts';
import { serveGreeting } from './network-acceptance.ts';
import { MIB, bubblewrapSubject, eventually, run, shell, specFor, start, type Subject } from './subject.ts';

const attackers = fileURLToPath(new URL('./attackers', import.meta.url));
const CANARY = 'canary-7d1e4c';

interface Attempt {
  readonly name: string;
  readonly escaped: boolean;
  readonly detail: string;
}

let python: PythonInterpreter;
beforeAll(async () => {
  process.env['ASSAY_ESCAPE_CANARY'] = CANARY;
  python = await findPython();
});

function attackSpec(subject: Subject, changes: Partial<SandboxSpec> = {}): SandboxSpec {
  const base = specFor(subject);
  return specFor(subject, {
    interpreter: python,
    dataRoots: [attackers, subject.folder],
    ...changes,
    mounts: [...base.mounts, { source: attackers, target: '/attackers', mode: 'ro' }, ...(changes.mounts ?? [])],
  });
}

/** Runs an attacker inside; its attempts by name. */
async function attack(
  subject: Subject,
  script: string,
  args: readonly string[],
  changes: Partial<SandboxSpec> = {},
): Promise<readonly Attempt[]> {
  await mkdir(join(subject.folder, 'data'), { recursive: true });
  await writeFile(join(subject.folder, 'data', 'rows'), 'row\n');
  const mounts = [{ source: join(subject.folder, 'data'), target: '/data', mode: 'ro' as const }];
  await using instance = await subject.sandbox.create(attackSpec(subject, { ...changes, mounts }));
  const { output, exit } = await run(subject, instance, { argv: [python.executable, `/attackers/${script}`, ...args] });
  expect(exit, output).toMatchObject({ end: 'exited', exitCode: 0 });
  return parse(output);
}

/** The same attacker without a sandbox: an attempt that gets nowhere here would prove nothing there. */
async function unconfined(script: string, args: readonly string[]): Promise<readonly Attempt[]> {
  const child = spawn(python.executable, [join(attackers, script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return parse(output);
}

function parse(output: string): readonly Attempt[] {
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Attempt);
}

const escapedOf = (attempts: readonly Attempt[]) => attempts.filter(({ escaped }) => escaped);
const namesOf = (attempts: readonly Attempt[]) => attempts.map(({ name }) => name);

describe('network', () => {
  test('nothing outside can be reached by any family', async () => {
    verifies('sandbox.escape-network');
    await using subject = await bubblewrapSubject();
    await using servers = await serveOutside(subject.folder);
    const control = await unconfined('network.py', servers.args);
    const reachable = ['tcp to loopback', 'udp to loopback', 'abstract unix socket', 'unix socket by path'];
    expect(namesOf(escapedOf(control))).toEqual(expect.arrayContaining(reachable));
    const attempts = await attack(subject, 'network.py', servers.args);
    expect(attempts.length).toBe(19);
    expect(escapedOf(attempts)).toEqual([]);
  });
});

describe('a network of allowed hosts', () => {
  test('leads to them and nowhere else, by no spelling and no trick', async () => {
    verifies('network.escape');
    await using subject = await bubblewrapSubject();
    await using index = await serveGreeting('index');
    await using daemon = await serveGreeting('daemon');
    await using servers = await serveOutside(subject.folder);
    const port = (host: string) => host.split(':')[1]!;
    const args = [port(index.host), port(daemon.host), ...servers.args.slice(3)];
    // 127.0.0.1 is allowed with the index's port only; the proxy itself would reach everything else.
    const attempts = await attack(subject, 'allowed_network.py', args, { network: index.policy });
    expect(attempts.length).toBe(38);
    expect(escapedOf(attempts)).toEqual([]);
  });

  test('what attackers do to their own way out ends with the session', async () => {
    verifies('network.nothing-left');
    await using subject = await bubblewrapSubject();
    await using index = await serveGreeting('index');
    await using instance = await subject.sandbox.create(attackSpec(subject, { network: index.policy }));
    const { exit } = await run(
      subject,
      instance,
      shell('kill -9 -1; kill -9 $(ls /proc | grep "^[0-9]*$"); sleep 0.1; exit 4'),
    );
    expect(['exited', 'signaled']).toContain(exit.end);
    const folder = join(subject.home, 'runtime', 'net');
    expect(readdirSync(folder)).toEqual([]);
    expect(processesWith('/run/assay/network-bridge.py')).toEqual([]);
  });
});

describe('processes', () => {
  test('no process outside is seen, read, signalled or traced', async () => {
    verifies('sandbox.escape-processes');
    await using subject = await bubblewrapSubject();
    const name = 'assay-victim-31337';
    const victim = spawn('/bin/sh', ['-c', `: ${name}; while :; do sleep 1; done`], {
      env: { VICTIM: CANARY },
      stdio: 'ignore',
    });
    try {
      const reversed = (text: string) => text.split('').toReversed().join('');
      const args = [String(victim.pid), reversed(CANARY), reversed(name)];
      const control = namesOf(escapedOf(await unconfined('processes.py', args)));
      expect(control).toEqual(
        expect.arrayContaining(['see it in /proc', 'read its environment', 'signal it', 'own environment']),
      );
      const attempts = await attack(subject, 'processes.py', args);
      expect(attempts.length).toBe(16);
      expect(escapedOf(attempts)).toEqual([]);
    } finally {
      victim.kill('SIGKILL');
    }
  });
});

describe('kernel', () => {
  test('calls that widen the surface do not reach it', async () => {
    verifies('sandbox.escape-kernel', 'sandbox.seccomp');
    await using subject = await bubblewrapSubject();
    const control = namesOf(escapedOf(await unconfined('kernel.py', [])));
    expect(control).toEqual(expect.arrayContaining(['keyctl', 'process_vm_readv', 'clone3', 'openat2']));
    const attempts = await attack(subject, 'kernel.py', []);
    expect(attempts.length).toBe(process.arch === 'x64' ? 39 : 37);
    expect(escapedOf(attempts)).toEqual([]);
  });
});

describe('files', () => {
  test('nothing of the machine is read or written', async () => {
    verifies('sandbox.escape-files');
    await using subject = await bubblewrapSubject();
    const secret = join(subject.folder, 'secret');
    await writeFile(secret, CANARY);
    const attempts = await attack(subject, 'files.py', [secret, subject.home]);
    expect(attempts.length).toBe(30);
    expect(escapedOf(attempts)).toEqual([]);
    expect(readFileSync(join(subject.folder, 'data', 'rows'), 'utf8')).toBe('row\n');
    expect(readdirSync(subject.work)).toEqual([]);
  });

  test('a planted link is not followed by the next mount', async () => {
    verifies('sandbox.escape-planted-links');
    await using subject = await bubblewrapSubject();
    const outside = join(subject.folder, 'outside');
    mkdirSync(outside);
    await using first = await subject.sandbox.create(specFor(subject));
    await run(subject, first, shell(`ln -s ${outside} out; ln -s /etc/shadow shadow; mkdir inner`));
    const mount = (name: string) => ({ source: join(subject.work, name), target: '/x', mode: 'rw' as const });
    for (const name of ['out', 'shadow'])
      await expect(subject.sandbox.create(specFor(subject, { mounts: [mount(name)] }))).rejects.toMatchObject({
        code: 'sandbox_refused',
      });
    const inner = { source: subject.work, target: '/work/out', mode: 'ro' as const };
    await expect(
      subject.sandbox.create(specFor(subject, { mounts: [...specFor(subject).mounts, inner] })),
    ).rejects.toMatchObject({
      code: 'sandbox_refused',
      why: expect.stringContaining('not a folder of its own') as string,
    });
    expect(readdirSync(outside)).toEqual([]);
  });

  test('a folder swapped for a link after it was allowed is refused at the start', async () => {
    verifies('sandbox.escape-planted-links');
    await using subject = await bubblewrapSubject();
    const inner = join(subject.work, 'inner');
    const outside = join(subject.folder, 'outside');
    mkdirSync(inner);
    mkdirSync(outside);
    await using instance = await subject.sandbox.create(
      specFor(subject, { mounts: [{ source: inner, target: '/work', mode: 'rw' }] }),
    );
    renameSync(inner, join(subject.work, 'moved'));
    symlinkSync(outside, inner);
    await expect(start(subject, instance, shell('echo escaped > here'))).rejects.toMatchObject({
      code: 'sandbox_refused',
      why: `it now leads to ${outside} (something else)`,
    });
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe('what stays behind', () => {
  test.each([['exits'], ['is killed']])(
    'a process that left its parent and session ends when the command %s',
    async (how) => {
      verifies('sandbox.escape-survivors');
      await using subject = await bubblewrapSubject();
      await using instance = await subject.sandbox.create(attackSpec(subject));
      const file = join(subject.work, 'alive');
      const stays = how === 'is killed' ? ['stay'] : [];
      const session = await start(subject, instance, {
        argv: [python.executable, '/attackers/survivor.py', '/work/alive', ...stays],
      });
      await eventually(async () => (await session.read(0, 100)).includes('left one behind'));
      if (how === 'is killed') await session.kill('enough');
      await session.wait();
      const size = statSync(file).size;
      expect(size).toBeGreaterThan(0);
      expect(processesWith('/attackers/survivor.py')).toEqual([]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(statSync(file).size).toBe(size);
    },
  );
});

describe.each([['the best limits', undefined] as const, ['rlimits only', 'rlimit'] as const])(
  'bombs, %s',
  (_name, limits) => {
    const make = () => bubblewrapSubject(limits === undefined ? {} : { limits });
    const bomb = async (subject: Subject, kind: string, changes: Partial<SandboxSpec>) => {
      await using instance = await subject.sandbox.create(attackSpec(subject, changes));
      return run(subject, instance, { argv: [python.executable, '/attackers/bombs.py', kind] });
    };

    test('forks stop at the bound', async () => {
      verifies('sandbox.escape-fork-bomb');
      await using subject = await make();
      const { output, exit } = await bomb(subject, 'fork', { pids: 32 });
      const [code, started = '0'] = output.trim().split(' ');
      if (code === 'EAGAIN') expect(Number(started)).toBeLessThan(32);
      else expect(exit).toMatchObject({ end: 'killed', message: 'more than 32 processes' });
      expect(processesWith('/attackers/bombs.py')).toEqual([]);
    });

    test('many files end the session', async () => {
      verifies('sandbox.escape-disk-bomb');
      await using subject = await make();
      const { exit } = await bomb(subject, 'disk', { diskBytes: 32 * MIB });
      expect(exit).toMatchObject({
        end: 'output_limit',
        message: 'the writable folders hold more than 33554432 bytes',
      });
    });

    test('one file stops at the bound', async () => {
      verifies('sandbox.escape-disk-bomb');
      await using subject = await make();
      const { output, exit } = await bomb(subject, 'one-file', { diskBytes: 64 * MIB, outputLimitBytes: MIB });
      if (exit.end === 'exited') expect(output).toBe('EFBIG 64\n');
      else expect(exit.end).toBe('output_limit');
      expect(statSync(join(subject.work, 'bomb-0')).size).toBeLessThanOrEqual(64 * MIB);
    });

    test('memory disguised as files stops at the bound', async () => {
      verifies('sandbox.escape-disk-bomb');
      await using subject = await make();
      for (const kind of ['tmp', 'shm']) {
        const { output } = await bomb(subject, kind, { diskBytes: 32 * MIB });
        expect(output).toMatch(/^ENOSPC (3[0-2])\n$/);
      }
    });
  },
);

/** Pids whose command line holds the text. */
function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || pid === String(process.pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(text);
    } catch {
      return false;
    }
  });
}

/** Servers outside, one per way to reach them. */
async function serveOutside(folder: string): Promise<AsyncDisposable & { readonly args: readonly string[] }> {
  const abstract = `assay-escape-${process.pid}`;
  const path = join(folder, 'outside.sock');
  const greet = () => createServer((socket) => socket.end('hello'));
  const [tcp, tcp6, byName, byPath] = [greet(), greet(), greet(), greet()];
  const udp = createSocket('udp4');
  udp.on('message', (_message, from) => udp.send('pong', from.port, from.address));
  const listening = [once(tcp.listen(0, '0.0.0.0'), 'listening'), once(byName.listen(`\0${abstract}`), 'listening')];
  listening.push(once(byPath.listen(path), 'listening'), once(udp.bind(0, '127.0.0.1'), 'listening'));
  await Promise.all(listening);
  // A machine without IPv6 has nothing to reach there.
  tcp6.on('error', () => undefined).listen(0, '::1');
  const port = (address: AddressInfo | string | null) =>
    String(typeof address === 'object' && address !== null ? address.port : 9);
  return {
    args: [port(tcp.address()), String(udp.address().port), port(tcp6.address()), abstract, path],
    [Symbol.asyncDispose]: async () => {
      for (const server of [tcp, tcp6, byName, byPath]) server.close();
      udp.close();
      await rm(path, { force: true });
    },
  };
}
