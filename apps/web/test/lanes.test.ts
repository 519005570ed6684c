import { agentRoles } from '@assay/contracts';
import { newPlan, newTask } from '@assay/plan-graph';
import { verifies } from '@assay/testkit';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { grid, layoutOf } from '../src/plan/lanes.ts';

/** Any graph of tasks in which each depends only on earlier ones. */
const tasks = fc
  .array(fc.record({ role: fc.constantFrom(...agentRoles), needs: fc.array(fc.nat(30), { maxLength: 4 }) }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((drafts) =>
    drafts.map(({ role, needs }, at) =>
      newTask({
        id: `t${at}`,
        name: `task ${at}`,
        type: 'x',
        assignedTo: role,
        dependencies: [...new Set(needs.filter((need) => need < at))].map((need) => `t${need}`),
        requiredArtifacts: [...new Set(needs.filter((need) => need < at))].map((need) => `k${need}`),
        outputArtifacts: [`k${at}`],
      }),
    ),
  );

it('tasks stand in their lane below what they need, no two in one place', () => {
  verifies('page.graph-layout');
  fc.assert(
    fc.property(tasks, fc.nat(40), (list, chosen) => {
      const plan = newPlan({
        id: 'plan_1',
        questId: 'quest_1',
        traceId: 'trace_1',
        userIntent: '',
        intentType: 'General',
        tasks: list,
        createdAt: 0,
      });
      const layout = layoutOf(plan, `t${chosen}`);
      const places = new Map(layout.tasks.map((placed) => [placed.task.id, placed]));
      expect(new Set(layout.tasks.map(({ x, y }) => `${x} ${y}`)).size).toBe(list.length);
      for (const task of list) {
        const own = places.get(task.id)!;
        for (const need of task.dependencies) expect(places.get(need)!.y).toBeLessThan(own.y);
        const lane = layout.lanes.find(({ role }) => role === task.assignedTo)!;
        expect(own.x - lane.x).toBe(grid.left);
      }
      expect([...layout.tasks].map(({ order }) => order).sort((a, b) => a - b)).toEqual(list.map((_, at) => at + 1));
    }),
    { numRuns: 200, seed: 17 },
  );
});
