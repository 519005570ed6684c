import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processesOf, startTestDaemon, temporaryFolder, verifies } from '@assay/testkit';
import { groupsOf, linesNaming } from './support/machine-traces.ts';

const STARTS = process.env['ASSAY_TEST_LONG'] === undefined ? 10 : 200;

test(
  'starts in a row of one home leave no process, mount, control group, socket, lock or temporary file',
  { timeout: 30 * 60_000 },
  async () => {
    verifies('daemon.starts-leave-nothing');
    await using folder = await temporaryFolder('assay-starts');
    const home = join(folder.path, 'home');
    const scratch = join(folder.path, 'tmp');
    await mkdir(scratch);
    const pids = new Set<number>();
    for (let start = 0; start < STARTS; start += 1) {
      await using daemon = await startTestDaemon({ home, env: { TMPDIR: scratch } });
      if (start % 5 === 0) await daemon.client.doctor(); // tries the sandbox, with its session host
      for (const { pid } of await processesOf(home)) pids.add(pid);
      // Every third one is killed, but not the last one: what it left is for the next to clear away.
      if (start % 3 === 1 && start < STARTS - 1) await daemon.kill('SIGKILL');
    }
    expect(pids.size).toBeGreaterThanOrEqual(STARTS);
    expect(await processesOf(home)).toEqual([]);
    for (const pid of pids) expect(await groupsOf(pid)).toEqual([]);
    expect(await linesNaming('/proc/self/mountinfo', home)).toEqual([]);
    expect(await linesNaming('/proc/net/unix', home)).toEqual([]);
    expect(await readdir(scratch)).toEqual([]);
    const left = await readdir(home, { recursive: true });
    expect(left.filter((name) => /\.(sock|lock|tmp)$|daemon\.json$/.test(name))).toEqual([]);
  },
);
