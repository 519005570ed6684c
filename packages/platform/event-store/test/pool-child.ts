import { readFile, readlink } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { lowerThreadPoolPriority } from '../src/index.ts';

// A process that lowers its thread pool and says which priorities its threads have then.
const pool = await lowerThreadPoolPriority();
const links = await Promise.all(Array.from({ length: 200 }, () => readlink('/proc/thread-self')));
const threads = [...new Set(links)].map((link) => Number(link.split('/').at(-1)));
const ofPool = threads.map((thread) => getPriority(thread));
const allowed = await Promise.all([process.pid, ...threads].map(processorsOf));
const [ofMainProcessors, ...ofPoolProcessors] = allowed;
process.stdout.write(
  `${JSON.stringify({ pool, ofMain: getPriority(), ofPool, ofMainProcessors, ofPoolProcessors })}\n`,
);

async function processorsOf(thread: number): Promise<string | undefined> {
  const status = await readFile(`/proc/self/task/${thread}/status`, 'latin1');
  return /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1];
}
