import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leakGuard, processesOf, startTestDaemon, temporaryFolder, verifies } from '@assay/testkit';
import { attacker } from './support/attacker.ts';
import { runBenchmark } from './support/benchmark.ts';
import { runCli } from './support/cli.ts';
import { pointsCsv, thresholdRepo, writeTree } from './support/fixtures.ts';

const RUNS = process.env['ASSAY_TEST_LONG'] === undefined ? 6 : 200;

/** Control groups of this machine that one session host made, wherever they are mounted. */
async function groupsOf(host: number, top = '/sys/fs/cgroup', depth = 4): Promise<readonly string[]> {
  if (depth === 0) return [];
  const entries = await readdir(top, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory());
  const own = folders.filter(({ name }) => new RegExp(`^assay-[0-9a-f]{12}-${host}-`).test(name));
  const inner = await Promise.all(folders.map(({ name }) => groupsOf(host, join(top, name), depth - 1)));
  return [...own.map(({ name }) => join(top, name)), ...inner.flat()];
}

/** Lines of a file of the kernel that name a folder. */
async function linesNaming(file: string, folder: string): Promise<readonly string[]> {
  return (await readFile(file, 'utf8')).split('\n').filter((line) => line.includes(folder));
}

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
