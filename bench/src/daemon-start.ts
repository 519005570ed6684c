import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { entryPath } from '@assay/entries';
import { silentLogger, systemClock } from '@assay/foundation';
import { createBubblewrapSandbox, selfTest } from '@assay/sandbox';
import { processesOf, startTestDaemon } from '@assay/testkit';
import type { BenchContext, BenchRow } from './bench-row.ts';
import { percentile } from './percentile.ts';

const STARTS = 15;
const START_TARGET_MS = 300;
const MEMORY_TARGET_MB = 110;
const HOST_TARGET_MB = 50;

/** From the start of the process to the first answer over HTTP, above what node itself takes; and memory at rest. */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  const starts = Math.max(3, Math.round(STARTS * context.scale));
  const node: number[] = [];
  const daemon: number[] = [];
  for (let i = 0; i < starts; i += 1) {
    node.push(bareNode());
    daemon.push(await firstAnswer(context.dir));
  }
  const bare = percentile(node, 50);
  const above = percentile(daemon, 50) - bare;
  context.log(`daemon: first answer after ${percentile(daemon, 50).toFixed(0)} ms, bare node ${bare.toFixed(0)} ms`);
  const memory = await idleMemory(context);
  return [
    {
      suite: 'daemon',
      name: 'start to first answer, above bare node (p50)',
      value: above,
      unit: 'ms',
      target: `≤ ${START_TARGET_MS} ms`,
      met: above <= START_TARGET_MS,
      peer: { name: 'node -e 0', value: bare, ratio: percentile(daemon, 50) / bare },
    },
    {
      suite: 'daemon',
      name: 'memory at rest (RSS)',
      value: memory.daemon,
      unit: 'MB',
      target: `≤ ${MEMORY_TARGET_MB} MB`,
      met: memory.daemon <= MEMORY_TARGET_MB,
      peer: { name: 'bare node', value: memory.node, ratio: memory.daemon / memory.node },
    },
    {
      suite: 'daemon',
      name: 'memory of the session host at rest (RSS)',
      value: memory.host,
      unit: 'MB',
      target: `≤ ${HOST_TARGET_MB} MB`,
      met: memory.host <= HOST_TARGET_MB,
      peer: { name: 'bare node', value: memory.node, ratio: memory.host / memory.node },
    },
  ];
}

function bareNode(): number {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - started;
}

async function firstAnswer(dir: string): Promise<number> {
  const home = await mkdtemp(join(dir, 'home-'));
  const started = performance.now();
  const child = spawn(process.execPath, [entryPath('daemon')], {
    env: { ...process.env, ASSAY_HOME: home },
    stdio: 'ignore',
  });
  try {
    const url = await urlOf(home);
    await (await fetch(`${url}/api/health`)).json();
    return performance.now() - started;
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}

async function urlOf(home: string): Promise<string> {
  for (let waited = 0; waited < 10_000; waited += 2) {
    const text = await readFile(join(home, 'runtime', 'daemon.json'), 'utf8').catch(() => '');
    if (text !== '') return (JSON.parse(text) as { url: string }).url;
    await sleep(2);
  }
  throw new Error('the daemon did not start within 10 s');
}

/** After a quest was made and a command was run, once everything is at rest. */
async function idleMemory(context: BenchContext): Promise<{ daemon: number; host: number; node: number }> {
  await using daemon = await startTestDaemon();
  await daemon.client.createQuest({ body: { title: 'memory' } });
  await using sandbox = createBubblewrapSandbox({ home: daemon.home, logger: silentLogger, clock: systemClock });
  await selfTest(sandbox);
  await sleep(6000 * context.scale);
  const idle = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'ignore' });
  await sleep(500);
  const node = await residentMb(idle.pid!);
  idle.kill();
  const host = (await processesOf(daemon.home)).find(({ command }) => command.includes('session-host'));
  if (host === undefined) throw new Error('no session host lives');
  return { daemon: await residentMb(daemon.pid), host: await residentMb(host.pid), node };
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
}
