import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, statSync } from 'node:fs';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newId, silentLogger, systemClock } from '@assay/foundation';
import { createBubblewrapSandbox, stopSessionHost, type Instance } from '@assay/sandbox';
import type { BenchContext, BenchRow } from './bench-row.ts';
import { percentile } from './percentile.ts';

const SUITE = 'session output';
const MB = 1_000_000;

/**
 * Megabytes per second from a program to its complete log, with one file and with stdout and stderr apart, and what the
 * client's memory grows by meanwhile. The peer is the shell's `cat > file` of the same bytes, in turns with ours.
 */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  const bytes = Math.max(10, Math.round(200 * context.scale)) * MB;
  const rounds = 5;
  const folder = await realpath(context.dir);
  const work = join(folder, 'work');
  await mkdir(work, { recursive: true });
  const home = join(folder, 'home');
  await using sandbox = createBubblewrapSandbox({ home, logger: silentLogger, clock: systemClock });
  try {
    await using instance = await sandbox.create(specOf(work, bytes));
    const input = join(work, 'input');
    await writeInput(input, bytes);
    const place = { instance, folder, input, bytes };
    await together(place); // The first start and the first read of the input are another matter.
    const before = process.memoryUsage().rss;
    const times = { cat: [] as number[], together: [] as number[], apart: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      times.cat.push(await catToFile(place));
      times.together.push(await together(place));
      times.apart.push(await apart(place));
    }
    const grownMb = Math.max(0, process.memoryUsage().rss - before) / MB;
    context.log(`${SUITE}: ${(bytes / MB).toFixed(0)} MB in ${percentile(times.together, 50).toFixed(0)} ms`);
    return rowsOf({ bytes, grownMb, ...times });
  } finally {
    await stopSessionHost(home);
  }
}

interface Place {
  readonly instance: Instance;
  readonly folder: string;
  readonly input: string;
  readonly bytes: number;
}

function rowsOf(measured: {
  readonly bytes: number;
  readonly grownMb: number;
  readonly cat: readonly number[];
  readonly together: readonly number[];
  readonly apart: readonly number[];
}): BenchRow[] {
  const [cat, one, two] = [measured.cat, measured.together, measured.apart].map((times) => percentile([...times], 50));
  const ratio = one! / cat!;
  const speed = measured.bytes / MB / (two! / 1000);
  return [
    {
      suite: SUITE,
      name: `${measured.bytes / MB} MB into one log`,
      value: one!,
      unit: 'ms',
      target: '≤ 1.3 × cat > file',
      met: ratio <= 1.3,
      peer: { name: 'cat > file', value: cat!, ratio },
    },
    {
      suite: SUITE,
      name: 'stdout and stderr apart',
      value: speed,
      unit: 'MB/s',
      target: '≥ 300 MB/s',
      met: speed >= 300,
    },
    {
      suite: SUITE,
      name: 'memory of the client grows by',
      value: measured.grownMb,
      unit: 'MB',
      target: 'flat (≤ 20 MB)',
      met: measured.grownMb <= 20,
    },
  ];
}

async function together(place: Place): Promise<number> {
  return session(place, { argv: ['/usr/bin/cat', '/work/input'], separateStreams: false });
}

/** Half of the bytes to each stream, at the same time. */
async function apart(place: Place): Promise<number> {
  const half = Math.floor(place.bytes / 2);
  const script = `head -c ${half} /work/input & tail -c ${place.bytes - half} /work/input >&2; wait`;
  return session(place, { argv: ['/bin/sh', '-c', script], separateStreams: true });
}

async function session(
  place: Place,
  command: { readonly argv: readonly string[]; readonly separateStreams: boolean },
): Promise<number> {
  const sessionId = newId('session');
  const sessionDir = join(place.folder, 'sessions', sessionId);
  const start = performance.now();
  const started = await place.instance.exec({ ...command, cwd: '/work', sessionDir, sessionId, name: 'bench' });
  const exit = await started.wait();
  const took = performance.now() - start;
  if (exit.outputBytes !== place.bytes) throw new Error(`${exit.outputBytes} of ${place.bytes} bytes (${exit.end})`);
  await rm(sessionDir, { recursive: true });
  return took;
}

async function catToFile(place: Place): Promise<number> {
  const file = join(place.folder, 'cat');
  const start = performance.now();
  const child = spawn('/bin/sh', ['-c', 'cat "$1" > "$2"', 'sh', place.input, file], { stdio: 'ignore' });
  await once(child, 'exit');
  const took = performance.now() - start;
  if (statSync(file).size !== place.bytes) throw new Error('cat lost bytes');
  await rm(file);
  return took;
}

async function writeInput(file: string, bytes: number): Promise<void> {
  const fd = openSync(file, 'w');
  const child = spawn('/bin/sh', ['-c', `yes a line of output that a program could write | head -c ${bytes}`], {
    stdio: ['ignore', fd, 'ignore'],
  });
  closeSync(fd);
  await once(child, 'exit');
}

function specOf(work: string, bytes: number) {
  return {
    mounts: [{ source: work, target: '/work', mode: 'rw' as const }],
    network: 'none' as const,
    cpus: 2,
    memoryBytes: 512 * MB,
    pids: 64,
    env: {},
    readOnlyRoot: true,
    timeoutSeconds: 120,
    outputLimitBytes: bytes + MB,
    diskBytes: 4 * bytes,
    allowedRoots: [work],
    dataRoots: [],
  };
}
