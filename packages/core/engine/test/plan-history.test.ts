import { expect, test } from 'vitest';
import type { EventDraft } from '@assay/contracts';
import { newPlan, newTask } from '@assay/plan-graph';
import { verifies } from '@assay/testkit';
import { PlanHistory } from '../src/offline/fsck/plan-history.ts';

const at = '2026-01-01T00:00:00.000Z';
const plan = newPlan({
  id: 'plan_1',
  questId: 'quest_1',
  traceId: 'trace_1',
  userIntent: 'x',
  intentType: 'General',
  createdAt: Date.parse(at),
  tasks: [newTask({ id: 'a', name: 'A', type: 'general_process', assignedTo: 'general' })],
});

function check(drafts: readonly EventDraft[]): string[] {
  const history = new PlanHistory();
  const created: EventDraft = { type: 'plan.created', scope: { plan: plan.id }, data: { plan } };
  [created, ...drafts].forEach((draft, i) =>
    history.add({
      v: 1,
      seq: i + 1,
      id: `event_${i}`,
      at,
      quest: 'quest_1',
      trace: 't',
      span: 's',
      scope: {},
      ...draft,
    }),
  );
  return history.findings.map((finding) => finding.message);
}

const scope = { plan: plan.id, task: 'a' };
const lease = { leaseOwner: 'general', leaseExpiresAt: at };
const begin: EventDraft[] = [
  { type: 'plan.started', scope: { plan: plan.id }, data: { by: 'local' } },
  { type: 'plan.task_ready', scope, data: { inputs: [] } },
];
const start = (executionId: string, epoch: number, attempt: number): EventDraft => ({
  type: 'plan.task_started',
  scope,
  data: { executionId, epoch, attempt, ...lease },
});
const complete = (executionId: string, epoch: number): EventDraft => ({
  type: 'plan.task_completed',
  scope,
  data: { executionId, epoch, leaseOwner: 'general', outputs: {}, summary: '' },
});

test('a lawful history has no findings', () => {
  expect(check([...begin, start('e1', 1, 1), complete('e1', 1)])).toEqual([]);
});

test.each([
  ['two executions at once', [...begin, start('e1', 1, 1), start('e2', 2, 2)], 'a was started while e1 was running'],
  [
    'an epoch that does not grow',
    [
      ...begin,
      start('e1', 1, 1),
      { type: 'plan.task_released', scope, data: { executionId: 'e1', epoch: 1, reason: 'restart' } },
      start('e2', 1, 2),
    ],
    'the epoch of a did not grow',
  ],
  ['a completion without the lease', [...begin, start('e1', 1, 1), complete('e9', 1)], 'does not hold its lease'],
  ['a second completion', [...begin, start('e1', 1, 1), complete('e1', 1), complete('e1', 1)], 'a was completed twice'],
  [
    'an event of an unknown plan',
    [{ type: 'plan.started', scope: { plan: 'plan_9' }, data: { by: 'x' } }],
    'was never created',
  ],
] as const)('%s is damage', (_, drafts, message) => {
  verifies('fsck.history');
  expect(check(drafts).join('\n')).toContain(message);
});
