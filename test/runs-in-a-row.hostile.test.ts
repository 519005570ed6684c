import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leakGuard, processesOf, startTestDaemon, temporaryFolder, verifies } from '@assay/testkit';
import { attacker } from './support/attacker.ts';
import { runBenchmark } from './support/benchmark.ts';
import { runCli } from './support/cli.ts';
import { groupsOf, linesNaming } from './support/machine-traces.ts';
import { pointsCsv, thresholdRepo, writeTree } from './support/fixtures.ts';

const RUNS = process.env['ASSAY_TEST_LONG'] === undefined ? 6 : 200;

test(
  'runs in a row leave no process, mount, control group, socket, lock or temporary file',
  { timeout: 30 * 60_000 },
  async () => {
    verifies('cheats.nothing-left');
    await using folder = await temporaryFolder('assay-rows');
    const data = join(folder.path, 'points.csv');
    await writeFile(data, pointsCsv());
    const good = await writeTree(join(folder.path, 'good'), thresholdRepo);
    const forking =
      'for _ in range(20):\n    if os.fork() == 0:\n        os.setsid()\n        import time; time.sleep(600)\nraise SystemExit("left children")';
    const bad = await writeTree(join(folder.path, 'bad'), attacker(forking));
    const scratch = join(folder.path, 'tmp');
    await mkdir(scratch);
    const hosts = new Set<number>();
    let home = '';
    {
      await using daemon = await startTestDaemon({ env: { TMPDIR: scratch } });
      home = daemon.home;
      for (let run = 0; run < RUNS; run += 1) {
        const { failure } = await runBenchmark(daemon, {
          repository: run % 3 === 2 ? bad : good,
          data,
          target: 'label',
        });
        expect(failure).toBe(run % 3 === 2 ? 'adapter_failed' : null);
        for (const { pid, command } of await processesOf(home)) if (/session-host/.test(command)) hosts.add(pid);
      }
      expect(hosts.size).toBeGreaterThan(0);
      const fsck = await runCli(['fsck', '--json'], { ASSAY_HOME: home });
      expect(fsck.exit).toBe(0);
    }
    {
      await using guard = leakGuard(folder.path);
      void guard;
    }
    for (const host of hosts) expect(await groupsOf(host)).toEqual([]);
    expect(await linesNaming('/proc/self/mountinfo', home)).toEqual([]);
    expect(await linesNaming('/proc/net/unix', home)).toEqual([]);
    expect(await readdir(scratch)).toEqual([]);
    expect((await readdir('/dev/shm')).filter((name) => name.includes('assay'))).toEqual([]);
  },
);
