import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { newId } from '@assay/foundation';
import { isSameProcess } from '@assay/files';
import { temporaryFolder, verifies } from '@assay/testkit';
import {
  attachSession,
  sessionMetaSchema,
  stopSessionHost,
  type EgressPolicy,
  type SessionMeta,
} from '../src/index.ts';
import { ensureHost } from '../src/ensure-host.ts';
import type { HostClient } from '../src/host-client.ts';
import { HostSession } from '../src/host-session.ts';
import { hostAddress } from '../src/host-address.ts';
import { ownCgroups } from '../src/limits/cgroup-folders.ts';
import { serveGreeting } from './network-acceptance.ts';
import { bubblewrapSubject, eventually, run, shell, specFor, start, type Subject } from './subject.ts';

describe('the client dies', () => {
  test('its session goes on and is found again', async () => {
    verifies('sandbox.outlives-client', 'sandbox.attach');
    await using subject = await bubblewrapSubject();
    const dir = join(subject.folder, 'session');
    const client = await startClient(subject, dir, 'sleep 1; echo survived; exit 5');
    await eventually(() => existsSync(join(dir, 'meta.json')));
    client.kill('SIGKILL');
    await once(client, 'exit');
    const found = await attachSession({ home: subject.home, dir });
    if (found.kind !== 'running') throw new Error(`it is ${found.kind}`);
    expect(await found.session.wait()).toMatchObject({ end: 'exited', exitCode: 5 });
    expect((await found.session.read(0, 100)).toString()).toBe('survived\n');
  });

  test('its way to allowed hosts goes on too, and the log is complete', async () => {
    verifies('network.outlives-client');
    await using outside = await serveGreeting();
    await using subject = await bubblewrapSubject();
    const dir = join(subject.folder, 'session');
    const ask = `python3 -c "import urllib.request; print(urllib.request.urlopen('http://${outside.host}/x').read().decode())"`;
    const script = `until [ -e /work/go ]; do sleep 0.05; done; ${ask}`;
    const client = await startClient(subject, dir, script, { network: outside.policy });
    await eventually(() => existsSync(join(dir, 'meta.json')));
    client.kill('SIGKILL');
    await once(client, 'exit');
    await writeFile(join(subject.work, 'go'), '');
    const found = await attachSession({ home: subject.home, dir });
    if (found.kind !== 'running') throw new Error(`it is ${found.kind}`);
    expect(await found.session.wait()).toMatchObject({ end: 'exited', exitCode: 0, network: { connections: 1 } });
    expect((await found.session.read(0, 100)).toString()).toBe('hello from outside /x\n');
  });

  test('limits are enforced with nobody there', async () => {
    verifies('sandbox.outlives-client');
    await using subject = await bubblewrapSubject();
    const dir = join(subject.folder, 'session');
    const client = await startClient(subject, dir, 'sleep 60', { timeoutSeconds: 1 });
    await eventually(() => existsSync(join(dir, 'meta.json')));
    client.kill('SIGKILL');
    await eventually(() => existsSync(join(dir, 'exit.json')), 8000);
    expect(await attachSession({ home: subject.home, dir })).toMatchObject({
      kind: 'ended',
      exit: { end: 'timed_out' },
    });
  });
});

describe('the session host dies', () => {
  test('its sandboxes die with it, waiting says lost, and nothing is left', async () => {
    verifies('sandbox.host-death-is-lost', 'sandbox.nothing-left-behind');
    await using subject = await bubblewrapSubject();
    await using instance = await subject.sandbox.create(specFor(subject));
    const session = await start(subject, instance, shell('echo ready; trap "" TERM; while :; do sleep 1; done'));
    await eventually(async () => (await session.read(0, 100)).includes('ready'));
    const meta = metaOf(session.dir);
    const waiting = session.wait();
    process.kill(meta.host.pid, 'SIGKILL');
    expect(await waiting).toMatchObject({ end: 'lost', exitCode: null });
    expect(await attachSession({ home: subject.home, dir: session.dir })).toEqual({ kind: 'lost' });
    await eventually(() => !isAlive(meta.backend!.pid) && !isAlive(meta.init!.pid));
    // The next host sweeps what the dead one could not.
    const { exit } = await run(subject, instance, shell('exit 0'));
    expect(exit).toMatchObject({ end: 'exited', exitCode: 0 });
    await stopSessionHost(subject.home);
    expect(groupsOf(subject)).toEqual([]);
  });

  test.skipIf(pidsGroupParent() === undefined)(
    'control groups that a dead host left are swept, with the processes in them',
    async () => {
      verifies('sandbox.nothing-left-behind');
      await using subject = await bubblewrapSubject();
      const { groupPrefix } = hostAddress(subject.home);
      const stale = join(pidsGroupParent()!, `${groupPrefix}stale`);
      await mkdir(stale);
      const orphan = spawn('sleep', ['60'], { stdio: 'ignore' });
      writeFileSync(join(stale, 'cgroup.procs'), String(orphan.pid));
      const gone = once(orphan, 'exit');
      using client = await ensureHost({ home: subject.home });
      await client.call('status', {});
      expect(await gone).toEqual([null, 'SIGKILL']);
      expect(existsSync(stale)).toBe(false);
    },
  );

  test('a living host that nobody can reach is ended, so that lost is true', async () => {
    verifies('sandbox.host-death-is-lost');
    await using subject = await bubblewrapSubject();
    await using instance = await subject.sandbox.create(specFor(subject));
    const session = await start(subject, instance, shell('echo ready; sleep 60'));
    await eventually(async () => (await session.read(0, 100)).includes('ready'));
    const meta = metaOf(session.dir);
    await rm(meta.socket);
    expect(await attachSession({ home: subject.home, dir: session.dir })).toEqual({ kind: 'lost' });
    expect([meta.host.pid, meta.init!.pid].filter(isAlive)).toEqual([]);
    expect(await session.wait()).toMatchObject({ end: 'lost', outputBytes: 6 });
    if (pidsGroupParent() !== undefined) expect(groupsOf(subject).length).toBeGreaterThan(0);
    // The next host of any home removes what this one left.
    await using other = await bubblewrapSubject();
    const next = await ensureHost({ home: other.home });
    await next.call('status', {});
    next[Symbol.dispose]();
    expect(groupsOf(subject)).toEqual([]);
  });

  test('a broken or closed connection is not a lost session', async () => {
    verifies('sandbox.attach');
    await using subject = await bubblewrapSubject();
    const host = await ensureHost({ home: subject.home });
    await using instance = await subject.sandbox.create(specFor(subject));
    const session = await start(subject, instance, shell('sleep 1; exit 5'));
    const broken = new HostSession({ home: subject.home, id: session.id, dir: session.dir, host });
    const waiting = broken.wait();
    await breakConnection(host);
    expect(await waiting).toMatchObject({ end: 'exited', exitCode: 5 });
    const other = await start(subject, instance, { argv: ['sleep', '60'] });
    const closing = await ensureHost({ home: subject.home });
    const waitsInVain = new HostSession({ home: subject.home, id: other.id, dir: other.dir, host: closing }).wait();
    closing[Symbol.dispose]();
    await expect(waitsInVain).rejects.toThrow('the connection to the session host was closed');
  });

  test('told to end, it ends its sessions and says so', async () => {
    verifies('sandbox.nothing-left-behind');
    await using subject = await bubblewrapSubject();
    await using instance = await subject.sandbox.create(specFor(subject));
    const session = await start(subject, instance, { argv: ['sleep', '60'] });
    await eventually(() => existsSync(join(session.dir, 'meta.json')));
    process.kill(metaOf(session.dir).host.pid, 'SIGTERM');
    expect(await session.wait()).toMatchObject({ end: 'killed', message: 'the session host was told to end' });
    await eventually(() => !existsSync(hostAddress(subject.home).socket));
  });
});

describe('one host per home', () => {
  test('ten clients at once get the same host, also over a dead one’s socket', async () => {
    verifies('sandbox.one-host');
    await using subject = await bubblewrapSubject();
    for (let round = 0; round < 3; round += 1) {
      const clients = await Promise.all(Array.from({ length: 10 }, () => ensureHost({ home: subject.home })));
      const hosts = await Promise.all(clients.map(async (client) => (await client.call('status', {})).host.pid));
      expect(new Set(hosts).size).toBe(1);
      process.kill(hosts[0]!, 'SIGKILL');
      await eventually(() => clients.every((client) => !client.open));
      expect(existsSync(hostAddress(subject.home).socket)).toBe(true);
    }
  });

  test('it leaves at once when its home was deleted, so that the next home at this path has a host', async () => {
    verifies('sandbox.host-idle');
    await using subject = await bubblewrapSubject();
    const first = await ensureHost({ home: subject.home });
    const { host } = await first.call('status', {});
    await rm(hostAddress(subject.home).socket);
    await eventually(() => !isSameProcess(host), 5000);
    using second = await ensureHost({ home: subject.home });
    expect((await second.call('status', {})).host.pid).not.toBe(host.pid);
  });

  test('it leaves when it is idle, and comes back when it is needed', async () => {
    verifies('sandbox.host-idle');
    await using subject = await bubblewrapSubject({ hostIdleSeconds: 0.2 });
    const first = await ensureHost({ home: subject.home, idleSeconds: 0.2 });
    const { host } = await first.call('status', {});
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(isAlive(host.pid)).toBe(true); // A client is there.
    first[Symbol.dispose]();
    await eventually(() => !isAlive(host.pid));
    expect(existsSync(hostAddress(subject.home).socket)).toBe(false);
    await using instance = await subject.sandbox.create(specFor(subject));
    expect((await run(subject, instance, shell('exit 3'))).exit.exitCode).toBe(3);
  });

  test('it is reached in a home with a long path, and only by its user', async () => {
    verifies('sandbox.host-private');
    await using folder = await temporaryFolder();
    const long = join(folder.path, 'x'.repeat(120), 'home');
    for (const home of [join(folder.path, 'home'), long]) {
      await using subject = await bubblewrapSubject({ home });
      await using instance = await subject.sandbox.create(specFor(subject));
      expect((await run(subject, instance, shell('exit 6'))).exit.exitCode).toBe(6);
      const { socket } = hostAddress(home);
      expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(100);
      expect(statSync(socket).mode & 0o077).toBe(0);
      expect(statSync(join(socket, '..')).mode & 0o077).toBe(0);
      using client = await ensureHost({ home });
      await client.call('stop', {});
    }
    const { socket } = hostAddress(long);
    await rm(join(socket, '..'), { recursive: true });
    await mkdir(join(socket, '..'), { mode: 0o755 });
    expect(() => hostAddress(long)).toThrow(/cannot hold the socket/);
    await rm(join(socket, '..'), { recursive: true });
    expect(socket.startsWith(tmpdir())).toBe(true);
  });

  test('descriptors and variables of the starting process go no further', async () => {
    verifies('sandbox.escape-inherited');
    await using subject = await bubblewrapSubject();
    const secret = join(subject.folder, 'inherited-secret');
    await writeFile(secret, 'secret');
    const dir = join(subject.folder, 'session');
    const look = 'for f in /proc/$$/fd/*; do n=${f##*/}; [ $n -gt 2 ] && [ $n != 10 ] && readlink $f; done; exit 0';
    const client = await startClient(subject, dir, look, { secret });
    await once(client, 'exit');
    const found = await attachSession({ home: subject.home, dir });
    if (found.kind === 'running') await found.session.wait();
    expect(readFileSync(join(dir, 'output.log'), 'utf8')).toBe('');
    const environment = readFileSync(`/proc/${metaOf(dir).host.pid}/environ`, 'utf8');
    expect(environment).not.toContain('CLIENT_SECRET');
    const descriptors = readdirSync(`/proc/${metaOf(dir).host.pid}/fd`);
    expect(descriptors).not.toContain('77');
  });
});

test('200 starts: each is a session with an end', async () => {
  verifies('sandbox.every-start-ends');
  await using subject = await bubblewrapSubject();
  await using instance = await subject.sandbox.create(specFor(subject));
  const ends: string[] = [];
  const worker = async () => {
    while (ends.length < 200) ends.push((await run(subject, instance, { argv: ['true'] })).exit.end);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  expect(ends.length).toBeGreaterThanOrEqual(200);
  expect(new Set(ends)).toEqual(new Set(['exited']));
  const host = await ensureHost({ home: subject.home });
  const { host: identity, sessions } = await host.call('status', {});
  host[Symbol.dispose]();
  expect(sessions).toEqual([]);
  // Nothing of 200 sessions stays open in the host.
  expect(readdirSync(`/proc/${identity.pid}/fd`).length).toBeLessThan(40);
  await stopSessionHost(subject.home);
  expect(groupsOf(subject)).toEqual([]);
});

/** A line that is too long is not the protocol: the host closes the connection. */
async function breakConnection(client: HostClient): Promise<void> {
  const tooLong = { padding: 'x'.repeat(5 * 1024 * 1024) } as unknown as Record<string, never>;
  await expect(client.call('status', tooLong)).rejects.toThrow('the session host ended');
  expect(client.open).toBe(false);
}

function metaOf(dir: string): SessionMeta {
  return sessionMetaSchema.parse(JSON.parse(readFileSync(join(dir, 'meta.json'), 'utf8')));
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

function pidsGroupParent(): string | undefined {
  const own = ownCgroups().get('pids');
  const folder = join('/sys/fs/cgroup/pids', own ?? 'missing');
  return existsSync(folder) && process.getuid?.() === 0 ? folder : undefined;
}

/** Control groups of this home that still exist. */
function groupsOf(subject: Subject): string[] {
  const { groupPrefix } = hostAddress(subject.home);
  const own = ownCgroups();
  return ['memory', 'pids', 'cpu', 'cpuacct']
    .map((controller) => join('/sys/fs/cgroup', controller, own.get(controller) ?? '/'))
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder).filter((name) => name.startsWith(groupPrefix)));
}

/** A process of its own that starts one command and waits for it; with a descriptor and a secret that must stay in it. */
async function startClient(
  subject: Subject,
  dir: string,
  script: string,
  options: { readonly timeoutSeconds?: number; readonly secret?: string; readonly network?: EgressPolicy } = {},
) {
  const { timeoutSeconds = 30, secret = '/dev/null', network } = options;
  const file = join(subject.folder, 'client.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('./client.ts', import.meta.url))],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  const wish = {
    home: subject.home,
    work: subject.work,
    dir,
    script,
    timeoutSeconds,
    sessionId: newId('session'),
    network,
  };
  return spawn(
    'bash',
    ['-c', `exec 77<"$1"; exec "$2" "$3" "$4"`, 'bash', secret, process.execPath, file, JSON.stringify(wish)],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, CLIENT_SECRET: 'secret' },
    },
  );
}
