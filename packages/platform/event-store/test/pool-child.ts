import { readlink } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { lowerThreadPoolPriority } from '../src/index.ts';

// A process that lowers its thread pool and says which priorities its threads have then.
const pool = await lowerThreadPoolPriority();
const links = await Promise.all(Array.from({ length: 200 }, () => readlink('/proc/thread-self')));
const threads = [...new Set(links)].map((link) => Number(link.split('/').at(-1)));
const ofPool = threads.map((thread) => getPriority(thread));
process.stdout.write(`${JSON.stringify({ pool, ofMain: getPriority(), ofPool })}\n`);
