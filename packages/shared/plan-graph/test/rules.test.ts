import { AssayError } from '@assay/foundation';
import {
  cancelDrafts,
  executeDrafts,
  interruptDrafts,
  nextDeadline,
  reassignDrafts,
  resumeDrafts,
  retryDrafts,
} from '@assay/plan-graph';
import { verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { leaseOf, planOfTasks, PureDriver, START, success } from './pure-driver.ts';

function started(
  tasks: Parameters<typeof planOfTasks>[0],
  options: Parameters<typeof planOfTasks>[1] = {},
): PureDriver {
  const driver = new PureDriver(planOfTasks(tasks, options));
  driver.apply(executeDrafts(driver.state, 'me'));
  return driver;
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof AssayError) return error.code;
    throw error;
  }
  return 'none';
}

describe('rule 1: ready', () => {
  it('waits for dependencies and for artifacts', () => {
    verifies('plan.rule-ready');
    const driver = started([
      { id: 'a', outputArtifacts: ['x'] },
      { id: 'b', dependencies: ['a'], requiredArtifacts: ['x'] },
    ]);
    expect(driver.statuses()).toEqual({ a: 'in_progress', b: 'pending' });
    const from = driver.log.length;
    driver.succeed('a');
    expect(driver.types(from)).toEqual([
      'artifact_created(a)',
      'task_completed(a)',
      'task_ready(b)',
      'task_started(b)',
    ]);
    expect(driver.log[from + 2]!.data).toEqual({ inputs: [{ key: 'x', artifactId: 'artifact_x_1' }] });
  });

  it('takes a skipped dependency as done, but not as a giver of artifacts', () => {
    verifies('plan.rule-ready');
    const driver = new PureDriver(
      planOfTasks([
        { id: 'a', outputArtifacts: ['x'] },
        { id: 'b', dependencies: ['a'] },
        { id: 'c', dependencies: ['a'], requiredArtifacts: ['x'] },
      ]),
    );
    driver.apply([{ type: 'plan.task_skipped', scope: { plan: 'plan_1', task: 'a' }, data: { reason: 'not needed' } }]);
    driver.apply(executeDrafts(driver.state, 'me'));
    expect(driver.statuses()).toEqual({ a: 'skipped', b: 'in_progress', c: 'pending' });
  });
});

describe('rule 2: concurrency', () => {
  const many = [{ id: 'a' }, { id: 'b', priority: 5 }, { id: 'c' }, { id: 'd', priority: 5 }];

  it('runs two at once, high priority first, then the older', () => {
    verifies('plan.rule-concurrency');
    const driver = started(many);
    expect(driver.running()).toEqual(['b', 'd']);
    driver.succeed('d');
    expect(driver.running()).toEqual(['b', 'a']);
    driver.succeed('b');
    expect(driver.running()).toEqual(['a', 'c']);
  });

  it('lets a serial task wait for the running ones, then runs it alone', () => {
    verifies('plan.rule-serial-alone');
    const driver = started([
      { id: 'first', priority: 9 },
      { id: 'long', priority: 9 },
      { id: 'alone', parallelizable: false, dependencies: ['first'] },
      { id: 'other', priority: 1, dependencies: ['first'] },
    ]);
    driver.succeed('first');
    expect(driver.statuses()).toMatchObject({ long: 'in_progress', alone: 'ready', other: 'ready' });
    driver.succeed('long');
    expect(driver.statuses()).toMatchObject({ alone: 'in_progress', other: 'ready' });
    driver.succeed('alone');
    expect(driver.running()).toEqual(['other']);
  });
});

describe('rules 3 and 4: leases', () => {
  it('a start names execution, epoch, owner, end, attempt', () => {
    verifies('plan.rule-lease');
    const driver = started([{ id: 'a', timeoutSeconds: 60 }]);
    expect(driver.log.at(-1)!.data).toEqual({
      executionId: 'exec_1',
      epoch: 1,
      leaseOwner: 'coder',
      leaseExpiresAt: '2026-01-01T00:01:00.000Z',
      attempt: 1,
    });
    expect(driver.task('a')).toMatchObject({
      runCount: 1,
      attempt: 1,
      executionId: 'exec_1',
      executionEpoch: 1,
      leaseOwner: 'coder',
    });
    expect(driver.plan.usage.taskAttempts).toBe(1);
    driver.fail('a');
    expect(driver.task('a')).toMatchObject({ runCount: 2, attempt: 2, executionId: 'exec_2', executionEpoch: 2 });
    expect(driver.plan.usage.taskAttempts).toBe(2);
  });

  it.each([
    ['another execution', { executionId: 'exec_9', epoch: 1, leaseOwner: 'coder' }],
    ['another epoch', { executionId: 'exec_1', epoch: 2, leaseOwner: 'coder' }],
    ['another owner', { executionId: 'exec_1', epoch: 1, leaseOwner: 'data' }],
  ])('discards a result of %s', (_, lease) => {
    verifies('plan.rule-late-result-discarded');
    const driver = started([{ id: 'a', outputArtifacts: ['x'] }]);
    const before = driver.plan;
    driver.finish('a', success(driver.task('a')), lease);
    expect(driver.types().at(-1)).toBe('task_result_discarded(a)');
    expect(driver.plan).toEqual(before);
  });

  it('discards the result of a canceled plan', () => {
    verifies('plan.rule-late-result-discarded');
    const driver = started([{ id: 'a' }]);
    const lease = leaseOf(driver.task('a'));
    driver.apply(cancelDrafts(driver.state, 'me', 'enough'));
    const before = driver.plan;
    driver.finish('a', success(driver.task('a')), lease);
    expect(driver.log.at(-1)!.data).toEqual({
      executionId: 'exec_1',
      epoch: 1,
      leaseOwner: 'coder',
      reason: 'the task is canceled',
    });
    expect(driver.plan).toEqual(before);
  });
});

describe('rule 5: declared artifacts', () => {
  it('a missing one fails the task by name', () => {
    verifies('plan.rule-declared-artifacts');
    const driver = started([{ id: 'a', outputArtifacts: ['x', 'y'], retryLimit: 0 }]);
    driver.finish('a', success(driver.task('a'), 'y'));
    expect(driver.task('a')).toMatchObject({
      status: 'failed',
      error: { code: 'missing_output', message: 'declared artifact not produced: y' },
    });
    expect(driver.plan.artifacts).toEqual({});
  });

  it('so does one that was not declared', () => {
    verifies('plan.rule-declared-artifacts');
    const driver = started([{ id: 'a', retryLimit: 0 }]);
    driver.finish('a', { ok: true, summary: '', outputs: { z: { artifactId: 'artifact_z', type: 'json' } } });
    expect(driver.task('a').error).toMatchObject({ code: 'undeclared_output', message: 'artifact not declared: z' });
  });
});

describe('rule 6: failure', () => {
  const chain = [
    { id: 'a', retryLimit: 1, outputArtifacts: ['x'] },
    { id: 'b', dependencies: ['a'], requiredArtifacts: ['x'] },
    { id: 'c', dependencies: ['b'] },
    { id: 'free' },
  ];

  it('does not retry what must end the same way', () => {
    verifies('dependency.final');
    const driver = started(chain);
    const from = driver.log.length;
    driver.finish('a', { ok: false, error: { code: 'interpreter_missing', message: 'no Python fits', final: true } });
    expect(driver.types(from)).toEqual(['task_failed(a)', 'task_blocked(b)', 'task_blocked(c)']);
  });

  it('retries within the limit, then fails and blocks what depends on it', () => {
    verifies('plan.rule-retry', 'plan.rule-block');
    const driver = started(chain);
    const from = driver.log.length;
    driver.fail('a', 'no disk');
    expect(driver.types(from)).toEqual(['task_retrying(a)', 'task_ready(a)', 'task_started(a)']);
    expect(driver.log[from]!.data).toMatchObject({
      runCount: 1,
      retryLimit: 1,
      error: { code: 'command_failed', message: 'no disk' },
    });
    driver.fail('a', 'no disk again');
    expect(driver.types(from + 3)).toEqual(['task_failed(a)', 'task_blocked(b)', 'task_blocked(c)']);
    expect(driver.log.at(-1)!.data).toEqual({ upstream: 'a', reason: "'A' failed: no disk again" });
    expect(driver.task('c').blockedBy).toBe('a');
    expect(driver.plan.status).toBe('in_progress');
    driver.succeed('free');
    expect(driver.plan).toMatchObject({
      status: 'failed',
      error: {
        code: 'command_failed',
        message: "'A' failed: no disk again",
        details: { taskId: 'a', failed: ['a'], blocked: 2 },
      },
    });
    expect(driver.plan.counts).toEqual({ total: 4, completed: 1, failed: 1, blocked: 2, inProgress: 0, ready: 0 });
  });

  it('a time-out is a failure', () => {
    verifies('plan.rule-timeout');
    const driver = started([{ id: 'a', timeoutSeconds: 30, retryLimit: 0 }]);
    expect(nextDeadline(driver.state)).toBe(START + 30_000);
    driver.wait(29.999);
    expect(driver.task('a').status).toBe('in_progress');
    driver.wait(0.001);
    expect(driver.task('a')).toMatchObject({
      status: 'failed',
      error: { code: 'task_timeout', message: 'task execution timed out after 30 s' },
    });
  });
});

describe('rule 7: budget', () => {
  it('stops before one attempt too many', () => {
    verifies('plan.rule-budget');
    const driver = started([{ id: 'a', retryLimit: 5 }], { budget: { maxTaskAttempts: 2 } });
    driver.fail('a');
    driver.fail('a');
    expect(driver.plan.usage.taskAttempts).toBe(2);
    expect(driver.plan).toMatchObject({
      status: 'canceled',
      error: { code: 'budget_exceeded', details: { budget: 'maxTaskAttempts' } },
    });
    expect(driver.log.at(-1)!.data).toEqual({
      by: 'assay',
      reason: 'the plan has used up its budget of 2 task attempts (maxTaskAttempts)',
      budget: 'maxTaskAttempts',
    });
  });

  it('lets the running tasks end when the attempts are used up', () => {
    verifies('plan.rule-budget');
    const driver = started([{ id: 'a' }, { id: 'b' }], { budget: { maxTaskAttempts: 2 } });
    driver.succeed('a');
    expect(driver.plan.status).toBe('in_progress');
    driver.succeed('b');
    expect(driver.plan.status).toBe('completed');
  });

  it('counts active time over executions and not the time between', () => {
    verifies('plan.rule-budget');
    const driver = started([{ id: 'a', retryLimit: 0, timeoutSeconds: 900 }], { budget: { maxDurationSeconds: 100 } });
    driver.now += 60_000;
    driver.fail('a');
    expect(driver.plan).toMatchObject({ status: 'failed', usage: { activeSeconds: 60 } });
    driver.now += 3_600_000;
    driver.apply(retryDrafts(driver.state, 'a', 'me'));
    driver.apply(executeDrafts(driver.state, 'me'));
    expect(nextDeadline(driver.state)).toBe(driver.now + 40_000);
    driver.wait(40);
    expect(driver.plan).toMatchObject({
      status: 'canceled',
      error: { details: { budget: 'maxDurationSeconds' } },
      usage: { activeSeconds: 100 },
    });
    expect(driver.task('a')).toMatchObject({ status: 'canceled', leaseOwner: null });
  });

  it.each([
    ['maxTokens', { maxTokens: 100 }, { inputTokens: 60, outputTokens: 41, costUsd: 0 }],
    ['maxCostUsd', { maxCostUsd: 0.5 }, { inputTokens: 1, outputTokens: 1, costUsd: 0.6 }],
  ])('cancels when %s is exceeded', (budget, limit, usage) => {
    verifies('plan.rule-budget');
    const driver = started([{ id: 'a' }, { id: 'b', dependencies: ['a'] }], { budget: limit });
    driver.succeed('a', usage);
    expect(driver.plan).toMatchObject({ status: 'canceled', error: { code: 'budget_exceeded', details: { budget } } });
    expect(driver.plan.usage).toMatchObject(usage);
    expect(driver.statuses()).toEqual({ a: 'completed', b: 'canceled' });
  });

  it('counts what a failed run has used', () => {
    verifies('plan.rule-budget');
    const driver = started([{ id: 'a' }], { budget: { maxTokens: 100 } });
    const usage = { inputTokens: 200, outputTokens: 0, costUsd: 0 };
    driver.finish('a', { ok: false, error: { code: 'command_failed', message: 'x' }, usage });
    expect(driver.plan.error?.details).toMatchObject({ budget: 'maxTokens' });
  });
});

describe('rule 8: cancel', () => {
  it('works while waiting for approval, pending, running and interrupted, and not afterwards', () => {
    verifies('plan.rule-cancel');
    const waiting = new PureDriver(planOfTasks([{ id: 'a' }], { approvalReason: 'full' }));
    waiting.apply(cancelDrafts(waiting.state, 'me', 'no'));
    expect(waiting.plan).toMatchObject({ status: 'canceled', error: { code: 'canceled', message: 'no' } });
    const pending = new PureDriver(planOfTasks([{ id: 'a' }]));
    pending.apply(cancelDrafts(pending.state, 'me', 'no'));
    expect(pending.statuses()).toEqual({ a: 'canceled' });
    const running = started([{ id: 'a' }, { id: 'b', dependencies: ['a'] }]);
    running.apply(cancelDrafts(running.state, 'me', 'no'));
    expect(running.statuses()).toEqual({ a: 'canceled', b: 'canceled' });
    expect(codeOf(() => cancelDrafts(running.state, 'me', 'again'))).toBe('plan_not_runnable');
    const interrupted = started([{ id: 'a' }]);
    interrupted.apply(
      interruptDrafts(interrupted.state, { reason: 'restart', activeUntil: START, bound: new Set(['exec_1']) }),
    );
    interrupted.apply(cancelDrafts(interrupted.state, 'me', 'no'));
    expect(interrupted.plan).toMatchObject({ status: 'canceled', interrupted: false });
    expect(interrupted.statuses()).toEqual({ a: 'canceled' });
  });
});

describe('rule 9: a person', () => {
  const graph = [
    { id: 'done', outputArtifacts: ['d'] },
    { id: 'bad', dependencies: ['done'], requiredArtifacts: ['d'], retryLimit: 0 },
    { id: 'other', retryLimit: 0 },
    { id: 'after', dependencies: ['bad'] },
    { id: 'both', dependencies: ['after', 'other'] },
  ];

  function failed(): PureDriver {
    const driver = started(graph);
    driver.succeed('done');
    driver.fail('bad');
    driver.fail('other');
    expect(driver.statuses()).toEqual({
      done: 'completed',
      bad: 'failed',
      other: 'failed',
      after: 'blocked',
      both: 'blocked',
    });
    return driver;
  }

  it('retries a blocked task with its failed ancestors and keeps what is completed', () => {
    verifies('plan.rule-person-retry');
    const driver = failed();
    const artifacts = driver.plan.artifacts;
    driver.apply(retryDrafts(driver.state, 'after', 'me'));
    expect(driver.plan).toMatchObject({ status: 'pending', error: null });
    expect(driver.statuses()).toEqual({
      done: 'completed',
      bad: 'pending',
      other: 'failed',
      after: 'pending',
      both: 'blocked',
    });
    expect(driver.task('both').blockedBy).toBe('other');
    expect(driver.plan.artifacts).toEqual(artifacts);
    driver.apply(executeDrafts(driver.state, 'me'));
    expect(driver.task('bad')).toMatchObject({ status: 'in_progress', runCount: 1, attempt: 2 });
  });

  it('resets everything behind the failure when nothing else holds it', () => {
    verifies('plan.rule-person-retry');
    const driver = failed();
    driver.apply(retryDrafts(driver.state, 'both', 'me'));
    expect(driver.log.at(-1)!.data).toEqual({ by: 'me', reset: ['bad', 'other', 'after', 'both'] });
    driver.apply(executeDrafts(driver.state, 'me'));
    driver.succeed('bad');
    driver.succeed('other');
    driver.succeed('after');
    driver.succeed('both');
    expect(driver.plan.status).toBe('completed');
    expect(driver.task('done').runCount).toBe(1);
  });

  it('retries a canceled plan from one task on, with the canceled ancestors it needs', () => {
    verifies('plan.rule-person-retry');
    const driver = started([{ id: 'a' }, { id: 'b', dependencies: ['a'] }, { id: 'c', dependencies: ['b'] }]);
    driver.apply(cancelDrafts(driver.state, 'me', 'stop'));
    driver.apply(retryDrafts(driver.state, 'b', 'me'));
    expect(driver.statuses()).toEqual({ a: 'pending', b: 'pending', c: 'pending' });
    expect(driver.plan.status).toBe('pending');
  });

  it('goes on at once in a plan that still runs', () => {
    verifies('plan.rule-person-retry');
    const driver = started([{ id: 'a', retryLimit: 0 }, { id: 'b' }, { id: 'c', dependencies: ['a'] }]);
    driver.fail('a');
    driver.apply(retryDrafts(driver.state, 'a', 'me'));
    expect(driver.statuses()).toEqual({ a: 'in_progress', b: 'in_progress', c: 'pending' });
  });

  it('refuses to retry what is not stopped', () => {
    verifies('plan.rule-person-retry');
    const driver = failed();
    expect(codeOf(() => retryDrafts(driver.state, 'done', 'me'))).toBe('conflict');
    expect(codeOf(() => retryDrafts(driver.state, 'nobody', 'me'))).toBe('not_found');
  });

  it('reassigning voids the lease at once', () => {
    verifies('plan.rule-reassign');
    const driver = started([{ id: 'a', contractVersion: 'v1' }]);
    const lease = leaseOf(driver.task('a'));
    driver.apply(reassignDrafts(driver.state, 'a', { assignedTo: 'data', by: 'me' }));
    expect(driver.task('a')).toMatchObject({
      status: 'in_progress',
      assignedTo: 'data',
      leaseOwner: 'data',
      executionId: 'exec_2',
      executionEpoch: 3,
      runCount: 1,
    });
    driver.finish('a', success(driver.task('a')), lease);
    expect(driver.types().at(-1)).toBe('task_result_discarded(a)');
    driver.succeed('a');
    expect(driver.plan.status).toBe('completed');
    expect(codeOf(() => reassignDrafts(driver.state, 'a', { assignedTo: 'coder', by: 'me' }))).toBe('conflict');
  });

  it('reassigning a failed task retries it, within the grants of the new role', () => {
    verifies('plan.rule-reassign');
    const driver = started([
      { id: 'a', retryLimit: 0, allowedTools: ['repository.read'] },
      { id: 'b', dependencies: ['a'] },
    ]);
    driver.fail('a');
    expect(codeOf(() => reassignDrafts(driver.state, 'a', { assignedTo: 'data', by: 'me' }))).toBe('invalid_plan');
    driver.apply(reassignDrafts(driver.state, 'a', { assignedTo: 'benchmark_adapter', by: 'me' }));
    expect(driver.statuses()).toEqual({ a: 'pending', b: 'pending' });
    expect(driver.plan.status).toBe('pending');
  });
});

describe('rule 10: deadlock', () => {
  it('names what is missing', () => {
    verifies('plan.rule-deadlock');
    const driver = new PureDriver(
      planOfTasks([
        { id: 'a', outputArtifacts: ['x'] },
        { id: 'b', dependencies: ['a'], requiredArtifacts: ['x'] },
      ]),
    );
    driver.apply([
      { type: 'plan.task_skipped', scope: { plan: 'plan_1', task: 'a' }, data: { reason: 'another branch' } },
    ]);
    driver.apply(executeDrafts(driver.state, 'me'));
    expect(driver.plan).toMatchObject({
      status: 'failed',
      error: {
        code: 'deadlock_or_unsatisfied_dependencies',
        why: "'B' waits for x from 'A' (skipped)",
        details: { missing: [{ taskId: 'b', name: 'B', missing: "x from 'A' (skipped)" }] },
      },
    });
  });
});

describe('rule 12: restart', () => {
  it('keeps what lives bound, releases the rest, and takes the result after the resume', () => {
    verifies('plan.rule-restart');
    const driver = started([
      { id: 'a', outputArtifacts: ['x'] },
      { id: 'b', retryLimit: 0 },
      { id: 'c', dependencies: ['a'] },
    ]);
    const old = leaseOf(driver.task('a'));
    driver.now += 500_000;
    const bound = new Set(['exec_1']);
    driver.apply(interruptDrafts(driver.state, { reason: 'restart', activeUntil: START + 10_000, bound }));
    expect(driver.plan).toMatchObject({
      status: 'pending',
      interrupted: true,
      activeSince: null,
      usage: { activeSeconds: 10, taskAttempts: 2 },
    });
    expect(driver.task('a')).toMatchObject({ status: 'in_progress', executionId: 'exec_1', executionEpoch: 1 });
    expect(driver.task('b')).toMatchObject({ status: 'pending', runCount: 0, attempt: 1, executionId: null });
    expect(codeOf(() => executeDrafts(driver.state, 'me'))).toBe('plan_not_runnable');
    driver.now += 500_000;
    driver.apply(resumeDrafts(driver.state, { by: 'me', reason: 'pressed', now: driver.now, bound }));
    expect(driver.task('a')).toMatchObject({
      executionId: 'exec_1',
      executionEpoch: 2,
      runCount: 1,
      attempt: 1,
      leaseExpiresAt: '2026-01-01T00:26:40.000Z',
    });
    expect(driver.task('b')).toMatchObject({ status: 'in_progress', runCount: 1, attempt: 2, executionId: 'exec_3' });
    driver.finish('a', success(driver.task('a')), old);
    expect(driver.types().at(-1)).toBe('task_result_discarded(a)');
    driver.succeed('a');
    expect(driver.task('a').status).toBe('completed');
  });

  it('releases a bound task whose session is gone when the plan resumes', () => {
    verifies('plan.rule-restart');
    const driver = started([{ id: 'a' }]);
    driver.apply(interruptDrafts(driver.state, { reason: 'restart', activeUntil: START, bound: new Set(['exec_1']) }));
    driver.apply(resumeDrafts(driver.state, { by: 'me', reason: 'pressed', now: START, bound: new Set() }));
    expect(driver.types().slice(-4)).toEqual(['task_released(a)', 'resumed', 'task_ready(a)', 'task_started(a)']);
    expect(codeOf(() => resumeDrafts(driver.state, { by: 'me', reason: '', now: START, bound: new Set() }))).toBe(
      'plan_not_runnable',
    );
  });
});
