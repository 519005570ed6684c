import { spawnSync } from 'node:child_process';
import { cp, mkdir, open, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createClient } from '@assay/client';
import { errorCode } from '@assay/foundation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missing, startTestDaemon, temporaryFolder, verifies, type TemporaryFolder } from '@assay/testkit';
import { runCli } from './support/cli.ts';
import { pointsCsv, thresholdRepo, writeTree } from './support/fixtures.ts';

let folder: TemporaryFolder;
let home: string;
let repository: string;
let data: string;

beforeAll(async () => {
  folder = await temporaryFolder('assay-bad-input');
  home = join(folder.path, 'home');
  repository = await writeTree(join(folder.path, 'repo'), thresholdRepo);
  data = join(folder.path, 'points.csv');
  await writeFile(data, pointsCsv());
});

afterAll(async () => {
  await runCli(['down'], { ASSAY_HOME: home });
  await folder[Symbol.asyncDispose]();
});

interface Failed {
  readonly exit: number | null;
  readonly code: string;
  readonly message: string;
  readonly why: string;
  readonly hint: string;
}

/** Runs a benchmark that must fail; what it printed as JSON, and that people are told what, why and what to do. */
async function failing(
  args: readonly string[],
  env: Record<string, string | undefined> = {},
  under: readonly string[] = [],
): Promise<Failed> {
  const run = await runCli(['benchmark', ...args, '--json'], { ASSAY_HOME: home, ...env }, under);
  expect(run.stdout.trim().split('\n')).toHaveLength(1);
  const { error } = JSON.parse(run.stdout) as { error: Omit<Failed, 'exit'> };
  return { exit: run.exit, code: error.code, message: error.message, why: error.why ?? '', hint: error.hint ?? '' };
}

describe('a data file that cannot be used', () => {
  const cases: readonly { name: string; content: string | Buffer; target?: string; code: string; says: RegExp }[] = [
    { name: 'empty', content: '', code: 'dataset_empty', says: /empty/ },
    { name: 'header only', content: 'x,y,label\n', code: 'dataset_no_rows', says: /row/ },
    { name: 'wrong target', content: pointsCsv(), target: 'colour', code: 'column_missing', says: /x.*y.*label/s },
    { name: 'one class', content: 'x,label\n1,a\n2,a\n3,a\n', code: 'target_unsuitable', says: /one|only|same/ },
    {
      name: 'binary junk',
      content: Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256)),
      code: 'dataset_format',
      says: /binary|NUL|text/i,
    },
    {
      name: 'two encodings',
      content: Buffer.concat([Buffer.from('x,label\n1,café\n2,thé\n'), Buffer.from('3,café\n', 'latin1')]),
      code: 'dataset_encoding',
      says: /row 2.*byte/s,
    },
    { name: 'ragged', content: 'x,label\n1,a\n2,b,c\n', code: 'dataset_ragged', says: /row/ },
  ];
  test.each(cases)('$name', async ({ name, content, target, code, says }) => {
    verifies('bad-input.data');
    const path = join(folder.path, `${name.replaceAll(' ', '-')}.csv`);
    await writeFile(path, content);
    const failed = await failing(['--repo', repository, '--data', path, '--target', target ?? 'label']);
    expect({ code: failed.code, exit: failed.exit }).toEqual({ code, exit: 2 });
    expect(`${failed.message} ${failed.why} ${failed.hint}`).toMatch(says);
    expect(failed.hint).not.toBe('');
  });

  test('missing, or a folder', async () => {
    const gone = await failing(['--repo', repository, '--data', join(folder.path, 'gone.csv')]);
    expect(gone).toMatchObject({ code: 'dataset_missing', exit: 2 });
    const aFolder = await failing(['--repo', repository, '--data', folder.path]);
    expect(aFolder).toMatchObject({ code: 'dataset_missing', exit: 2 });
  });

  test('in a folder that every session sees', async () => {
    verifies('bad-input.data-shown');
    const link = join(folder.path, 'shown.csv');
    await symlink('/usr/bin/env', link);
    const shown = await failing(['--repo', repository, '--data', link]);
    expect(shown).toMatchObject({
      code: 'sandbox_refused',
      exit: 2,
      message: 'the data file lies in a folder that the code can see',
      hint: expect.stringContaining('copy the file elsewhere') as string,
    });
  });
});

describe('a repository that cannot be used', () => {
  test('missing, without code, behind a URL, without an entry point', async () => {
    verifies('bad-input.repository');
    const empty = await writeTree(join(folder.path, 'prose'), { 'README.md': '# nothing but words\n' });
    const unclear = await writeTree(join(folder.path, 'unclear'), {
      'helpers.py': 'def add(a, b):\n    return a + b\n',
    });
    const from = (repo: string) => failing(['--repo', repo, '--data', data, '--target', 'label']);
    expect(await from(join(folder.path, 'gone'))).toMatchObject({ code: 'repository_missing', exit: 2 });
    expect(await from(empty)).toMatchObject({ code: 'repository_no_code', exit: 2 });
    expect(await from('ftp://example.org/some/repo.git')).toMatchObject({ code: 'repository_unsupported', exit: 2 });
    const closed = 'http://127.0.0.1:9/some/repo.git'; // nothing listens there
    expect(await from(closed)).toMatchObject({ code: 'repository_unreachable', exit: 1 });
    const nothing = await from(unclear);
    expect(nothing).toMatchObject({ code: 'adapter_not_recognised', exit: 1 });
    expect(nothing.why).toContain('1 Python file');
  });

  test('one that needs packages is told which', async () => {
    const needy = await writeTree(join(folder.path, 'needy'), {
      'model.py':
        'import numpy as np\n\n\ndef predict(row: dict) -> str:\n    return "high" if np.float64(row["x"]) > 5 else "low"\n',
    });
    const failed = await failing(['--repo', needy, '--data', data, '--target', 'label', '--no-install']);
    expect(failed).toMatchObject({ code: 'dependencies_required', exit: 1 });
    expect(failed.why).toContain('numpy');
  });
});

describe('a machine that lacks something', () => {
  /** A PATH with only these programs. */
  async function pathWith(...programs: string[]): Promise<string> {
    const bin = join(folder.path, `bin-${programs.join('-')}`);
    await mkdir(bin);
    for (const program of programs)
      await symlink(
        spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim(),
        join(bin, program),
      );
    return bin;
  }

  test.skipIf(missing('root').length > 0)('no python3', async () => {
    verifies('bad-input.machine');
    // In a mount namespace of its own, where the system's Python is an empty file.
    const hide = 'p=$(readlink -f /usr/bin/python3); [ -z "$p" ] || mount --bind /dev/null "$p"; exec "$@"';
    const env = { ASSAY_HOME: join(folder.path, 'home-no-python'), PATH: await pathWith('git', 'bwrap', 'sh') };
    const under = [
      '/usr/bin/unshare',
      '-m',
      '/bin/sh',
      '-c',
      `PATH=/usr/bin:/bin; ${hide.replace('exec', `PATH=${env.PATH} exec`)}`,
      'sh',
    ];
    const failed = await failing(['--repo', repository, '--data', data, '--target', 'label'], env, under);
    await runCli(['down'], env);
    expect(failed).toMatchObject({ code: 'interpreter_missing', exit: 3 });
    expect(failed.hint).toContain('python3');
  });

  test('no git', async () => {
    verifies('quests.git-missing');
    const env = { ASSAY_HOME: join(folder.path, 'home-no-git'), PATH: await pathWith('python3', 'bwrap', 'sh') };
    const failed = await failing(['--repo', repository, '--data', data, '--target', 'label'], env);
    await runCli(['down'], env);
    expect(failed).toMatchObject({ code: 'not_configured', message: 'git is not installed', exit: 3 });
    expect(failed.hint).toContain('apt install git');
  });

  test('no bubblewrap', async () => {
    const env = { ASSAY_HOME: join(folder.path, 'home-no-bwrap'), PATH: await pathWith('git', 'python3', 'sh') };
    const failed = await failing(['--repo', repository, '--data', data, '--target', 'label'], env);
    await runCli(['down'], env);
    expect(failed).toMatchObject({ code: 'sandbox_unavailable', exit: 3 });
    expect(failed.hint).toContain('bubblewrap');
  });
});

describe('a home that cannot be served', () => {
  const up = (env: Record<string, string>) => runCli(['up', '--json'], env);
  const codeOf = (stdout: string) =>
    (JSON.parse(stdout) as { error: { code: string; message: string; hint: string } }).error;

  test('its port is taken', async () => {
    verifies('bad-input.home');
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const run = await up({ ASSAY_HOME: join(folder.path, 'home-port'), ASSAY_DAEMON_PORT: String(port) });
    server.close();
    expect(run.exit).toBe(3);
    expect(codeOf(run.stdout)).toMatchObject({ code: 'port_in_use' });
    expect(codeOf(run.stdout).message).toContain(String(port));
  });

  test('it is not there: nothing says that it is sound, and none is made', async () => {
    verifies('bad-input.home-version');
    const nowhere = join(folder.path, 'home-nowhere');
    const run = await runCli(['fsck', '--json'], { ASSAY_HOME: nowhere });
    expect({ exit: run.exit, error: codeOf(run.stdout) }).toMatchObject({
      exit: 2,
      error: { code: 'not_found' },
    });
    expect(await readdir(folder.path)).not.toContain('home-nowhere');
  });

  test('it was written by a newer version', async () => {
    verifies('bad-input.home-version');
    const newer = join(folder.path, 'home-newer');
    await mkdir(newer);
    await writeFile(join(newer, 'home.json'), '{"v": 99}\n');
    for (const command of ['up', 'down', 'status', 'fsck', 'verify plan_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'plan list']) {
      const run = await runCli([...command.split(' '), '--json'], { ASSAY_HOME: newer });
      expect({ command, exit: run.exit, code: codeOf(run.stdout).code }).toEqual({
        command,
        exit: 3,
        code: 'home_newer',
      });
    }
    expect(await failing(['--repo', repository, '--data', data], { ASSAY_HOME: newer })).toMatchObject({
      exit: 3,
      code: 'home_newer',
    });
    expect(await readdir(newer)).toEqual(['home.json']);
  });

  test.each([
    ['empty', ''],
    ['damaged', '{"v": 1'],
    ['without a version', '{"v": "1"}'],
  ])('its home.json is %s', async (_, content) => {
    verifies('bad-input.home-version');
    const broken = join(folder.path, 'home-broken');
    await mkdir(broken, { recursive: true });
    await writeFile(join(broken, 'home.json'), content);
    for (const command of ['up', 'verify plan_01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
      const run = await runCli([...command.split(' '), '--json'], { ASSAY_HOME: broken });
      expect({ exit: run.exit, code: codeOf(run.stdout).code }).toEqual({ exit: 3, code: 'config_invalid' });
      expect(codeOf(run.stdout).message).toContain(join(broken, 'home.json'));
      expect(codeOf(run.stdout).hint).toContain('{"v": 1}');
    }
    expect(await readdir(broken)).toEqual(['home.json']);
  });

  test('its configuration is wrong', async () => {
    const configured = join(folder.path, 'home-config');
    await mkdir(configured);
    await writeFile(join(configured, 'config.yaml'), 'plans:\n  max_concurent: 3\n');
    const run = await up({ ASSAY_HOME: configured });
    expect({ exit: run.exit, code: codeOf(run.stdout).code }).toEqual({ exit: 3, code: 'config_invalid' });
  });

  test('another daemon has it', async () => {
    await using daemon = await startTestDaemon();
    await expect(startTestDaemon({ home: daemon.home })).rejects.toThrow(/home_locked/);
    expect((await daemon.client.health()).ok).toBe(true);
  });

  test('it cannot be written', async () => {
    const run = await up({ ASSAY_HOME: '/proc/assay-home' });
    expect({ exit: run.exit, code: codeOf(run.stdout).code }).toEqual({ exit: 3, code: 'home_read_only' });
    expect(codeOf(run.stdout).hint).toContain('ASSAY_HOME');
  });

  test.skipIf(missing('root').length > 0)('its disk is full before the daemon starts', async () => {
    verifies('bad-input.disk-full-start');
    const mount = join(folder.path, 'full-disk');
    await mkdir(mount);
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', mount]).status).toBe(0);
    try {
      await fillDisk(join(mount, 'ballast'));
      const env = { ASSAY_HOME: join(mount, 'home') };
      const run = await up(env);
      expect({ exit: run.exit, code: codeOf(run.stdout).code }).toEqual({ exit: 1, code: 'disk_full' });
      expect(await failing(['--repo', repository, '--data', data], env)).toMatchObject({
        code: 'disk_full',
        message: 'the disk is full',
        hint: 'free some space and try again; what was acknowledged is safe',
      });
    } finally {
      spawnSync('umount', ['-l', mount]);
    }
  });

  test.skipIf(missing('root').length > 0)(
    'its disk is full: the plan stops, says so, and goes on when there is room',
    async () => {
      verifies('bad-input.disk-full');
      const mount = join(folder.path, 'small-disk');
      await mkdir(mount);
      expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', mount]).status).toBe(0);
      try {
        const env = { ASSAY_HOME: join(mount, 'home') };
        expect((await up(env)).exit).toBe(0);
        const big = join(folder.path, 'big.csv');
        await writeFile(
          big,
          `x,y,label\n${Array.from({ length: 300_000 }, (_, i) => `${i % 10},${i},${i % 10 > 5 ? 'high' : 'low'}`).join('\n')}\n`,
        );
        const full = await failing(['--repo', repository, '--data', big, '--target', 'label'], env);
        expect(full).toMatchObject({ code: 'disk_full', exit: 1 });
        const { ok } = JSON.parse((await runCli(['fsck', '--json'], env)).stdout) as { ok: boolean };
        expect(ok).toBe(true);
        const small = await runCli(
          ['benchmark', '--repo', repository, '--data', data, '--target', 'label', '--json'],
          env,
        );
        expect(small.exit).toBe(0);
        await runCli(['down'], env);
      } finally {
        spawnSync('umount', ['-l', mount]);
      }
    },
  );
});

/** Writes zeros into a file until its disk has not one block left. */
async function fillDisk(ballast: string): Promise<void> {
  await using file = await open(ballast, 'w');
  const block = Buffer.alloc(4096);
  for (let blocks = 0; blocks < 1000; blocks += 1)
    try {
      await file.write(block);
    } catch (error) {
      if (errorCode(error) === 'ENOSPC') return;
      throw error;
    }
  throw new Error('the disk is larger than it should be');
}

test.skipIf(missing('root').length > 0)(
  'a journal whose disk fills while its plan runs ends the command with the reason, and the plan goes on later',
  { timeout: 120_000 },
  async () => {
    verifies('bad-input.journal-full', 'engine.problem-shown');
    const env = { ASSAY_HOME: join(folder.path, 'home-journal') };
    const slow = await writeTree(join(folder.path, 'slow'), {
      'model.py': `import time


def predict(row: dict) -> str:
    """Label of a row with the key "x"."""
    time.sleep(0.03)
    return "high" if row["x"] > 5 else "low"
`,
    });
    let mount: string | undefined;
    try {
      const questId = await newQuest(env.ASSAY_HOME);
      mount = await smallDiskFor(join(env.ASSAY_HOME, 'quests', questId, '.assay', 'events'));
      const ballast = join(mount, 'ballast');
      await using daemon = await startTestDaemon({ home: env.ASSAY_HOME });
      const inputs = { repository: slow, data, target: 'label' };
      const { plan } = await daemon.client.createPlan({ body: { questId, inputs } });
      const started = runCli(['plan', 'start', plan.id, '--json'], env);
      const runs = async () => (await daemon.client.getPlan({ plan: plan.id })).plan.counts.inProgress > 0;
      await expect.poll(runs, { timeout: 20_000, interval: 20 }).toBe(true);
      await fillDisk(ballast);
      const filledAt = Date.now();
      const ended = await started;
      expect(Date.now() - filledAt).toBeLessThan(60_000);
      expect({ exit: ended.exit, error: (JSON.parse(ended.stdout) as { error: object }).error }).toMatchObject({
        exit: 1,
        error: { code: 'disk_full', message: `there is no space left for the journal of ${questId}` },
      });
      expect(ended.stderr).toMatch(/^✗ there is no space left .*\n {2}why: .*ENOSPC.*\n {2}do: {2}free some space/m);
      expect((await daemon.client.why({ query: { ref: plan.id } })).state).toBe('stopped');
      const stopped = { status: 'in_progress', problem: { code: 'disk_full' } };
      expect((await daemon.client.getPlan({ plan: plan.id })).plan).toMatchObject(stopped);
      expect((await daemon.client.listPlans()).plans[0]).toMatchObject(stopped);
      const shown = await runCli(['plan', 'show', plan.id], env);
      expect(shown.stdout).toMatch(/^plan .* stopped, [^]*✗ there is no space left[^]*next: assay plan start/m);
      const followed = await runCli(['events', questId, '--follow'], env);
      expect(followed).toMatchObject({ exit: 1, stderr: ended.stderr.slice(ended.stderr.indexOf('✗ there is no')) });
      await rm(ballast);
      const resumed = await runCli(['plan', 'start', plan.id, '--json'], env);
      expect({ exit: resumed.exit, plan: JSON.parse(resumed.stdout) as object }).toMatchObject({
        exit: 0,
        plan: { plan: { status: 'completed' } },
      });
      const { ok } = JSON.parse((await runCli(['fsck', '--json'], env)).stdout) as { ok: boolean };
      expect(ok).toBe(true);
    } finally {
      if (mount !== undefined) spawnSync('umount', ['-l', mount]);
    }
  },
);

async function newQuest(home: string): Promise<string> {
  await using daemon = await startTestDaemon({ home });
  return (await daemon.client.createQuest({ body: { title: 'a small disk' } })).id;
}

/** Puts a folder with what is in it on a disk of 256 KiB. */
async function smallDiskFor(target: string): Promise<string> {
  const kept = `${target}.kept`;
  await cp(target, kept, { recursive: true });
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=700', 'tmpfs', target]).status).toBe(0);
  await cp(kept, target, { recursive: true });
  await rm(kept, { recursive: true });
  return target;
}

test('another owner is not told why a plan waits, and a canceled plan takes no answer', async () => {
  verifies('http.owner-names', 'benchmark.clarification');
  await using daemon = await startTestDaemon();
  const unclear = join(folder.path, 'unclear-two.csv');
  await writeFile(unclear, pointsCsv().replace('x,y,label', 'x,b,c'));
  const { plan } = await daemon.client.createPlan({ body: { inputs: { repository, data: unclear } } });
  const other = createClient({ baseUrl: daemon.url, token: daemon.token, userId: 'bob' });
  for (const ref of [plan.id, `${plan.id}/${plan.tasks[0]!.id}`])
    await expect(other.why({ query: { ref } })).rejects.toMatchObject({ code: 'not_owner' });
  expect((await daemon.client.why({ query: { ref: plan.id } })).state).toBe('pending');
  await daemon.client.cancelPlan({ plan: plan.id });
  const answer = daemon.client.clarifyPlan({ plan: plan.id, body: { answer: 'c' } });
  await expect(answer).rejects.toMatchObject({ code: 'plan_not_runnable', hint: 'make a new plan' });
});

test('a question that nobody can answer stops with the options, and the answer goes on', async () => {
  verifies('benchmark.clarification');
  const unclear = join(folder.path, 'unclear.csv');
  await writeFile(unclear, pointsCsv().replace('x,y,label', 'x,b,c'));
  const asked = await runCli(['benchmark', '--repo', repository, '--data', unclear, '--json'], { ASSAY_HOME: home });
  expect(asked.exit).toBe(2);
  const { error, planId, status } = JSON.parse(asked.stdout) as {
    planId: string;
    status: string;
    error: { code: string };
  };
  expect({ code: error.code, status }).toEqual({ code: 'needs_clarification', status: 'pending' });
  expect(asked.stderr).toContain('assay plan clarify');
  const env = { ASSAY_HOME: home };
  expect((await runCli(['plan', 'start', planId, '--json'], env)).exit).toBe(2);
  expect((await runCli(['plan', 'clarify', planId, 'nonsense', '--json'], env)).exit).toBe(2);
  expect((await runCli(['plan', 'clarify', planId, 'c', '--json'], env)).exit).toBe(0);
  const started = await runCli(['plan', 'start', planId, '--json'], env);
  expect(started.exit).toBe(0);
});
