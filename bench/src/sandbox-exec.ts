import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync } from 'node:fs';
import { mkdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { newId, silentLogger, systemClock } from '@assay/foundation';
import {
  createBubblewrapSandbox,
  sessionFiles,
  sessionMetaSchema,
  stopSessionHost,
  type Instance,
  type SandboxSpec,
} from '@assay/sandbox';
import type { BenchContext, BenchRow } from './bench-row.ts';
import { percentile } from './percentile.ts';

const SUITE = 'sandbox exec';
const MIB = 1024 * 1024;

/**
 * From asking for a command to its durable exit record, with a session host that is already there and without one.
 * The peer is bubblewrap started from Node with the very same boundary, but no limits, log and records, in turns with
 * ours because a shared machine changes.
 */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  const rounds = Math.max(10, Math.round(100 * context.scale));
  const folder = await realpath(context.dir);
  const work = join(folder, 'work');
  await mkdir(work, { recursive: true });
  const warm = await measureWarm({ home: join(folder, 'home'), folder, work, rounds });
  const cold = await measureCold({ home: join(folder, 'cold'), folder, work, rounds: Math.ceil(rounds / 10) });
  const ratio = warm.ours / warm.bare;
  context.log(`${SUITE}: warm ${warm.ours.toFixed(1)} ms, bare ${warm.bare.toFixed(1)} ms, cold ${cold.toFixed(0)} ms`);
  return [
    {
      suite: SUITE,
      name: 'warm host, p50',
      value: warm.ours,
      unit: 'ms',
      target: '≤ 1.5 × bare bubblewrap',
      met: ratio <= 1.5,
      peer: { name: 'bare bubblewrap from Node', value: warm.bare, ratio },
    },
    { suite: SUITE, name: 'without a host, p50', value: cold, unit: 'ms', target: '≤ 200 ms', met: cold <= 200 },
  ];
}

interface Place {
  readonly home: string;
  readonly folder: string;
  readonly work: string;
  readonly rounds: number;
}

async function measureWarm(place: Place): Promise<{ readonly ours: number; readonly bare: number }> {
  await using sandbox = createBubblewrapSandbox({ home: place.home, logger: silentLogger, clock: systemClock });
  const ours: number[] = [];
  const bare: number[] = [];
  try {
    await using instance = await sandbox.create(specOf(place.work));
    const bwrap = programPath();
    const boundary = await boundaryOf(await exec(instance, place.folder));
    for (let round = 0; round < place.rounds; round += 1) {
      ours.push(await timed(() => exec(instance, place.folder)));
      bare.push(await timed(() => bareExec(bwrap, boundary)));
    }
  } finally {
    await stopSessionHost(place.home);
  }
  return { ours: percentile(ours, 50), bare: percentile(bare, 50) };
}

/** Everything a first command costs: the probe of the machine, the start of the host, the command. */
async function measureCold(place: Place): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < place.rounds; round += 1) {
    await using sandbox = createBubblewrapSandbox({ home: place.home, logger: silentLogger, clock: systemClock });
    const time = await timed(async () => {
      await using instance = await sandbox.create(specOf(place.work));
      await exec(instance, place.folder);
    });
    times.push(time);
    await stopSessionHost(place.home);
  }
  return percentile(times, 50);
}

/** Returns the session's folder. */
async function exec(instance: Instance, folder: string): Promise<string> {
  const sessionId = newId('session');
  const sessionDir = join(folder, 'sessions', sessionId);
  const session = await instance.exec({ argv: ['/usr/bin/true'], cwd: '/work', sessionDir, sessionId, name: 'bench' });
  const exit = await session.wait();
  if (exit.exitCode !== 0) throw new Error(`the command ended as ${exit.end}: ${exit.message ?? ''}`);
  return sessionDir;
}

async function boundaryOf(sessionDir: string): Promise<readonly string[]> {
  const record = JSON.parse(await readFile(join(sessionDir, sessionFiles.meta), 'utf8')) as unknown;
  return sessionMetaSchema.parse(record).boundary;
}

async function bareExec(bwrap: string, boundary: readonly string[]): Promise<void> {
  const child = spawn(bwrap, [...boundary, '--chdir', '/work', '--', '/usr/bin/true'], { stdio: 'ignore', env: {} });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`bare bubblewrap ended with ${code}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function programPath(): string {
  const path = (process.env['PATH'] ?? '')
    .split(':')
    .map((folder) => join(folder, 'bwrap'))
    .find(isThere);
  if (path === undefined) throw new Error('bubblewrap is not installed');
  return path;
}

function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

function specOf(work: string): SandboxSpec {
  return {
    mounts: [{ source: work, target: '/work', mode: 'rw' }],
    network: 'none',
    cpus: 2,
    memoryBytes: 512 * MIB,
    pids: 64,
    env: {},
    readOnlyRoot: true,
    timeoutSeconds: 60,
    outputLimitBytes: 16 * MIB,
    diskBytes: 64 * MIB,
    allowedRoots: [work],
    dataRoots: [],
  };
}
