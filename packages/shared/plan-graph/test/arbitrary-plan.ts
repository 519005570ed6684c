import type { Plan } from '@assay/contracts';
import * as fc from 'fast-check';
import { planOfTasks } from './pure-driver.ts';

const shape = fc.record({
  parents: fc.array(fc.nat(), { maxLength: 3 }),
  outputs: fc.nat({ max: 2 }),
  needs: fc.array(fc.nat(), { maxLength: 2 }),
  parallelizable: fc.boolean(),
  priority: fc.integer({ min: -1, max: 2 }),
  retryLimit: fc.nat({ max: 2 }),
  timeoutSeconds: fc.integer({ min: 1, max: 20 }),
});

const budget = fc.record({
  maxTaskAttempts: fc.integer({ min: 2, max: 40 }),
  maxDurationSeconds: fc.integer({ min: 20, max: 600 }),
  maxTokens: fc.integer({ min: 500, max: 20_000 }),
});

/** Valid plans of up to twelve tasks in any creation order, with artifacts from any ancestor. */
export const arbitraryPlan: fc.Arbitrary<Plan> = fc
  .record({ shapes: fc.array(shape, { minLength: 1, maxLength: 12 }), budget, order: fc.nat() })
  .map(({ shapes, budget, order }) => {
    const ancestors: Set<number>[] = [];
    const tasks = shapes.map((task, at) => {
      const parents = at === 0 ? [] : [...new Set(task.parents.map((parent) => parent % at))];
      const above = new Set(parents.flatMap((parent) => [parent, ...ancestors[parent]!]));
      ancestors.push(above);
      const giving = [...above].filter((ancestor) => shapes[ancestor]!.outputs > 0);
      const needs = giving.length === 0 ? [] : task.needs.map((need) => giving[need % giving.length]!);
      const { parallelizable, priority, retryLimit, timeoutSeconds } = task;
      return {
        id: `t${at}`,
        dependencies: parents.map((parent) => `t${parent}`),
        requiredArtifacts: [...new Set(needs)].map((need) => `k${need}_0`),
        outputArtifacts: Array.from({ length: task.outputs }, (_, output) => `k${at}_${output}`),
        parallelizable,
        priority,
        retryLimit,
        timeoutSeconds,
      };
    });
    return planOfTasks(rotated(tasks, order), { budget });
  });

/** Creation order need not be the order of work. */
function rotated<T>(items: readonly T[], by: number): T[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
