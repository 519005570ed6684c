import { cancelDrafts, executeDrafts, explainPlan, explainTask, interruptDrafts } from '@assay/plan-graph';
import { verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { planOfTasks, PureDriver, START } from './pure-driver.ts';

const tasks = [
  { id: 'prep', name: 'Prepare' },
  { id: 'exec', name: 'Execute', dependencies: ['prep'], outputArtifacts: ['run_metrics'], retryLimit: 2 },
  { id: 'eval', name: 'Evaluate', dependencies: ['exec'], requiredArtifacts: ['run_metrics'] },
  { id: 'last', name: 'Report', dependencies: ['eval'] },
];

function running(): PureDriver {
  const driver = new PureDriver(planOfTasks(tasks));
  driver.apply(executeDrafts(driver.state, 'me'));
  return driver;
}

describe('explainTask', () => {
  it('a pending task says what it waits for', () => {
    verifies('plan.why');
    const driver = running();
    expect(explainTask(driver.state, 'eval')).toBe("pending: it waits for run_metrics from 'Execute' (pending)");
    expect(explainTask(driver.state, 'exec')).toBe("pending: it waits for 'Prepare' (in progress)");
    const idle = new PureDriver(planOfTasks(tasks));
    expect(explainTask(idle.state, 'prep')).toBe('pending: the plan is not running');
  });

  it('a running task says since when and until when', () => {
    verifies('plan.why');
    expect(explainTask(running().state, 'prep')).toBe(
      'in progress: run 1 of 2 since 2026-01-01T00:00:00.000Z, times out at 2026-01-01T00:10:00.000Z',
    );
  });

  it('a blocked task names the artifact, the failed task, its reason and its attempts', () => {
    verifies('plan.why');
    const driver = running();
    driver.succeed('prep');
    driver.fail('exec', 'exit code 1');
    driver.fail('exec', 'exit code 1');
    driver.fail('exec', 'exit code 2');
    expect(explainTask(driver.state, 'eval')).toBe(
      "blocked: needs run_metrics from 'Execute'; that task failed: exit code 2; 3 of 3 attempts used",
    );
    expect(explainTask(driver.state, 'last')).toBe(
      "blocked: needs 'Execute'; that task failed: exit code 2; 3 of 3 attempts used",
    );
    expect(explainTask(driver.state, 'exec')).toBe('failed: exit code 2; 3 of 3 attempts used');
    expect(explainTask(driver.state, 'prep')).toBe('completed: done');
    expect(explainPlan(driver.state)).toBe("failed: 'Execute' failed: exit code 2");
  });

  it('a ready task says what it waits for: a slot, the machine, its turn alone', () => {
    verifies('plan.why');
    const driver = new PureDriver(
      planOfTasks([
        { id: 'a', priority: 1 },
        { id: 'b' },
        { id: 'c' },
        { id: 'd', parallelizable: false, dependencies: ['a'] },
      ]),
      { slots: 1 },
    );
    driver.apply(executeDrafts(driver.state, 'me'));
    expect(explainTask(driver.state, 'b')).toBe("ready: it waits for a free slot; 'A' running");
    expect(explainTask(driver.state, 'b', { waiting: { b: 'it needs 4 CPUs' } })).toBe(
      'ready: it waits: it needs 4 CPUs',
    );
    driver.slots = 2;
    driver.apply([]);
    driver.succeed('a');
    expect(explainTask(driver.state, 'd')).toBe("ready: it runs alone and waits for 'B' to end");
    driver.succeed('b');
    expect(explainTask(driver.state, 'c')).toBe("ready: it waits for 'D', which runs alone");
  });

  it('a skipped and a canceled task give their reason', () => {
    verifies('plan.why');
    const driver = running();
    driver.apply([
      {
        type: 'plan.task_skipped',
        scope: { plan: 'plan_1', task: 'last' },
        data: { reason: 'no report was asked for' },
      },
    ]);
    expect(explainTask(driver.state, 'last')).toBe('skipped: no report was asked for');
    driver.apply(cancelDrafts(driver.state, 'me', 'changed my mind'));
    expect(explainTask(driver.state, 'exec')).toBe(
      'canceled: changed my mind; what to do: nothing of it is lost: `assay plan retry` and `assay plan start` go on with it',
    );
    expect(explainPlan(driver.state)).toBe(
      'canceled: changed my mind; what to do: nothing of it is lost: `assay plan retry` and `assay plan start` go on with it',
    );
  });

  it('a failed run that will be repeated', () => {
    verifies('plan.why');
    const driver = new PureDriver(planOfTasks([{ id: 'a' }]));
    driver.apply(executeDrafts(driver.state, 'me'));
    driver.fail('a', 'no luck');
    expect(explainTask(driver.state, 'a')).toBe(
      'in progress: run 2 of 2 since 2026-01-01T00:00:00.000Z, times out at 2026-01-01T00:10:00.000Z; its last run failed: no luck',
    );
    driver.apply(interruptDrafts(driver.state, { reason: 'restart', activeUntil: START, bound: new Set() }));
    expect(explainTask(driver.state, 'a')).toBe('pending: the plan is not running; its last run failed: no luck');
  });
});

describe('explainPlan', () => {
  it('says what a plan waits for', () => {
    verifies('plan.why');
    expect(explainPlan(new PureDriver(planOfTasks(tasks)).state)).toBe('pending: it has not been started');
    expect(explainPlan(new PureDriver(planOfTasks(tasks, { approvalReason: 'mode full' })).state)).toBe(
      'awaiting approval: mode full',
    );
    const clarification = { question: 'Which column?', field: 'target', options: [], answer: null };
    expect(explainPlan(new PureDriver(planOfTasks(tasks, { clarification })).state)).toBe(
      'pending: it waits for an answer: Which column?',
    );
  });

  it('says how far it is, that it was interrupted, that it is done', () => {
    verifies('plan.why');
    const driver = running();
    expect(explainPlan(driver.state)).toBe("in progress: 0 of 4 tasks completed; 'Prepare' running");
    driver.apply(interruptDrafts(driver.state, { reason: 'restart', activeUntil: START, bound: new Set(['exec_1']) }));
    expect(explainPlan(driver.state)).toBe(
      "pending: a restart interrupted it, it waits to be resumed; 'Prepare' went on and will be taken over",
    );
    expect(explainTask(driver.state, 'prep')).toBe(
      'in progress: its session went on while nobody watched; resume the plan to take it over',
    );
    const short = new PureDriver(planOfTasks([{ id: 'a' }]));
    short.apply(executeDrafts(short.state, 'me'));
    short.now += 2500;
    short.succeed('a');
    expect(explainPlan(short.state)).toBe('completed: 1 of 1 tasks in 2.5 s');
  });

  it('says why its driver has stopped', () => {
    verifies('plan.why');
    const problem = { code: 'disk_full', message: 'the disk is full', why: '/home has no space' };
    expect(explainPlan(running().state, { problem })).toBe(
      'stopped: the disk is full (/home has no space); nothing of the plan is lost, resume it when that is repaired',
    );
  });
});
