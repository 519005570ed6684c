// Run as a process of its own by the crash tests: starts one command, then waits for it.
import { silentLogger, systemClock } from '@assay/foundation';
import { createBubblewrapSandbox, findPython, type EgressPolicy } from '../src/index.ts';
import { MIB } from './sizes.ts';

interface Wish {
  readonly home: string;
  readonly work: string;
  readonly dir: string;
  readonly script: string;
  readonly timeoutSeconds: number;
  readonly sessionId: string;
  readonly network?: EgressPolicy;
}

const wish = JSON.parse(process.argv[2]!) as Wish;
const sandbox = createBubblewrapSandbox({ home: wish.home, logger: silentLogger, clock: systemClock });
const instance = await sandbox.create({
  mounts: [{ source: wish.work, target: '/work', mode: 'rw' }],
  network: wish.network ?? 'none',
  ...(wish.network === undefined ? {} : { interpreter: await findPython() }),
  cpus: 1,
  memoryBytes: 256 * MIB,
  pids: 32,
  env: {},
  readOnlyRoot: true,
  timeoutSeconds: wish.timeoutSeconds,
  outputLimitBytes: MIB,
  diskBytes: 64 * MIB,
  allowedRoots: [wish.work],
  dataRoots: [],
});
const session = await instance.exec({
  argv: ['/bin/sh', '-c', wish.script],
  cwd: '/work',
  name: 'client',
  sessionDir: wish.dir,
  sessionId: wish.sessionId,
});
await session.wait();
