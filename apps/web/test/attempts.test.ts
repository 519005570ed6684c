import type { AssayEvent } from '@assay/contracts';
import { verifies } from '@assay/testkit';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { attemptsOf, type AttemptEnd } from '../src/compare/attempts.ts';

const error = { code: 'timeout', message: 'took too long' };
const endings: Readonly<Record<Exclude<AttemptEnd, 'running' | 'canceled'>, readonly [string, unknown]>> = {
  done: ['plan.task_completed', { summary: 'took too long' }],
  failed: ['plan.task_failed', { error }],
  retried: ['plan.task_retrying', { error }],
  released: ['plan.task_released', { reason: 'took too long' }],
  asked: ['plan.question_asked', { clarification: { question: 'took too long' } }],
};

it('every start is one attempt, ended by the first event that ends its task and by nothing of another', () => {
  verifies('page.timeline');
  const ends = fc.array(
    fc.record({ task: fc.constantFrom('a', 'b', 'c'), end: fc.constantFrom(...(Object.keys(endings) as 'done'[])) }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(ends, fc.boolean(), (runs, canceled) => {
      const events: unknown[] = [];
      const add = (type: string, task: string | undefined, data: unknown) =>
        events.push({ type, scope: task === undefined ? {} : { task }, at: String(events.length), data });
      for (const [at, { task, end }] of runs.entries()) {
        add('plan.task_started', task, { attempt: at + 1 });
        add('plan.task_started', `other ${at}`, { attempt: 1 });
        add(endings[end][0], task, endings[end][1]);
      }
      if (canceled) add('plan.canceled', undefined, { reason: 'by a person' });
      const found = attemptsOf(events as AssayEvent[]);
      expect(found).toHaveLength(2 * runs.length);
      for (const [at, { task, end }] of runs.entries()) {
        expect(found[2 * at]).toMatchObject({
          task,
          end,
          attempt: at + 1,
          why: 'took too long',
          startedAt: String(3 * at),
        });
        expect(found[2 * at]!.endedAt).toBe(String(3 * at + 2));
        expect(found[2 * at + 1]!.end).toBe(canceled ? 'canceled' : 'running');
      }
    }),
    { numRuns: 200, seed: 17 },
  );
});
