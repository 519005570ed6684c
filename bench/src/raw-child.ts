import { poolJobs } from './pool-jobs.ts';
import { rawInOneThread, rawInTwoThreads, type RawOptions } from './raw-group-commit.ts';

/** What a plain program is asked to measure: `raw-child <JSON of this>` prints lines per second. */
export interface RawTask extends RawOptions {
  readonly threads: 1 | 2;
  /** Jobs in the thread pool of the child meanwhile; its pool is as Node makes it. */
  readonly jobs: number;
}

const task = JSON.parse(process.argv[2]!) as RawTask;
await using _jobs = poolJobs(task.jobs);
const perSecond = await (task.threads === 1 ? rawInOneThread : rawInTwoThreads)(task);
process.stdout.write(String(perSecond));
