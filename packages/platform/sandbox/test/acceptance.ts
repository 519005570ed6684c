import { createHash } from 'node:crypto';
import { existsSync, symlinkSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { attachSession, sessionExitSchema, sessionMetaSchema, type Mount } from '../src/index.ts';
import { networkAcceptance } from './network-acceptance.ts';
import { MIB, eventually, run, shell, specFor, start, type Subject } from './subject.ts';

/** What every backend of the sandbox promises. `make` gives a fresh one with a folder of its own. */
export function sandboxAcceptance(name: string, make: () => Promise<Subject>): void {
  describe(`${name}: how a command ends`, () => endings(make));
  describe(`${name}: what a command is given`, () => surroundings(make));
  describe(`${name}: output`, () => output(make));
  describe(`${name}: mounts`, () => mounts(make));
  describe(`${name}: the way to allowed hosts`, () => networkAcceptance(make));
  describe(`${name}: sessions`, () => sessions(make));
}

function endings(make: () => Promise<Subject>): void {
  test('the exit code is the command’s own', async () => {
    verifies('sandbox.exit-code');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    for (const code of [0, 1, 3, 126, 127, 255]) {
      const { exit } = await run(subject, instance, shell(`exit ${code}`));
      expect(exit).toMatchObject({ end: 'exited', exitCode: code, signal: null });
      expect(exit).not.toHaveProperty('message');
    }
  });

  test('a signal has its name', async () => {
    verifies('sandbox.signal-name');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    for (const signal of ['KILL', 'TERM', 'SEGV', 'ABRT', 'SYS']) {
      const { exit } = await run(subject, instance, shell(`kill -${signal} $$; sleep 5`));
      expect(exit).toMatchObject({ end: 'signaled', exitCode: null, signal: `SIG${signal}` });
    }
  });

  test('a command that did not start is never one that ran', async () => {
    verifies('sandbox.setup-failed-never-ran');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    await writeFile(join(subject.work, 'not-executable'), '#!/bin/sh\nexit 0\n', { mode: 0o644 });
    await writeFile(join(subject.work, 'no-interpreter'), '#!/nowhere/sh\nexit 0\n', { mode: 0o755 });
    for (const command of [
      'no-such-command',
      '/work/not-executable',
      '/work/no-interpreter',
      '/work',
      '/usr/bin/nope',
    ]) {
      const { exit } = await run(subject, instance, { argv: [command] });
      expect(exit, command).toMatchObject({ end: 'setup_failed', exitCode: null, signal: null });
      expect(exit.message).toContain(command);
    }
    const { exit } = await run(subject, instance, { argv: ['true'], cwd: '/not/there' });
    expect(exit).toMatchObject({ end: 'setup_failed', exitCode: null });
    expect(exit.message).toContain('/not/there');
  });

  test('a shell that misses a command ran and says 127', async () => {
    verifies('sandbox.setup-failed-never-ran');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    const { exit, output: text } = await run(subject, instance, shell('no-such-command'));
    expect(exit).toMatchObject({ end: 'exited', exitCode: 127 });
    expect(text).toContain('no-such-command');
  });

  test('the time limit ends it', async () => {
    verifies('sandbox.timeout');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject, { timeoutSeconds: 0.4 }));
    const { exit } = await run(subject, instance, { argv: ['sleep', '30'] });
    expect(exit).toMatchObject({ end: 'timed_out', exitCode: null, signal: 'SIGTERM' });
    expect(exit.message).toBe('the time limit of 0.4 s was reached');
    expect(exit.seconds).toBeGreaterThanOrEqual(0.4);
    expect(exit.seconds).toBeLessThan(3);
  });

  test('a command that is told to end may clean up', async () => {
    verifies('sandbox.kill-grace');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    const session = await start(
      subject,
      instance,
      shell('trap "echo cleaned; exit 3" TERM; echo ready; sleep 30 & wait'),
    );
    await eventually(async () => (await session.read(0, 100)).includes('ready'));
    await session.kill('enough');
    expect(await session.wait()).toMatchObject({ end: 'killed', exitCode: 3, message: 'enough' });
    expect((await session.read(0, 100)).toString()).toBe('ready\ncleaned\n');
  });

  test('a command that ignores TERM is gone within five seconds', async () => {
    verifies('sandbox.cancel-five-seconds');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    const session = await start(subject, instance, shell('trap "" TERM; echo ready; while :; do sleep 1; done'));
    await eventually(async () => (await session.read(0, 100)).includes('ready'));
    const from = performance.now();
    await session.kill('canceled');
    expect(performance.now() - from).toBeLessThan(5000);
    expect(performance.now() - from).toBeGreaterThan(2500);
    expect(await session.wait()).toMatchObject({ end: 'killed', message: 'canceled' });
  });

  test('a killed child means out of memory, whatever the exit code says', async () => {
    verifies('sandbox.out-of-memory');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject, { memoryBytes: 64 * MIB }));
    const bomb = 'head -c 400000000 /dev/zero | tail -c 399999999 > /dev/null; exit 0';
    const { exit } = await run(subject, instance, shell(bomb));
    expect(exit.end).toBe('out_of_memory');
    expect(exit.message).toBe('a process passed the memory limit of 67108864 bytes');
  });
}

function surroundings(make: () => Promise<Subject>): void {
  test('arguments, folders and files with any name arrive as they are', async () => {
    verifies('sandbox.odd-names');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    const odd = ['', ' ', 'two\nlines', '数据 ü', '--', '-x', '$HOME `id` "\'\\', '\u{1F600}', '\t'];
    const folder = 'ördner\nmit "zeilen" $x';
    await mkdir(join(subject.work, folder));
    const { output: text } = await run(subject, instance, {
      argv: ['/bin/sh', '-c', 'for a in "$@"; do printf "[%s]" "$a"; done; : > "made $1"', 'sh', 'x', ...odd],
      cwd: `/work/${folder}`,
    });
    expect(text).toBe(`[x]${odd.map((argument) => `[${argument}]`).join('')}`);
    expect(existsSync(join(subject.work, folder, 'made x'))).toBe(true);
  });

  test('the environment is what was given and a few fixed names', async () => {
    verifies('sandbox.environment-cleared');
    process.env['ASSAY_TEST_CANARY'] = 'canary-5f1c';
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject, { env: { GIVEN: 'spec', BOTH: 'spec' } }));
    const { output: text } = await run(subject, instance, { argv: ['env'], env: { BOTH: 'command', UNI: 'ü\nx' } });
    const names = text.split('\n').flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? []);
    expect(names.sort()).toEqual(['BOTH', 'GIVEN', 'HOME', 'LANG', 'LOGNAME', 'PATH', 'PWD', 'TMPDIR', 'UNI', 'USER']);
    expect(text).toContain('BOTH=command\n');
    expect(text).toContain('UNI=ü\nx\n');
    expect(text).not.toContain('canary-5f1c');
  });

  test('a bad environment is refused', async () => {
    verifies('sandbox.refusals-say-why');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    for (const env of [{ 'A=B': 'x' }, { '': 'x' }, { OK: 'zero\0byte' }])
      await expect(start(subject, instance, { argv: ['true'], env })).rejects.toMatchObject({
        code: 'sandbox_refused',
      });
  });

  test('there is no network but lo', async () => {
    verifies('sandbox.network-none');
    await using subject = await make();
    for (const network of ['none', 'loopback'] as const) {
      await using instance = await subject.sandbox.create(specFor(subject, { network }));
      const { output: text } = await run(subject, instance, shell('cut -d: -f1 -s /proc/net/dev'));
      expect(
        text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => /^[a-z0-9]+$/.test(line)),
      ).toEqual(['lo']);
      expect(instance.attestation.network).toBe(network);
    }
  });

  test('a network that cannot be confined is refused, never widened', async () => {
    verifies('sandbox.refusals-say-why');
    await using subject = await make();
    await expect(subject.sandbox.create(specFor(subject, { network: 'full' }))).rejects.toMatchObject({
      code: 'sandbox_refused',
      message: 'network "full" is not available',
    });
  });

  test.each([
    ['cpus', 0],
    ['memoryBytes', 1],
    ['pids', 0],
    ['timeoutSeconds', Number.NaN],
    ['outputLimitBytes', -1],
    ['diskBytes', 1.5],
  ])('a limit that is none is refused: %s = %s', async (field, value) => {
    verifies('sandbox.refusals-say-why');
    await using subject = await make();
    await expect(subject.sandbox.create(specFor(subject, { [field]: value }))).rejects.toMatchObject({
      code: 'sandbox_refused',
      message: `${field} cannot be ${value}`,
    });
  });

  test('stdin is empty, /tmp is private and writable', async () => {
    verifies('sandbox.private-tmp');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    const first = await run(subject, instance, shell('cat; echo x > /tmp/x; ls /tmp'));
    expect(first.output).toBe('x\n');
    const second = await run(subject, instance, shell('ls /tmp'));
    expect(second.output).toBe('');
  });
}

function output(make: () => Promise<Subject>): void {
  test('stdout and stderr stand in the order of the writes', async () => {
    verifies('sandbox.output-order');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    const { output: text, exit } = await run(subject, instance, shell('echo a; echo b >&2; echo c; echo d >&2'));
    expect(text).toBe('a\nb\nc\nd\n');
    expect(exit.outputBytes).toBe(8);
  });

  test('separate streams only when asked', async () => {
    verifies('sandbox.output-separate');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    const { session, exit } = await run(subject, instance, {
      ...shell('echo out; echo err >&2'),
      separateStreams: true,
    });
    expect((await session.read(0, 100)).toString()).toBe('out\n');
    expect((await session.read(0, 100, 'stderr')).toString()).toBe('err\n');
    expect(exit.outputBytes).toBe(8);
  });

  test('200 MB arrive complete', async () => {
    verifies('sandbox.output-complete');
    await using subject = await make();
    const bytes = 200 * MIB;
    await using instance = await subject.sandbox.create(
      specFor(subject, { outputLimitBytes: bytes, diskBytes: bytes }),
    );
    const line = 'assay-0123456789-abcdefghijklmnopqrstuvwxyz-assay';
    const { exit, session } = await run(subject, instance, shell(`yes ${line} | head -c ${bytes}`));
    expect(exit).toMatchObject({ end: 'exited', exitCode: 0, outputBytes: bytes });
    const hash = createHash('sha256');
    for (let at = 0; at < bytes; at += MIB) hash.update(await session.read(at, MIB));
    const wanted = createHash('sha256');
    const block = Buffer.from(`${line}\n`.repeat(50_000));
    for (let left = bytes; left > 0; left -= block.length)
      wanted.update(block.subarray(0, Math.min(left, block.length)));
    expect(hash.digest('hex')).toBe(wanted.digest('hex'));
  });

  test('the output limit ends it, and no more is kept', async () => {
    verifies('sandbox.output-limit');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject, { outputLimitBytes: MIB }));
    for (const separateStreams of [false, true]) {
      const { exit, session } = await run(subject, instance, { ...shell('yes >&2 & yes'), separateStreams });
      expect(exit).toMatchObject({ end: 'output_limit', outputBytes: MIB });
      expect(exit.message).toBe('the output passed its limit of 1048576 bytes');
      const out = await session.read(0, 2 * MIB);
      const err = separateStreams ? await session.read(0, 2 * MIB, 'stderr') : Buffer.alloc(0);
      expect(out.length + err.length).toBe(MIB);
    }
  });

  test('output that passes the limit at once is cut and said, though the command ended by itself', async () => {
    verifies('sandbox.output-limit');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject, { outputLimitBytes: 1000 }));
    const { exit } = await run(subject, instance, shell('head -c 5000 /dev/zero; exit 0'));
    expect(exit).toMatchObject({ end: 'output_limit', exitCode: 0, outputBytes: 1000 });
  });

  test('a shorter time limit counts, a longer one does not, none is refused', async () => {
    verifies('sandbox.timeout', 'sandbox.refusals-say-why');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject, { timeoutSeconds: 0.5 }));
    for (const timeoutSeconds of [0.2, 60]) {
      const session = await start(subject, instance, { argv: ['sleep', '30'] }, { timeoutSeconds });
      expect((await session.wait()).message).toBe(`the time limit of ${Math.min(timeoutSeconds, 0.5)} s was reached`);
    }
    const never = start(subject, instance, { argv: ['true'] }, { timeoutSeconds: Number.NaN });
    await expect(never).rejects.toMatchObject({ code: 'sandbox_refused' });
  });

  test('a reader can follow while it grows, from any offset, to the end', async () => {
    verifies('sandbox.output-follow');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    const session = await start(subject, instance, shell('for i in 1 2 3 4 5; do echo line $i; sleep 0.1; done'));
    const seen: string[] = [];
    for await (const chunk of session.follow()) seen.push(chunk.toString());
    expect(seen.join('')).toBe('line 1\nline 2\nline 3\nline 4\nline 5\n');
    expect(seen.length).toBeGreaterThan(1);
    let rest = '';
    for await (const chunk of session.follow({ offset: 21 })) rest += chunk.toString();
    expect(rest).toBe('line 4\nline 5\n');
  });

  test('samples of time and offset grow, at most one per 50 ms', async () => {
    verifies('sandbox.output-index');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    const { session } = await run(subject, instance, shell('for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.05; done'));
    const lines = (await readFile(join(session.dir, 'output.idx'), 'utf8')).trim().split('\n');
    const samples = lines.map((line) => line.split(' ').map(Number));
    expect(samples.length).toBeGreaterThan(2);
    expect(samples.length).toBeLessThan(20);
    expect(samples.at(-1)![1]).toBe(16);
    for (const [i, [time, offset]] of samples.slice(1).entries()) {
      expect(time).toBeGreaterThanOrEqual(samples[i]![0]!);
      expect(offset).toBeGreaterThan(samples[i]![1]!);
    }
  });
}

function mounts(make: () => Promise<Subject>): void {
  test('writable is written, read-only is not', async () => {
    verifies('sandbox.mount-modes');
    await using subject = await make();
    await mkdir(join(subject.work, 'data'));
    await writeFile(join(subject.work, 'data', 'rows'), 'one\n');
    const spec = specFor(subject, {
      mounts: [
        { source: join(subject.work, 'data'), target: '/data', mode: 'ro' },
        { source: subject.work, target: '/work', mode: 'rw' },
        { source: join(subject.work, 'data', 'rows'), target: '/rows', mode: 'ro' },
      ],
    });
    await using instance = await subject.sandbox.create(spec);
    const script =
      'cat /data/rows /rows; echo two > /work/made; for f in /data/x /data/rows /rows /x /usr/x; do (: >> $f) 2>/dev/null && echo wrote $f; done; true';
    const { output: text } = await run(subject, instance, shell(script));
    expect(text).toBe('one\none\n');
    expect(await readFile(join(subject.work, 'made'), 'utf8')).toBe('two\n');
  });

  test('a masked file is empty, a masked folder too, and both stay as they are outside', async () => {
    verifies('sandbox.masks');
    await using subject = await make();
    await mkdir(join(subject.work, 'secrets'));
    await writeFile(join(subject.work, 'labels.csv'), 'y\n1\n');
    await writeFile(join(subject.work, 'secrets', 'key'), 'k');
    await using instance = await subject.sandbox.create(
      specFor(subject, { masks: ['/work/labels.csv', '/work/secrets'] }),
    );
    const { output: text } = await run(
      subject,
      instance,
      shell(
        'wc -c < labels.csv; ls secrets; (echo x > labels.csv) 2>&1; (: > secrets/x) 2>&1; rm -f labels.csv 2>&1; true',
      ),
    );
    expect(text.split('\n')[0]).toBe('0');
    expect(text).not.toContain('key');
    expect(await readFile(join(subject.work, 'labels.csv'), 'utf8')).toBe('y\n1\n');
    expect(await readFile(join(subject.work, 'secrets', 'key'), 'utf8')).toBe('k');
    await expect(subject.sandbox.create(specFor(subject, { masks: ['/work/missing'] }))).rejects.toMatchObject({
      code: 'sandbox_refused',
    });
  });

  test('mounts that are not allowed are refused with the reason', async () => {
    verifies('sandbox.mounts-confined', 'sandbox.refusals-say-why');
    await using subject = await make();
    const outside = join(subject.folder, 'outside');
    await mkdir(outside);
    symlinkSync(outside, join(subject.work, 'link-out'));
    const at = (source: string, target = '/x', mode: Mount['mode'] = 'ro') => ({ source, target, mode });
    const cases: readonly (readonly [mount: Mount, why: string])[] = [
      [at(outside), 'outside the allowed folders'],
      [at(join(subject.work, 'link-out')), 'outside the allowed folders'],
      [at(`${subject.work}/../outside`), 'absolute path without ".."'],
      [at(join(subject.work, 'missing')), 'does not exist'],
      [at('relative'), 'absolute path'],
      [at('/etc/shadow'), 'outside the allowed folders'],
      [at('/'), 'outside the allowed folders'],
      [at(subject.work, '/usr/share'), 'belongs to the sandbox'],
      [at(subject.work, '/proc/x'), 'belongs to the sandbox'],
      [at(subject.work, '/'), 'belongs to the sandbox'],
      [at(subject.work, '/work/../etc'), 'absolute path without ".."'],
      [at(subject.work, '/work'), 'one would hide the other'],
      [at(subject.work, '/work/not-there'), 'mount point cannot be made'],
    ];
    for (const [mount, why] of cases) {
      const base = specFor(subject).mounts;
      const refused = subject.sandbox.create(specFor(subject, { mounts: [...base, mount] }));
      await expect(refused, JSON.stringify(mount)).rejects.toMatchObject({
        code: 'sandbox_refused',
        why: expect.stringContaining(why) as string,
      });
    }
  });

  test('data folders are for reading only', async () => {
    verifies('sandbox.mounts-confined');
    await using subject = await make();
    const data = join(subject.folder, 'data');
    await mkdir(data);
    const spec = (mode: Mount['mode']) =>
      specFor(subject, { dataRoots: [data], mounts: [{ source: data, target: '/data', mode }] });
    await expect(subject.sandbox.create(spec('rw'))).rejects.toMatchObject({ code: 'sandbox_refused' });
    await using instance = await subject.sandbox.create(spec('ro'));
    const { exit } = await run(subject, instance, { argv: ['ls', '/data'], cwd: '/' });
    expect(exit.exitCode).toBe(0);
  });
}

function sessions(make: () => Promise<Subject>): void {
  test('many at once, each with its own output', async () => {
    verifies('sandbox.concurrent-sessions');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, i) => run(subject, instance, shell(`sleep 0.2; echo session ${i}; exit ${i}`))),
    );
    expect(all.map(({ exit }) => exit.exitCode)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(all.map(({ output: text }) => text)).toEqual(Array.from({ length: 8 }, (_, i) => `session ${i}\n`));
  });

  test('records say what ran, within which boundary, and how it ended', async () => {
    verifies('sandbox.records', 'sandbox.attestation');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    const { session, exit } = await run(subject, instance, { ...shell('exit 4'), scope: { plan: 'plan_x' } });
    const json = async (file: string) => JSON.parse(await readFile(join(session.dir, file), 'utf8')) as unknown;
    const meta = sessionMetaSchema.parse(await json('meta.json'));
    expect(meta).toMatchObject({
      id: session.id,
      argv: ['/bin/sh', '-c', 'exit 4'],
      cwd: '/work',
      scope: { plan: 'plan_x', session: session.id },
    });
    expect(meta.attestation).toEqual(instance.attestation);
    const hash = createHash('sha256').update(JSON.stringify(meta.boundary)).digest('hex');
    expect(hash).toBe(meta.attestation.boundarySha256);
    expect(meta.attestation).toMatchObject({ backend: subject.sandbox.id, capabilities: 'none', userNamespace: true });
    const record = sessionExitSchema.parse(await json('exit.json'));
    expect(record).toMatchObject({ v: 1, end: 'exited', exitCode: 4, seconds: exit.seconds });
  });

  test('the boundary has one hash, another boundary another', async () => {
    verifies('sandbox.attestation');
    await using subject = await make();
    const hash = async (changes: Parameters<typeof specFor>[1]) => {
      await using instance = await subject.sandbox.create(specFor(subject, changes));
      return instance.attestation.boundarySha256;
    };
    const first = await hash({});
    expect(await hash({ timeoutSeconds: 5 })).toBe(first);
    expect(await hash({ mounts: [] })).not.toBe(first);
    expect(await hash({ readOnlyRoot: false })).not.toBe(first);
  });

  test('a session folder serves once', async () => {
    verifies('sandbox.folder-serves-once');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    const { session } = await run(subject, instance, shell('echo first'));
    const again = start(subject, instance, { argv: ['true'], sessionDir: session.dir, sessionId: 'session_again' });
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
    expect((await session.read(0, 100)).toString()).toBe('first\n');
  });

  test('waiting can be given up; the session goes on', async () => {
    verifies('sandbox.wait-abort');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    const session = await start(subject, instance, shell('sleep 0.5; echo done'));
    await expect(session.wait(AbortSignal.timeout(50))).rejects.toThrow();
    expect(await session.wait()).toMatchObject({ end: 'exited', exitCode: 0 });
  });

  test('an aborted command is ended', async () => {
    verifies('sandbox.abort-ends');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    const stop = new AbortController();
    const session = await start(subject, instance, { argv: ['sleep', '30'] }, { signal: stop.signal });
    stop.abort();
    expect(await session.wait()).toMatchObject({ end: 'killed', message: 'canceled' });
    await expect(start(subject, instance, { argv: ['true'] }, { signal: stop.signal })).rejects.toThrow();
  });

  test('closing the instance ends what it runs', async () => {
    verifies('sandbox.dispose-ends');
    await using subject = await make();
    let session;
    {
      await using instance = await subject.sandbox.create(specFor(subject));
      session = await start(subject, instance, { argv: ['sleep', '30'] });
    }
    expect(await session.wait()).toMatchObject({ end: 'killed', message: 'the sandbox was closed' });
  });

  test('a session is found again: running, ended, never there', async () => {
    verifies('sandbox.attach');
    await using subject = await make();
    await using instance = await subject.sandbox.create(specFor(subject));
    const session = await start(subject, instance, shell('sleep 0.6; exit 7'));
    const found = await attachSession({ home: subject.home, dir: session.dir });
    if (found.kind !== 'running') throw new Error(`it is ${found.kind}`);
    expect(await found.session.wait()).toMatchObject({ end: 'exited', exitCode: 7 });
    const later = await attachSession({ home: subject.home, dir: session.dir });
    expect(later).toMatchObject({ kind: 'ended', exit: { end: 'exited', exitCode: 7 } });
    expect(await attachSession({ home: subject.home, dir: subject.work })).toEqual({ kind: 'lost' });
  });
}
