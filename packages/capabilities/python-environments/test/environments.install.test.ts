import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newId } from '@assay/foundation';
import { missing, sourceDistribution, verifies, wheel } from '@assay/testkit';
import type {
  EnvironmentFailure,
  EnvironmentOutcome,
  PythonEnvironment,
  PythonEnvironmentsOptions,
} from '../src/index.ts';
import { makePackages, serveIndex } from './support/packages.ts';
import { environmentSubject, MIB, type Subject } from './support/subject.ts';

function ready(outcome: EnvironmentOutcome): PythonEnvironment {
  if (outcome.kind === 'ready') return outcome.environment;
  throw new Error(`${outcome.failure.step}: ${outcome.failure.message}\n${outcome.failure.output}`);
}

function failed(outcome: EnvironmentOutcome): EnvironmentFailure {
  if (outcome.kind === 'failed') return outcome.failure;
  throw new Error('it was built');
}

/** Runs Python in an environment as a task would: mounted read-only, without a network. */
async function useIt(subject: Subject, environment: PythonEnvironment, script: string): Promise<string> {
  await using instance = await subject.sandbox.create({
    mounts: [environment.mount],
    network: 'none',
    interpreter: environment.interpreter,
    env: {},
    cpus: 1,
    memoryBytes: 512 * MIB,
    pids: 32,
    diskBytes: 64 * MIB,
    outputLimitBytes: MIB,
    readOnlyRoot: true,
    timeoutSeconds: 30,
    allowedRoots: [subject.cacheDir],
    dataRoots: [],
  });
  expect(instance.attestation.contents).toEqual([{ target: '/environment', sha256: environment.treeSha256 }]);
  const sessionId = newId('session');
  const sessionDir = join(subject.folder, 'sessions', sessionId);
  const argv = [environment.interpreter.executable, '-c', script];
  const session = await instance.exec({ argv, cwd: '/tmp', name: 'use', sessionId, sessionDir });
  await session.wait();
  return (await session.read(0, MIB)).toString();
}

const wheels = [
  { name: 'top', version: '2.0', requires: ['base>=1'] },
  { name: 'base', version: '1.5' },
];
const LOCK = [
  { name: 'base', version: '1.5', file: 'base-1.5-py3-none-any.whl', kind: 'wheel', requested: false },
  { name: 'top', version: '2.0', file: 'top-2.0-py3-none-any.whl', kind: 'wheel', requested: true },
];

describe('an index', () => {
  test('gives an environment with exact versions and hashes, reached through that host alone, and built once', async () => {
    verifies('environments.built', 'environments.lock', 'environments.cached', 'environments.built-once');
    await using subject = await environmentSubject();
    const folder = join(subject.folder, 'packages');
    await makePackages(subject.python, folder, wheels);
    await using index = await serveIndex(folder);
    const environments = environmentsFor(subject, index.url);
    const ask = (key: string) => environments.ensure(subject.request(['top'], { key }));
    const [first, second] = (await Promise.all([ask('a'), ask('b')])).map(ready);
    expect([first, second].filter((environment) => environment!.cached)).toHaveLength(1);
    expect(subject.started).toEqual(['environment-create', 'environment-hosts', 'environment-wheels']);
    expect(first!.lock).toMatchObject(LOCK);
    for (const { sha256 } of first!.lock) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(first!.report).toMatchObject({ step: 'wheels', startupFiles: [], python: subject.python.version });
    expect(new Set(first!.report.hosts.map(({ host, port, verdict }) => `${host}:${port} ${verdict}`))).toEqual(
      new Set([`${index.host} allowed`]),
    );
    const said = await useIt(subject, first!, 'import sys, top, base; print(sys.prefix, top.value, base.value)');
    expect(said).toBe('/environment 2.0 1.5\n');
    const refused = await useIt(subject, first!, 'open("/environment/x", "w")');
    expect(refused).toContain('Read-only file system');
    // Another process of the same home finds it and confirms its content.
    const later = ready(await environmentsFor(subject, index.url).ensure(subject.request(['top'])));
    expect(later).toMatchObject({ cached: true, id: first!.id, treeSha256: first!.treeSha256 });
    expect(await readdir(join(subject.cacheDir, 'environments', '.building'))).toEqual([]);
  });

  test('what it does not have is a failure with the installer’s words, and leaves nothing', async () => {
    verifies('environments.failure-is-data', 'environments.nothing-left');
    await using subject = await environmentSubject();
    const folder = join(subject.folder, 'packages');
    await makePackages(subject.python, folder, wheels);
    await using index = await serveIndex(folder);
    const environments = environmentsFor(subject, index.url);
    const failure = failed(await environments.ensure(subject.request(['no-such-package'], { sources: 'when-needed' })));
    expect(failure).toMatchObject({
      step: 'sources',
      message: 'the installer ended with exit code 1',
      refusedHosts: [],
    });
    expect(failure.output).toContain('No matching distribution found for no-such-package');
    const other = failed(
      await environments.ensure(subject.request(['top @ https://other.example/top-2.0-py3-none-any.whl'])),
    );
    expect(other.step).toBe('wheels');
    expect(other.refusedHosts).toMatchObject([
      { host: 'other.example', port: 443, verdict: 'refused', reason: 'other.example:443 is not an allowed host' },
    ]);
    expect(readdirSync(join(subject.cacheDir, 'environments')).filter((name) => name !== '.building')).toEqual([]);
    expect(await readdir(join(subject.cacheDir, 'environments', '.building'))).toEqual([]);
  });

  test('that points to a private host leads nowhere, and the host is named', async () => {
    verifies('environments.file-hosts');
    await using subject = await environmentSubject();
    const folder = join(subject.folder, 'packages');
    await makePackages(subject.python, folder, wheels);
    await using files = await serveIndex(folder);
    await using index = await serveIndex(folder, { linksTo: `http://${files.host}` });
    const environments = environmentsFor(subject, index.url);
    const failure = failed(await environments.ensure(subject.request(['base'])));
    expect(failure.notes).toContain(`the index points to files on ${files.host}`);
    expect(failure.refusedHosts).toMatchObject([{ reason: '127.0.0.1 is not a public address' }]);
    expect(files.asked).toEqual([]);
  });

  test('with a password is used only when that was granted; the sandbox never sees it over plain HTTP', async () => {
    verifies('environments.secrets');
    await using subject = await environmentSubject();
    const folder = join(subject.folder, 'packages');
    await makePackages(subject.python, folder, [
      { name: 'spy', version: '1.0', sdist: 'import os; print("SEEN", dict(os.environ))' },
    ]);
    await using index = await serveIndex(folder);
    const url = index.url.replace('//', '//me:canary-77@');
    const without = environmentsFor(subject, url);
    const first = ready(await without.ensure(subject.request([])));
    expect(first.report.notes).toContain(
      `user name and password for ${index.host} are left out: keep them with "assay secrets set NAME --host ${index.host} --for packages"`,
    );
    const grants = [{ name: 'index', hosts: [index.host], user: 'me', password: 'canary-77' }];
    const granted = environmentsFor(subject, url, { grants: async () => grants });
    const second = ready(await granted.ensure(subject.request(['spy'], { sources: 'when-needed' })));
    expect(second.lock).toMatchObject([{ name: 'spy', kind: 'source' }]);
    expect(index.asked.every(({ headers }) => headers.authorization === 'Basic bWU6Y2FuYXJ5LTc3')).toBe(true);
    const [log] = await subject.logs('environment-sources');
    expect(log).not.toContain('canary-77');
  });

  test('that hangs can be canceled within five seconds, and nothing is left', async () => {
    verifies('environments.cancel', 'environments.nothing-left');
    await using subject = await environmentSubject();
    await using index = await serveIndex(subject.folder, { hang: true });
    const environments = environmentsFor(subject, index.url);
    const canceling = new AbortController();
    const work = environments.ensure(subject.request(['top'], { signal: canceling.signal }));
    const waiting = environments.ensure(subject.request(['top'], { signal: canceling.signal, key: 'second' }));
    while (index.asked.length === 0) await new Promise((go) => setTimeout(go, 20));
    const from = performance.now();
    canceling.abort(new Error('enough'));
    const reasons = (await Promise.allSettled([work, waiting])).map(
      (ended) => ended.status === 'rejected' && String(ended.reason),
    );
    expect(reasons).toEqual(['Error: enough', 'Error: enough']);
    expect(performance.now() - from).toBeLessThan(5000);
    expect(await readdir(join(subject.cacheDir, 'environments', '.building'))).toEqual([]);
  });
});

describe('folders with packages', () => {
  test('serve without any network', async () => {
    verifies('environments.offline');
    await using subject = await environmentSubject();
    const folder = join(subject.folder, 'packages');
    await makePackages(subject.python, folder, wheels);
    const environments = subject.environments({ env: { ...pathOnly(), PIP_NO_INDEX: '1', PIP_FIND_LINKS: folder } });
    const environment = ready(await environments.ensure(subject.request(['top'])));
    expect(environment.lock).toMatchObject(LOCK.map((entry) => ({ ...entry, from: 'local' })));
    expect(environment.report.hosts).toEqual([]);
    expect(subject.networks).toEqual(['none', 'none']);
    // A new file in the folder is a new question.
    await makePackages(subject.python, folder, [{ name: 'base', version: '1.6' }]);
    expect(ready(await environments.ensure(subject.request(['top']))).lock[0]).toMatchObject({ version: '1.6' });
  });
});

describe('source distributions', () => {
  const offline = async (subject: Subject, code: string) => {
    const folder = join(subject.folder, 'packages');
    await makePackages(subject.python, folder, [{ name: 'native', version: '3.1', sdist: code }]);
    return subject.environments({ env: { ...pathOnly(), PIP_NO_INDEX: '1', PIP_FIND_LINKS: folder } });
  };

  test('are a second step, taken only when allowed, and said', async () => {
    verifies('environments.wheels-first');
    await using subject = await environmentSubject();
    const environments = await offline(subject, 'pass');
    const failure = failed(await environments.ensure(subject.request(['native'])));
    expect(failure.step).toBe('wheels');
    const environment = ready(await environments.ensure(subject.request(['native'], { sources: 'when-needed' })));
    expect(environment.lock).toMatchObject([
      { name: 'native', version: '3.1', file: 'native-3.1.tar.gz', kind: 'source' },
    ]);
    expect(environment.report.step).toBe('sources');
    expect(environment.report.notes).toContain(
      'not every requirement has a wheel: source distributions were allowed in a second step',
    );
  });

  test('see nothing of the machine, and what they leave in the environment is found', async () => {
    verifies('environments.build-confined', 'environments.tree-checked');
    await using subject = await environmentSubject({ CANARY_SECRET: 'canary-91' });
    process.env['CANARY_SECRET'] = 'canary-91';
    const environments = await offline(
      subject,
      `import socket
print("ENV", "canary-91" in str(dict(os.environ)), "HOME", os.path.exists(${JSON.stringify(subject.folder)}), os.path.exists("/root/.ssh"), os.path.exists("/home"))
try:
    socket.create_connection(("127.0.0.1", 9), timeout=1)
except OSError as error:
    print("NET", error.strerror)
site = [p for p in os.listdir("/environment/lib") if p.startswith("python3")][0]
open("/environment/lib/%s/site-packages/late.pth" % site, "w").write("import os")
open("/environment/lib/%s/site-packages/sitecustomize.py" % site, "w").write("print('started')")`,
    );
    const environment = ready(await environments.ensure(subject.request(['native'], { sources: 'when-needed' })));
    const [log] = await subject.logs('environment-sources');
    expect(log).not.toContain('canary-91');
    const version = subject.python.version.split('.').slice(0, 2).join('.');
    const site = `lib/python${version}/site-packages`;
    expect(environment.report.startupFiles).toEqual([`${site}/late.pth`, `${site}/sitecustomize.py`]);
  });

  test('links that lead out and a pipe make the environment unusable', async () => {
    verifies('environments.tree-checked');
    await using subject = await environmentSubject();
    const code = `os.symlink("/etc", "/environment/etc")
os.symlink("../../root", "/environment/lib/up")
os.symlink("bin/python", "/environment/harmless")
os.mkfifo("/environment/pipe")`;
    const environments = await offline(subject, code);
    const failure = failed(await environments.ensure(subject.request(['native'], { sources: 'when-needed' })));
    expect(failure.step).toBe('check');
    const [start, problems = ''] = failure.message.split(': ');
    expect(start).toBe('the environment is not safe to use');
    expect(problems.split('; ').sort()).toEqual([
      'etc is a link that leads out',
      'lib/up is a link that leads out',
      'pipe is neither a file nor a folder',
    ]);
    expect(await readdir(join(subject.cacheDir, 'environments'))).toEqual(['.building']);
  });

  test('a report that names what is not installed is not believed', async () => {
    verifies('environments.lock');
    await using subject = await environmentSubject();
    const environments = await offline(
      subject,
      `info = "/environment/lib/" + os.listdir("/environment/lib")[0] + "/site-packages/hidden-9.dist-info"
os.makedirs(info)
open(info + "/METADATA", "w").write("Name: hidden\\nVersion: 9\\n")`,
    );
    const failure = failed(await environments.ensure(subject.request(['native'], { sources: 'when-needed' })));
    expect(failure.message).toContain('installed but not reported: hidden 9');
  });

  test('one that fills the disk is stopped at the bound', async () => {
    verifies('environments.bounds');
    await using subject = await environmentSubject();
    const environments = await offline(
      subject,
      'for i in range(400):\n    open("/environment/fill-%d" % i, "wb").write(bytes(1 << 20))\nimport time; time.sleep(20)',
    );
    const limits = { cpus: 2, memoryBytes: 1024 * MIB, pids: 128, diskBytes: 64 * MIB, timeoutSeconds: 60 };
    const failure = failed(await environments.ensure(subject.request(['native'], { sources: 'when-needed', limits })));
    expect(failure).toMatchObject({ step: 'sources', exit: { end: 'output_limit' } });
  });
});

describe.skipIf(missing('root', 'tmpfs').length > 0)('a disk that is full', () => {
  test('is told with its folder and numbers, and nothing half made is used when there is room', async () => {
    verifies('dependency.disk-full', 'environments.nothing-left');
    await using subject = await environmentSubject();
    const folder = join(subject.folder, 'packages');
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`fat/${i}.py`, '#'.repeat(1 << 20)]));
    const program = 'open("/environment/half", "wb").write(bytes(30 << 20))';
    await mkdir(folder);
    for (const { file, bytes } of [
      wheel({ name: 'fat', version: '1.0', files: { ...files, 'fat/__init__.py': '' } }),
      sourceDistribution('native', '1.0', program),
    ])
      writeFileSync(join(folder, file), bytes);
    const mount = (options: string) =>
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', subject.cacheDir], { stdio: 'pipe' });
    mount('size=12m');
    try {
      const env = { ...pathOnly(), PIP_NO_INDEX: '1', PIP_FIND_LINKS: folder };
      const environments = subject.environments({ env });
      for (const name of ['fat', 'native']) {
        const failure = failed(await environments.ensure(subject.request([name], { sources: 'when-needed' })));
        expect(failure.space).toMatchObject({ boundBytes: 512 * MIB, isBound: false });
        expect(failure.space?.folder.startsWith(subject.cacheDir)).toBe(true);
        expect(failure.output).toMatch(/No space left on device|Errno 28/);
        expect(await readdir(join(subject.cacheDir, 'environments'))).toEqual(['.building']);
        expect(await readdir(join(subject.cacheDir, 'environments', '.building'))).toEqual([]);
      }
      // Full from the beginning: not even the folders of the build can be made.
      writeFileSync(join(subject.cacheDir, 'fill'), Buffer.alloc(12 * MIB), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
    try {
      const env = { ...pathOnly(), PIP_NO_INDEX: '1', PIP_FIND_LINKS: folder };
      const environments = subject.environments({ env });
      const told: unknown = await environments.ensure(subject.request(['fat'])).catch((error: unknown) => error);
      expect(told).toMatchObject({ code: 'disk_full', why: expect.stringContaining(' MiB left') as string });
      await rm(join(subject.cacheDir, 'fill'), { force: true });
      mount('remount,size=200m');
      const environment = ready(await environments.ensure(subject.request(['fat'])));
      expect(environment.cached).toBe(false);
      expect(await useIt(subject, environment, 'import fat, sys; print("ok")')).toContain('ok');
    } finally {
      execFileSync('umount', [subject.cacheDir]);
    }
  }, 120_000);
});

describe('the cache', () => {
  test('a damaged environment, a half one and a left-over build are built again', async () => {
    verifies('environments.damage');
    await using subject = await environmentSubject();
    const folder = join(subject.folder, 'packages');
    await makePackages(subject.python, folder, [{ name: 'base', version: '1.5' }]);
    const env = { ...pathOnly(), PIP_NO_INDEX: '1', PIP_FIND_LINKS: folder };
    const environments = subject.environments({ env });
    const first = ready(await environments.ensure(subject.request(['base'])));
    const module = join(first.path, 'lib', readdirSync(join(first.path, 'lib'))[0]!, 'site-packages', 'base.py');
    writeFileSync(module, 'value = "other"\n');
    expect(await environments.open(first.id, subject.python)).toBeUndefined();
    const second = ready(await environments.ensure(subject.request(['base'])));
    expect(second.cached).toBe(false);
    expect(await useIt(subject, second, 'import base; print(base.value)')).toBe('1.5\n');
    await rm(join(subject.cacheDir, 'environments', second.id, 'environment.json'));
    expect(ready(await environments.ensure(subject.request(['base']))).cached).toBe(false);
    expect((await environments.open(first.id, subject.python))?.id).toBe(first.id);
  });

  test('the oldest environments go when it is full, those lately used stay', async () => {
    verifies('environments.eviction');
    await using subject = await environmentSubject();
    const folder = join(subject.folder, 'packages');
    await makePackages(
      subject.python,
      folder,
      [1, 2, 3].map((n) => ({ name: `pack${n}`, version: '1.0' })),
    );
    const env = { ...pathOnly(), PIP_NO_INDEX: '1', PIP_FIND_LINKS: folder };
    const environments = subject.environments({ env, maxBytes: 1 });
    const build = async (name: string) => ready(await environments.ensure(subject.request([name]))).id;
    const [old, recent] = [await build('pack1'), await build('pack2')];
    const record = join(subject.cacheDir, 'environments', old, 'environment.json');
    const longAgo = new Date(Date.now() - 86_400_000);
    await utimes(record, longAgo, longAgo);
    const last = await build('pack3');
    const left = (await readdir(join(subject.cacheDir, 'environments'))).filter((name) => name !== '.building');
    expect(left.sort()).toEqual([recent, last].sort());
    expect(existsSync(record)).toBe(false);
  });
});

function pathOnly(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', PIP_CONFIG_FILE: '/dev/null' };
}

function environmentsFor(subject: Subject, url: string, options: Partial<PythonEnvironmentsOptions> = {}) {
  return subject.environments({ env: { ...pathOnly(), PIP_INDEX_URL: url }, ...options });
}
