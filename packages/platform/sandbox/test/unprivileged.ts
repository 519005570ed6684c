// Run by a user without privileges: tries the sandbox and prints what came of it as one line of JSON.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId, silentLogger, systemClock } from '@assay/foundation';
import { createBubblewrapSandbox, selfTest, stopSessionHost, type Session } from '../src/index.ts';
import { MIB } from './sizes.ts';

const folder = process.argv[2]!;
const [home, work] = [join(folder, 'home'), join(folder, 'work')];
const sandbox = createBubblewrapSandbox({ home, logger: silentLogger, clock: systemClock });
const { limits, usable, why } = await sandbox.capabilities();
if (!usable) throw new Error(why);

const instance = await sandbox.create({
  mounts: [{ source: work, target: '/work', mode: 'rw' }],
  network: 'none',
  cpus: 1,
  memoryBytes: 256 * MIB,
  pids: 32,
  env: {},
  readOnlyRoot: true,
  timeoutSeconds: 20,
  outputLimitBytes: MIB,
  diskBytes: 64 * MIB,
  allowedRoots: [work],
  dataRoots: [],
});

function start(script: string): Promise<Session> {
  const sessionId = newId('session');
  const sessionDir = join(folder, 'home', 'sessions', sessionId);
  return instance.exec({ argv: ['/bin/sh', '-c', script], cwd: '/work', name: 'try', sessionDir, sessionId });
}

const exit = await (await start('echo by the sandbox > made; exit 7')).wait();
const sleeper = await start('sleep 60');
await sleeper.kill('enough');
const bomb = await start('i=0; while [ $i -lt 300 ]; do sleep 20 & i=$((i+1)); done; echo all started; sleep 1');
const forks = await bomb.wait();
const started = (await bomb.read(0, MIB)).includes('all started') && forks.end === 'exited';

const report = {
  uid: process.getuid?.(),
  limits,
  selfTest: await selfTest(sandbox),
  ends: {
    exit: exit.exitCode,
    killed: (await sleeper.wait()).end,
    forks: started ? 'unbounded' : 'bounded',
    written: readFileSync(join(work, 'made'), 'utf8'),
  },
};
await stopSessionHost(home);
process.stdout.write(`${JSON.stringify(report)}\n`);
