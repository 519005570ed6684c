import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { temporaryFolder, verifies } from '@assay/testkit';
import { expect, it } from 'vitest';
import { withoutFirst } from '../src/processor-list.ts';
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
  const said = JSON.parse(stdout) as Record<'ofPool' | 'ofPoolProcessors', string[]> & {
    pool: { threads: number; niceness: number; processors?: string; why?: string };
    ofMain: number;
    ofMainProcessors: string;
  };
  const niceness = Math.min(said.ofMain + 10, 19);
  const others = withoutFirst(said.ofMainProcessors);
  expect(said.pool).toEqual({ threads: 3, niceness, processors: others });
  expect(said.ofPool.length).toBeGreaterThan(0);
  expect([...new Set(said.ofPool)]).toEqual([niceness]);
  expect([...new Set(said.ofPoolProcessors)]).toEqual([others ?? said.ofMainProcessors]);
});
