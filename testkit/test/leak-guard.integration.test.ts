import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { leakGuard, MovingClock, processesOf, temporaryFolder, verifies } from '../src/index.ts';

test('a process that outlives its test is named and fails it', async () => {
  verifies('testkit.leak-guard');
  await using folder = await temporaryFolder();
  const child = spawn('sleep', ['60'], { env: { WHERE: folder.path }, stdio: 'ignore' });
  await new Promise((resolve) => child.once('spawn', resolve));
  expect((await processesOf(folder.path)).map((found) => found.pid)).toEqual([child.pid]);
  await expect(leakGuard(folder.path, 0)[Symbol.asyncDispose]()).rejects.toThrow(`${child.pid} sleep 60`);
  child.kill('SIGKILL');
  await leakGuard(folder.path)[Symbol.asyncDispose]();
});

test('the moving clock stands still until it is moved and wakes sleepers in order of their time', async () => {
  verifies('testkit.moving-clock');
  const clock = new MovingClock(1000);
  const woken: [string, number][] = [];
  void clock.sleep(50).then(() => woken.push(['late', clock.now()]));
  void clock.sleep(10).then(() => woken.push(['early', clock.now()]));
  await clock.advance(49);
  expect(woken).toEqual([['early', 1010]]);
  expect(clock.now()).toBe(1049);
  await clock.advance(1);
  expect(woken).toEqual([
    ['early', 1010],
    ['late', 1050],
  ]);
});
