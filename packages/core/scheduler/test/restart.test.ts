import { AssayError } from '@assay/foundation';
import { DaemonStopping } from '@assay/scheduler';
import { verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { Harness, rest } from './harness.ts';
import { success } from './scripted-executor.ts';
import { diskFull } from './test-journal.ts';

const three = [
  { id: 'done', priority: 9 },
  { id: 'long', outputArtifacts: ['x'], dependencies: ['done'], timeoutSeconds: 900 },
  { id: 'lost', dependencies: ['done'], retryLimit: 0 },
  { id: 'last', dependencies: ['long', 'lost'], requiredArtifacts: ['x'] },
];

/** A daemon that died while `long` and `lost` ran; the session of `long` lives on. */
async function killed(): Promise<Harness> {
  const first = new Harness();
  await first.start(three);
  first.executor.succeed('done');
  await rest();
  expect(first.statuses()).toEqual({ done: 'completed', long: 'in_progress', lost: 'in_progress', last: 'pending' });
  first.executor.alive.add(first.executor.call('long').execution.executionId);
  first.journal.isDead = true;
  await first.advance(60);
  return first;
}

describe('after a restart', () => {
  it('a running plan waits interrupted, goes on when resumed, takes the result of what lived, repeats nothing', async () => {
    verifies('plan.rule-restart');
    const first = await killed();
    await using second = new Harness({ before: first });
    expect(await second.scheduler.recover('quest_1')).toEqual(['plan_1']);
    expect(second.executor.order).toEqual([]);
    expect(second.statuses()).toEqual({ done: 'completed', long: 'in_progress', lost: 'pending', last: 'pending' });
    expect(second.scheduler.explain('plan_1')).toEqual({
      state: 'pending',
      sentence: "pending: a restart interrupted it, it waits to be resumed; 'LONG' went on and will be taken over",
    });
    await second.advance(3600);
    expect(second.statuses()['long']).toBe('in_progress');
    await second.scheduler.resume('plan_1', 'me');
    const { executionId } = first.executor.call('long').execution;
    expect(second.executor.call('long').execution).toMatchObject({ executionId, epoch: 2, attempt: 1, rebound: true });
    expect(second.executor.call('lost').execution).toMatchObject({ epoch: 2, attempt: 2, rebound: false });
    second.executor.succeed('long');
    second.executor.succeed('lost');
    await rest();
    second.executor.succeed('last');
    await rest();
    const plan = second.scheduler.plan('plan_1');
    expect(plan).toMatchObject({ status: 'completed', usage: { taskAttempts: 5 } });
    expect(plan.usage.activeSeconds).toBeLessThan(1);
    expect(second.executor.order).toEqual(['long', 'lost', 'last']);
  });

  it('a second restart before the resume changes nothing; a session lost meanwhile is started again', async () => {
    verifies('plan.rule-restart');
    const first = await killed();
    const second = new Harness({ before: first });
    await second.scheduler.recover('quest_1');
    const length = (await second.journal.log()).length;
    await using third = new Harness({ before: second });
    third.executor.alive.clear();
    expect(await third.scheduler.recover('quest_1')).toEqual(['plan_1']);
    expect((await third.journal.log()).length).toBe(length);
    await third.scheduler.resume('plan_1', 'me');
    expect(third.executor.call('long').execution).toMatchObject({ attempt: 2, rebound: false });
  });

  it('canceling an interrupted plan ends what lived on', async () => {
    verifies('plan.rule-restart', 'plan.rule-cancel');
    const first = await killed();
    await using second = new Harness({ before: first });
    await second.scheduler.recover('quest_1');
    const plan = await second.scheduler.cancel('plan_1', 'not needed', 'me');
    expect(plan.status).toBe('canceled');
    expect(second.executor.stopped).toEqual(['lost 1', 'long 1']);
  });

  it('ends what the dead daemon had given up and not yet stopped', async () => {
    verifies('plan.rule-restart', 'plan.rule-cancel');
    const first = new Harness();
    await first.start([{ id: 'a' }, { id: 'b' }, { id: 'never', dependencies: ['a'] }]);
    first.executor.succeed('b');
    await rest();
    await first.scheduler.cancel('plan_1', 'no', 'me');
    await using second = new Harness({ before: first });
    await second.scheduler.recover('quest_1');
    expect(second.executor.stopped).toEqual(['a 1']);
  });

  it('plans that had ended or not begun are as they were', async () => {
    verifies('plan.rule-restart');
    const first = new Harness();
    await first.start([{ id: 'a' }]);
    first.executor.succeed('a');
    await rest();
    await first.start([{ id: 'b' }], { id: 'plan_2' });
    await first.scheduler.cancel('plan_2', 'no', 'me');
    const length = (await first.journal.log()).length;
    await using second = new Harness({ before: first });
    expect(await second.scheduler.recover('quest_1')).toEqual([]);
    expect(second.scheduler.list().map(({ id, status }) => [id, status])).toEqual([
      ['plan_1', 'completed'],
      ['plan_2', 'canceled'],
    ]);
    expect((await second.journal.log()).length).toBe(length);
  });
});

describe('when the daemon stops', () => {
  it('no task fails: executors are told to let go, and the next daemon goes on', async () => {
    verifies('plan.shutdown');
    const first = new Harness();
    await first.start([{ id: 'a' }, { id: 'b', dependencies: ['a'] }]);
    const { execution } = first.executor.call('a');
    const length = (await first.journal.log()).length;
    await first.scheduler.dispose();
    expect(execution.signal.reason).toBeInstanceOf(DaemonStopping);
    expect((await first.journal.log()).length).toBe(length);
    await expect(first.scheduler.cancel('plan_1', 'x', 'me')).rejects.toMatchObject({ code: 'plan_not_runnable' });
    await using second = new Harness({ before: first });
    second.executor.alive.add(execution.executionId);
    await second.scheduler.recover('quest_1');
    await second.scheduler.resume('plan_1', 'me');
    second.executor.succeed('a');
    await rest();
    expect(second.statuses()).toEqual({ a: 'completed', b: 'in_progress' });
  });

  it('a result that still arrives is recorded and starts nothing', async () => {
    verifies('plan.shutdown');
    const first = new Harness();
    first.executor.stubborn = true;
    await first.start([{ id: 'a' }, { id: 'b', dependencies: ['a'] }]);
    const { execution, answer } = first.executor.call('a');
    const disposed = first.scheduler.dispose();
    await rest();
    answer.resolve(success(execution));
    await disposed;
    expect((await first.journal.types()).slice(-2)).toEqual(['task_completed(a)', 'task_ready(b)']);
    expect(first.executor.order).toEqual(['a']);
  });
});

describe('when the journal cannot be written', () => {
  it('the plan stops visibly, its executors are stopped, and it goes on when the journal is well again', async () => {
    verifies('plan.journal-failure');
    await using harness = new Harness();
    await harness.start([{ id: 'a', outputArtifacts: ['x'] }, { id: 'b' }]);
    const a = harness.executor.call('a');
    harness.executor.alive.add(a.execution.executionId);
    harness.journal.failure = diskFull;
    harness.executor.succeed('a');
    await rest();
    expect(harness.scheduler.view('plan_1')).toMatchObject({
      plan: { status: 'in_progress' },
      problem: { code: 'disk_full', message: 'the disk is full', hint: 'make room' },
    });
    expect(harness.scheduler.explain('plan_1')).toEqual({
      state: 'stopped',
      sentence:
        'stopped: the disk is full (no space left); nothing of the plan is lost, resume it when that is repaired; what to do: make room',
    });
    expect(harness.executor.call('b').execution.signal.reason).toBe(diskFull);
    expect(harness.statuses()).toEqual({ a: 'in_progress', b: 'in_progress' });
    await expect(harness.scheduler.resume('plan_1', 'me')).rejects.toMatchObject({ code: 'disk_full' });
    expect(harness.scheduler.view('plan_1').problem).toMatchObject({ code: 'disk_full' });
    harness.journal.failure = undefined;
    await harness.scheduler.resume('plan_1', 'me');
    expect(harness.scheduler.view('plan_1').problem).toBeNull();
    expect(harness.executor.call('a').execution).toMatchObject({ rebound: true, attempt: 1, epoch: 2 });
    expect(harness.executor.call('b').execution).toMatchObject({ rebound: false, attempt: 2 });
    harness.executor.succeed('a');
    harness.executor.succeed('b');
    await rest();
    expect(harness.scheduler.plan('plan_1').status).toBe('completed');
    expect(harness.pool.free).toEqual({ cpus: 8, memoryMiB: 8192 });
  });

  it('a command fails with the reason and works later; a start that was not recorded occupies nothing', async () => {
    verifies('plan.journal-failure', 'plan.record-before-effect');
    await using harness = new Harness();
    const { scheduler, journal } = harness;
    await harness.start([{ id: 'a' }]);
    await scheduler.cancel('plan_1', 'x', 'me');
    await scheduler.retryTask('plan_1', 'a', 'me');
    journal.failure = diskFull;
    await expect(scheduler.execute('plan_1', 'me')).rejects.toMatchObject({ code: 'disk_full' });
    expect(harness.executor.order).toEqual(['a']);
    expect(harness.pool.free).toEqual({ cpus: 8, memoryMiB: 8192 });
    journal.failure = undefined;
    await scheduler.execute('plan_1', 'me');
    expect(harness.executor.order).toEqual(['a', 'a']);
  });

  it('whoever asked is told at once why a plan has stopped, and again at the next stop, until it stops listening', async () => {
    verifies('plan.problem-told');
    await using harness = new Harness();
    const { scheduler, journal, executor } = harness;
    await harness.start([{ id: 'a' }]);
    const told: unknown[] = [];
    const listening = scheduler.onProblem('plan_1', (problem) => told.push(problem));
    using _broken = scheduler.onProblem('plan_1', () => {
      throw new Error('a listener of somebody else');
    });
    expect(told).toEqual([]);
    journal.failure = diskFull;
    executor.succeed('a');
    await rest();
    expect(told).toEqual([diskFull]);
    const late: unknown[] = [];
    using _late = scheduler.onProblem('plan_1', (problem) => late.push(problem));
    expect(late).toEqual([diskFull]);
    journal.failure = undefined;
    await scheduler.resume('plan_1', 'me');
    const well: unknown[] = [];
    scheduler.onProblem('plan_1', (problem) => well.push(problem))[Symbol.dispose]();
    expect(well).toEqual([]);
    listening[Symbol.dispose]();
    const readOnly = new AssayError('journal_read_only', 'the journal cannot be written');
    journal.failure = readOnly;
    executor.succeed('a');
    await rest();
    expect([told, late]).toEqual([[diskFull], [diskFull, readOnly]]);
    expect(() => scheduler.onProblem('plan_2', () => undefined)).toThrow('there is no plan plan_2');
  });

  it('a plan whose interruption cannot be recorded is shown as stopped', async () => {
    verifies('plan.journal-failure');
    const first = await killed();
    await using second = new Harness({ before: first });
    second.journal.failure = diskFull;
    await second.scheduler.recover('quest_1');
    expect(second.scheduler.explain('plan_1').state).toBe('stopped');
    second.journal.failure = undefined;
    await second.scheduler.resume('plan_1', 'me');
    expect(second.executor.order.sort()).toEqual(['long', 'lost']);
  });
});
