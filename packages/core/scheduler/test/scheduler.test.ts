import { AssayError, deferred } from '@assay/foundation';
import { ResourcePool } from '@assay/scheduler';
import { verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { Harness, planOfTasks, rest } from './harness.ts';
import { success } from './scripted-executor.ts';

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AssayError) return error.code;
    throw error;
  }
  return 'none';
}

const pair = [
  { id: 'a', outputArtifacts: ['x'] },
  { id: 'b', dependencies: ['a'], requiredArtifacts: ['x'] },
];

describe('record before effect', () => {
  it('an executor is called only when the start is on disk', async () => {
    verifies('plan.record-before-effect');
    await using harness = new Harness();
    await harness.scheduler.add(planOfTasks(pair));
    const gate = deferred();
    harness.journal.gate = gate.promise;
    const executed = harness.scheduler.execute('plan_1', 'me');
    await rest();
    expect(harness.executor.order).toEqual([]);
    gate.resolve();
    await executed;
    expect(harness.executor.order).toEqual(['a']);
    expect(await harness.journal.types()).toEqual(['created', 'started', 'task_ready(a)', 'task_started(a)']);
  });

  it('a result, what the executor recorded and all that follows are one append', async () => {
    verifies('plan.record-before-effect');
    await using harness = new Harness();
    await harness.start(pair);
    const record = { artifactId: 'artifact_x_1', key: 'x', type: 'json', record: 'artifacts/json/artifact_x_1.json' };
    harness.executor.succeed('a', [{ type: 'artifact.published', data: record }]);
    await rest();
    expect(harness.journal.appends.at(-1)).toEqual([
      'act.published',
      'artifact_created',
      'task_completed',
      'task_ready',
      'task_started',
    ]);
    const published = (await harness.journal.log()).find(({ type }) => type === 'artifact.published')!;
    expect(published).toMatchObject({ scope: { plan: 'plan_1', task: 'a' }, trace: 'trace_1', span: 'a' });
    expect(harness.executor.call('b').execution).toMatchObject({
      inputs: { x: 'artifact_x_1' },
      attempt: 1,
      epoch: 1,
      rebound: false,
    });
    harness.executor.succeed('b');
    await rest();
    expect(harness.journal.appends.at(-1)).toEqual(['task_completed', 'completed']);
    expect(harness.scheduler.plan('plan_1').status).toBe('completed');
  });
});

describe('results', () => {
  it('what an executor throws is a failure: its own code for people, else internal', async () => {
    verifies('plan.rule-retry');
    await using harness = new Harness();
    await harness.start([{ id: 'a', retryLimit: 1 }]);
    harness.executor.call('a').answer.reject(new TypeError('undefined is not a function'));
    await rest();
    expect(harness.scheduler.plan('plan_1').tasks[0]!.error).toEqual({
      code: 'internal',
      message: 'undefined is not a function',
      hint: 'this is a fault of Assay: retry the task, and if it comes again report it with logs/daemon.jsonl of the home',
    });
    harness.executor.call('a').answer.reject(new AssayError('dataset_empty', 'no rows', { hint: 'give another file' }));
    await rest();
    expect(harness.scheduler.plan('plan_1')).toMatchObject({
      status: 'failed',
      error: { code: 'dataset_empty', message: "'A' failed: no rows", hint: 'give another file' },
    });
  });

  it('events that cannot be recorded fail the task, not the plan', async () => {
    verifies('plan.rule-retry');
    await using harness = new Harness();
    await harness.start([{ id: 'a', retryLimit: 0 }, { id: 'free' }]);
    harness.executor.succeed('a', [{ type: 'git.committed', data: { commit: 'c', files: 0.5 } }]);
    await rest();
    expect(harness.scheduler.plan('plan_1').tasks[0]).toMatchObject({
      status: 'failed',
      error: { code: 'record_invalid' },
    });
    expect(harness.scheduler.view('plan_1').problem).toBeNull();
    harness.executor.succeed('free');
    await rest();
    expect(harness.scheduler.plan('plan_1').status).toBe('failed');
  });

  it('a late result is recorded and its drafts are not', async () => {
    verifies('plan.rule-late-result-discarded', 'plan.rule-reassign');
    await using harness = new Harness();
    harness.executor.stubborn = true;
    await harness.start([{ id: 'a' }]);
    const old = harness.executor.call('a');
    await harness.scheduler.reassignTask('plan_1', 'a', { assignedTo: 'data', by: 'me' });
    expect(old.execution.signal.reason).toMatchObject({ code: 'canceled' });
    old.answer.resolve(success(old.execution, [{ type: 'git.committed', data: { commit: 'c', files: 1 } }]));
    await rest();
    expect((await harness.journal.types()).slice(-4)).toEqual([
      'task_reassigned(a)',
      'task_ready(a)',
      'task_result_discarded(a)',
      'task_started(a)',
    ]);
    expect(await harness.journal.types()).not.toContain('committed(a)');
    const { leaseOwner } = harness.scheduler.plan('plan_1').tasks[0]!;
    expect(leaseOwner).toBe('data');
  });
});

describe('time', () => {
  it('a time-out stops the executor, and the next run waits until it has stopped', async () => {
    verifies('plan.rule-timeout', 'plan.rule-wake-ups');
    await using harness = new Harness();
    harness.executor.stubborn = true;
    await harness.start([{ id: 'a', timeoutSeconds: 60 }]);
    const first = harness.executor.call('a');
    await harness.advance(59);
    expect(first.execution.signal.aborted).toBe(false);
    await harness.advance(1);
    expect(first.execution.signal.reason).toMatchObject({
      code: 'task_timeout',
      message: 'task execution timed out after 60 s',
    });
    expect(harness.statuses()).toEqual({ a: 'ready' });
    expect(harness.scheduler.explain('plan_1', 'a')).toEqual({
      state: 'ready',
      sentence:
        'ready: it waits: an earlier run is still being stopped; its last run failed: task execution timed out after 60 s',
    });
    first.answer.resolve(success(first.execution));
    await rest();
    expect(harness.executor.call('a').execution).toMatchObject({ attempt: 2, epoch: 2 });
    expect((await harness.journal.types()).slice(-2)).toEqual(['task_result_discarded(a)', 'task_started(a)']);
  });

  it('an executor that does not stop is given up after five seconds', async () => {
    verifies('plan.rule-timeout');
    await using harness = new Harness();
    harness.executor.stubborn = true;
    await harness.start([{ id: 'a', timeoutSeconds: 60 }]);
    await harness.advance(60);
    await harness.advance(4.999);
    expect(harness.executor.calls.length).toBe(1);
    await harness.advance(0.001);
    expect(harness.executor.calls.length).toBe(2);
  });

  it('the running time of the plan is bounded', async () => {
    verifies('plan.rule-budget');
    await using harness = new Harness();
    await harness.start([{ id: 'a' }], { budget: { maxDurationSeconds: 30 } });
    await harness.advance(30);
    expect(harness.scheduler.plan('plan_1')).toMatchObject({ status: 'canceled', error: { code: 'budget_exceeded' } });
    expect(harness.executor.call('a').execution.signal.reason).toMatchObject({ code: 'budget_exceeded' });
  });

  it('nothing is polled: a plan that waits sleeps once', async () => {
    verifies('plan.rule-wake-ups');
    await using harness = new Harness();
    let sleeps = 0;
    const sleep = harness.clock.sleep.bind(harness.clock);
    harness.clock.sleep = (ms, signal) => {
      sleeps += 1;
      return sleep(ms, signal);
    };
    await harness.start(
      Array.from({ length: 50 }, (_, at) => ({ id: `t${at}`, dependencies: at === 0 ? [] : [`t${at - 1}`] })),
    );
    for (let at = 0; at < 49; at += 1) {
      harness.executor.succeed(`t${at}`);
      await rest();
    }
    expect(harness.statuses()['t49']).toBe('in_progress');
    expect(sleeps).toBe(1);
    await harness.advance(599);
    expect(sleeps).toBe(1);
  });
});

describe('cancel', () => {
  it('stops the executors with the reason and answers when they have stopped', async () => {
    verifies('plan.rule-cancel');
    await using harness = new Harness();
    await harness.start([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    const plan = await harness.scheduler.cancel('plan_1', 'changed my mind', 'me');
    expect(plan.status).toBe('canceled');
    expect(harness.executor.call('a').execution.signal.reason).toMatchObject({
      code: 'canceled',
      message: 'changed my mind',
    });
    expect(harness.executor.call('b').execution.signal.aborted).toBe(true);
    expect(harness.executor.order).toEqual(['a', 'b']);
    expect(await codeOf(harness.scheduler.cancel('plan_1', 'again', 'me'))).toBe('plan_not_runnable');
    expect(harness.pool.free).toEqual({ cpus: 8, memoryMiB: 8192 });
  });

  it('waits five seconds for one that does not stop', async () => {
    verifies('plan.rule-cancel');
    await using harness = new Harness();
    harness.executor.stubborn = true;
    await harness.start([{ id: 'a' }]);
    let answered = false;
    const canceled = harness.scheduler.cancel('plan_1', 'enough', 'me').then(() => (answered = true));
    await rest();
    await harness.advance(4.9);
    expect(answered).toBe(false);
    expect(harness.scheduler.plan('plan_1').status).toBe('canceled');
    await harness.advance(0.1);
    await canceled;
    expect(answered).toBe(true);
  });
});

describe('what is being published', () => {
  it.each([
    ['a cancel', (harness: Harness) => harness.scheduler.cancel('plan_1', 'enough', 'me')],
    [
      'a reassignment',
      (harness: Harness) => harness.scheduler.reassignTask('plan_1', 'a', { assignedTo: 'general', by: 'me' }),
    ],
  ])('is recorded before %s', async (_, end) => {
    verifies('plan.cancel-after-publication');
    await using harness = new Harness();
    await harness.start([{ id: 'a', outputArtifacts: ['x'] }, { id: 'b' }]);
    await harness.executor.call('a').execution.publishing();
    const ended = end(harness).catch(() => undefined);
    await rest();
    expect(harness.statuses()['a']).toBe('in_progress');
    expect(harness.executor.call('a').execution.signal.aborted).toBe(false);
    harness.executor.succeed('a');
    await ended;
    expect(harness.statuses()['a']).toBe('completed');
  });

  it('is waited for no longer than ten seconds, and nothing else begins to be published', async () => {
    verifies('plan.cancel-after-publication');
    await using harness = new Harness();
    await harness.start([{ id: 'a' }, { id: 'b' }]);
    await harness.executor.call('a').execution.publishing();
    const canceled = harness.scheduler.cancel('plan_1', 'enough', 'me');
    const late = codeOf(harness.executor.call('b').execution.publishing());
    await harness.advance(9.9);
    expect(harness.scheduler.plan('plan_1').status).toBe('in_progress');
    await harness.advance(0.2);
    await canceled;
    expect(harness.scheduler.plan('plan_1').status).toBe('canceled');
    expect(await late).toBe('canceled');
  });
});

describe('the machine', () => {
  it('is shared by all plans in turn, and who waits says why', async () => {
    verifies('plan.rule-machine-pool');
    await using harness = new Harness({ pool: new ResourcePool({ cpus: 1, memoryMiB: 1024 }) });
    await harness.start([{ id: 'a' }, { id: 'b' }]);
    await harness.start([{ id: 'c' }], { id: 'plan_2' });
    expect(harness.executor.order).toEqual(['a']);
    expect(harness.scheduler.explain('plan_2', 'c').sentence).toBe(
      'ready: it waits: it needs 1 CPUs and 512 MiB, 0 of 1 CPUs and 512 of 1024 MiB are free; 1 waiting before it',
    );
    harness.executor.succeed('a');
    await rest();
    expect(harness.executor.order).toEqual(['a', 'b']);
    await harness.scheduler.cancel('plan_1', 'enough', 'me');
    await rest();
    expect(harness.executor.order).toEqual(['a', 'b', 'c']);
    expect(harness.scheduler.view('plan_2').waiting).toEqual({});
  });
});

describe('commands', () => {
  it('are refused with their reason', async () => {
    verifies('plan.approval');
    await using harness = new Harness();
    const { scheduler } = harness;
    expect(await codeOf(scheduler.execute('plan_9', 'me'))).toBe('not_found');
    expect(() => scheduler.plan('plan_9')).toThrow('there is no plan plan_9');
    expect(await codeOf(scheduler.add(planOfTasks([{ id: 'a', dependencies: ['a'] }])))).toBe('invalid_plan');
    expect(await codeOf(scheduler.add({ ...planOfTasks([{ id: 'a' }]), status: 'completed' }))).toBe('invalid_plan');
    await scheduler.add(planOfTasks([{ id: 'a' }], { approvalReason: 'mode full' }));
    expect(await codeOf(scheduler.add(planOfTasks([{ id: 'a' }])))).toBe('conflict');
    expect(await codeOf(scheduler.execute('plan_1', 'me'))).toBe('needs_approval');
    await scheduler.approve('plan_1', 'boss');
    expect(await codeOf(scheduler.resume('plan_1', 'me'))).toBe('plan_not_runnable');
    await scheduler.execute('plan_1', 'me');
    expect(await codeOf(scheduler.execute('plan_1', 'me'))).toBe('plan_not_runnable');
    expect(scheduler.list().map(({ id, status }) => [id, status])).toEqual([['plan_1', 'in_progress']]);
  });

  it('clarify sets the input that was asked for', async () => {
    verifies('plan.approval');
    await using harness = new Harness();
    const options = [{ value: 'species', label: 'species' }];
    const clarification = { question: 'Which target?', field: 'target', options, answer: null };
    await harness.scheduler.add(planOfTasks([{ id: 'a' }], { clarification }));
    expect(await codeOf(harness.scheduler.execute('plan_1', 'me'))).toBe('needs_clarification');
    const plan = await harness.scheduler.clarify('plan_1', { answer: 'species', by: 'me' });
    expect(plan.inputs).toEqual({ target: 'species' });
    await harness.scheduler.execute('plan_1', 'me');
    expect(harness.executor.call('a').execution.plan.inputs).toEqual({ target: 'species' });
  });

  it('a person retries a failed task and starts the plan again; what is completed stays', async () => {
    verifies('plan.rule-person-retry');
    await using harness = new Harness();
    await harness.start([
      { id: 'done' },
      { id: 'bad', dependencies: ['done'], retryLimit: 0 },
      { id: 'after', dependencies: ['bad'] },
    ]);
    harness.executor.succeed('done');
    await rest();
    harness.executor.fail('bad');
    await rest();
    expect(harness.statuses()).toEqual({ done: 'completed', bad: 'failed', after: 'blocked' });
    const plan = await harness.scheduler.retryTask('plan_1', 'after', 'me');
    expect(plan.status).toBe('pending');
    await harness.scheduler.execute('plan_1', 'me');
    harness.executor.succeed('bad');
    await rest();
    harness.executor.succeed('after');
    await rest();
    expect(harness.scheduler.plan('plan_1').status).toBe('completed');
    expect(harness.executor.order).toEqual(['done', 'bad', 'bad', 'after']);
  });
});

describe('task logs', () => {
  it('are cut at 4 KiB and bounded in rate', async () => {
    verifies('plan.task-log');
    await using harness = new Harness();
    await harness.start([{ id: 'a' }]);
    const { execution } = harness.executor.call('a');
    execution.log('warn', '试'.repeat(3000), { session: 'session_1', offset: 0, length: 9 });
    for (let line = 0; line < 300; line += 1) execution.log('info', `line ${line}`);
    await rest();
    const logs = async () =>
      (await harness.journal.log()).flatMap((event) => (event.type === 'plan.task_log' ? event.data : []));
    const lines = await logs();
    expect(lines.length).toBe(100);
    expect(new TextEncoder().encode(lines[0]!.message).length).toBeLessThanOrEqual(4096);
    expect(lines[0]).toMatchObject({
      executionId: execution.executionId,
      level: 'warn',
      output: { session: 'session_1', offset: 0, length: 9 },
    });
    expect(lines[0]!.message.endsWith('试…')).toBe(true);
    await harness.advance(1);
    execution.log('error', 'after a second');
    harness.executor.succeed('a');
    await rest();
    expect((await logs()).slice(100).map(({ message }) => message)).toEqual([
      '201 log lines left out: more than 20 a second',
      'after a second',
    ]);
    execution.log('info', 'too late');
    await rest();
    expect((await logs()).length).toBe(102);
  });
});
