import { verifies, temporaryFolder } from '@assay/testkit';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ASSAY_VERSION } from '@assay/contracts';
import { expect, it } from 'vitest';
import { main } from '../src/index.ts';
import { findDaemon } from '../src/daemon/find-daemon.ts';
import { startDaemon } from '../src/daemon/start-daemon.ts';
import { served } from '../../../packages/surfaces/http-api/test/support/serve.ts';
import { servedHome, writeRuntime } from './support/home.ts';
import { testIo } from './support/test-io.ts';

const environment = (home: string, more: Record<string, string> = {}) => ({
  PATH: process.env['PATH']!,
  HOME: process.env['HOME']!,
  ASSAY_BUNDLE_DIR: process.env['ASSAY_BUNDLE_DIR']!,
  ASSAY_HOME: home,
  ...more,
});

async function run(home: string, argv: string[], more?: Record<string, string>) {
  const io = testIo({ env: environment(home, more) });
  const code = await main(argv, io);
  return { code, out: io.out(), err: io.err() };
}

it('starts one daemon however many ask at once, finds it again and stops it', async () => {
  verifies('cli.starts-daemon');
  await using home = await temporaryFolder('assay-home');
  const answers = await Promise.all(Array.from({ length: 4 }, () => run(home.path, ['up', '--json'])));
  const daemons = answers.map(({ out }) => JSON.parse(out) as { pid: number; url: string });
  expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(new Set(daemons.map(({ pid }) => pid)).size).toBe(1);
  const status = await run(home.path, ['status', '--json']);
  expect(JSON.parse(status.out)).toMatchObject({ running: true, pid: daemons[0]!.pid, quests: 0, plansRunning: 0 });
  expect(JSON.parse((await run(home.path, ['up', '--json'])).out)).toMatchObject({
    started: false,
    page: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#link=[\w-]{43}$/) as string,
  });
  expect(JSON.parse((await run(home.path, ['down', '--json'])).out)).toMatchObject({ stopped: true });
  expect(() => process.kill(daemons[0]!.pid, 0)).toThrow('ESRCH');
});

it('tells the reason of a start that fails, with its exit code', async () => {
  verifies('cli.starts-daemon', 'cli.three-lines');
  await using home = await temporaryFolder('assay-home');
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const taken = await run(home.path, ['up'], { ASSAY_DAEMON_PORT: String(port) });
  expect(taken.code).toBe(3);
  expect(taken.err).toBe(
    `✗ port ${port} is in use\n  why: another program on this machine listens there\n  do:  stop it, choose another daemon.port in config.yaml, or leave daemon.port out to take a free one\n`,
  );
  other.close();
  const json = await run(home.path, ['up', '--json'], { ASSAY_DAEMON_PORT: 'x' });
  expect([json.code, (JSON.parse(json.out) as { error: { code: string } }).error.code]).toEqual([3, 'config_invalid']);
});

it('shows the end of the log of a daemon that dies without a word, and never waits for ever', async () => {
  verifies('cli.starts-daemon');
  await using home = await temporaryFolder('assay-home');
  await using bundle = await temporaryFolder('assay-bundle');
  await writeFile(join(bundle.path, 'daemon.mjs'), 'console.error("no such library"); process.exit(7);');
  const died = await run(home.path, ['up'], { ASSAY_BUNDLE_DIR: bundle.path });
  expect(died.code).toBe(3);
  expect(died.err).toContain('✗ the daemon did not start\n  why: exit code 7: no such library\n');
  await writeFile(join(bundle.path, 'daemon.mjs'), 'setInterval(() => undefined, 1000);');
  const env = environment(home.path, { ASSAY_BUNDLE_DIR: bundle.path });
  await expect(startDaemon(home.path, { env, timeoutMs: 400 })).rejects.toMatchObject({
    code: 'daemon_start_failed',
    why: 'no answer within 0.4 s',
  });
});

it('says that a home cannot be written, also one that can never be', async () => {
  for (const path of ['/proc/assay-home', '/dev/null/home']) {
    const answer = await run(path, ['up']);
    expect(answer.code, path).toBe(3);
    expect(answer.err).toContain(`✗ the home ${path} cannot be written\n`);
  }
});

it('sends the token only to the daemon of this home', async () => {
  verifies('cli.token-safe');
  await using home = await temporaryFolder('assay-home');
  const seen: string[] = [];
  let health: unknown = {};
  const stranger = createServer((request, answer) => {
    seen.push(JSON.stringify(request.headers));
    answer.setHeader('content-type', 'application/json').end(JSON.stringify(health));
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
  await writeRuntime(home.path, { pid: process.pid, url });
  const token = (await readFile(join(home.path, 'runtime', 'token'), 'utf8')).trim();
  for (const answer of [{}, { ok: true, name: 'assay', version: ASSAY_VERSION }, { proof: '0'.repeat(64) }, 'text']) {
    health = answer;
    expect(await findDaemon(home.path)).toBeUndefined();
  }
  expect(seen).toHaveLength(4);
  expect(seen.join('')).not.toContain(token);
  for (const file of [
    { pid: process.pid, url: 'http://evil.example:80' },
    { pid: process.pid, url: 'file:///etc/passwd' },
    { pid: 2 ** 22, url },
  ]) {
    await writeRuntime(home.path, file);
    expect(await findDaemon(home.path)).toBeUndefined();
  }
  expect(seen).toHaveLength(4);
  await writeFile(join(home.path, 'runtime', 'daemon.json'), '{"pid":');
  expect(await findDaemon(home.path)).toBeUndefined();
  await chmod(join(home.path, 'runtime'), 0o700);
  stranger.closeAllConnections();
  stranger.close();
});

it('replaces a daemon of another build that has nothing to do, and leaves one that works', async () => {
  verifies('cli.starts-daemon');
  await using home = await temporaryFolder('assay-home');
  const first = JSON.parse((await run(home.path, ['up', '--json'])).out) as { pid: number };
  const file = join(home.path, 'runtime', 'daemon.json');
  const said = JSON.parse(await readFile(file, 'utf8')) as { program: string };
  expect(said.program).toBe(join(process.env['ASSAY_BUNDLE_DIR']!, 'daemon.mjs'));
  expect((await run(home.path, ['plan', 'list'])).err).toBe('');
  await writeFile(file, JSON.stringify({ ...said, program: '/older/daemon.mjs' }));
  const replaced = await run(home.path, ['plan', 'list']);
  expect(replaced.err).toBe(`starting the daemon of ${home.path} …\n`);
  const second = JSON.parse((await run(home.path, ['status', '--json'])).out) as { pid: number };
  expect(second.pid).not.toBe(first.pid);
  await run(home.path, ['down']);
});

it('finds a daemon again that came back at another port', async () => {
  await using home = await servedHome();
  const found = await findDaemon(home.path);
  const { engine } = home;
  await home.api[Symbol.asyncDispose]();
  await using again = await served({ engine });
  await expect(found?.client.listQuests()).rejects.toMatchObject({ code: 'daemon_unreachable' });
  await writeRuntime(home.path, { pid: process.pid, url: again.url });
  expect((await found?.client.listQuests())?.quests).toEqual([]);
});
