import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { temporaryFolder, verifies } from '@assay/testkit';
import { expect, it } from 'vitest';
import { bundleChild } from './child.ts';

const run = promisify(execFile);

it('a journal that rests uses no processor, also when it looked for batches without sleeping before', async () => {
  verifies('event-store.sleeps-when-idle');
  await using folder = await temporaryFolder();
  const program = await bundleChild(folder.path, 'idle-child');
  const { stdout } = await run(process.execPath, [program, `${folder.path}/quest`]);
  const said = JSON.parse(stdout) as { appended: number; cpuMs: number };
  expect(said.appended).toBe(3200);
  // One thread that did not sleep would use 1,000 ms.
  expect(said.cpuMs).toBeLessThan(100);
});

it('the thread pool gets a lower priority than the threads that answer and write', async () => {
  verifies('event-store.pool-priority');
  await using folder = await temporaryFolder();
  const program = await bundleChild(folder.path, 'pool-child');
  const { stdout } = await run('nice', ['-n', '3', process.execPath, program], {
    env: { ...process.env, UV_THREADPOOL_SIZE: '3' },
  });
  const { pool, ofMain, ofPool } = JSON.parse(stdout) as { pool: object; ofMain: number; ofPool: number[] };
  const niceness = Math.min(ofMain + 10, 19);
  expect(pool).toEqual({ threads: 3, niceness });
  expect(ofPool.length).toBeGreaterThan(0);
  expect([...new Set(ofPool)]).toEqual([niceness]);
});
