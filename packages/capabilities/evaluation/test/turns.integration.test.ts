import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { evaluate, runProbes, type EvaluationRequest } from '../src/index.ts';

const ROWS = 1_000_000;
/** Of one step over all rows. Twice what the longest was seen to take. */
const LONGEST_MS = 500;

/** Processor time of this thread: how busy the machine is does not count. */
const cpuMs = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;

/** The longest time for which nothing else of the process could run while `work` went on. */
async function longestStep(
  work: () => Promise<unknown>,
): Promise<{ readonly longest: number; readonly turns: number }> {
  const found = { longest: 0, turns: 0 };
  let last = cpuMs();
  let over = false;
  const look = () => {
    const now = cpuMs();
    found.longest = Math.max(found.longest, now - last);
    found.turns += 1;
    last = now;
    if (!over) setImmediate(look);
  };
  setImmediate(look);
  await work();
  over = true;
  look();
  return found;
}

const requests: Readonly<Record<string, () => EvaluationRequest>> = {
  classification: () => {
    const targets = Array.from({ length: ROWS }, (_, row) => (row % 3 === 0 ? 'low' : 'high'));
    return {
      task: 'classification',
      targets,
      predictions: targets.map((label, row) => (row % 9 === 0 ? 'low' : label)),
    };
  },
  regression: () => {
    const targets = Float64Array.from({ length: ROWS }, (_, row) => Math.sin(row));
    return { task: 'regression', targets, predictions: targets.map((value) => value + 0.1), B: 20 };
  },
};

test.each(Object.keys(requests))('a %s of a million rows lets the daemon answer between its steps', async (task) => {
  verifies('evaluation.in-turns');
  const request = requests[task]!();
  const { longest, turns } = await longestStep(async () => {
    await evaluate(request);
    await runProbes(request, { seed: 1 });
  });
  expect(turns).toBeGreaterThan(10);
  expect(longest).toBeLessThan(LONGEST_MS);
});
