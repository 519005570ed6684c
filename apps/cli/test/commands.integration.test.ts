import type { EventDraft, Plan } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import { verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { main } from '../src/index.ts';
import { servedHome, type ServedHome } from './support/home.ts';
import { testIo } from './support/test-io.ts';

const at = (plan: Plan, task?: string) => ({ scope: { plan: plan.id, ...(task === undefined ? {} : { task }) } });
const execution = { executionId: 'exec_1', epoch: 1 };

function ran(plan: Plan, task: string): EventDraft[] {
  const lease = { ...execution, leaseOwner: 'data' };
  return [
    { type: 'plan.task_ready', ...at(plan, task), data: { inputs: [] } },
    {
      type: 'plan.task_started',
      ...at(plan, task),
      data: { ...lease, leaseExpiresAt: '2026-12-01T00:00:00.000Z', attempt: 1 },
    },
    { type: 'plan.task_completed', ...at(plan, task), data: { ...lease, outputs: {}, summary: 'ok' } },
  ];
}

function completes(home: ServedHome): void {
  home.engine.onExecute = (plan) =>
    home.engine.append(plan.questId, [
      ...ran(plan, 'profile'),
      ...ran(plan, 'report'),
      { type: 'plan.completed', ...at(plan), data: { summary: 'ok' } },
    ]);
}

/** Acts once somebody follows the plan that was just started. */
async function whenWatched(home: ServedHome, act: () => unknown): Promise<void> {
  await expect.poll(() => home.engine.following, { interval: 5, timeout: 5000 }).toBeGreaterThan(0);
  await act();
}

const benchmark = ['benchmark', '--repo', 'model', '--data', 'rows.csv', '--target', 'species'];

describe('assay benchmark', () => {
  it('runs a plan, shows its tasks on stderr and its result on stdout', async () => {
    verifies('cli.benchmark-result', 'cli.task-table');
    await using home = await servedHome();
    completes(home);
    const io = testIo({ env: { ASSAY_HOME: home.path } });
    expect(await main(benchmark, io)).toBe(0);
    expect(io.out()).toContain('accuracy  0.974  [0.940, 0.990]  ✓ yes');
    expect(io.out()).toMatch(/next {4}assay verify plan_\w+\n$/);
    expect(io.err()).toMatch(/✓ done {6}Profile the data/);
    expect(io.err()).toMatch(/✓ done {6}Write the report/);
    expect(io.out() + io.err()).not.toContain('\u001b');
  });

  it('draws one table on a terminal', async () => {
    verifies('cli.task-table');
    await using home = await servedHome();
    completes(home);
    const io = testIo({ env: { ASSAY_HOME: home.path }, tty: true });
    expect(await main(benchmark, io)).toBe(0);
    expect(io.err()).toContain('\u001b[32m✓ done    \u001b[39m  Profile the data');
  });

  it('prints exactly one line of JSON with --json', async () => {
    verifies('cli.json-one-line');
    await using home = await servedHome();
    completes(home);
    const io = testIo({ env: { ASSAY_HOME: home.path } });
    expect(await main([...benchmark, '--json'], io)).toBe(0);
    expect(io.out().split('\n')).toHaveLength(2);
    expect(JSON.parse(io.out())).toMatchObject({
      status: 'completed',
      metrics: { accuracy: 0.974 },
      intervals: { accuracy: [0.94, 0.99] },
      verified: { ok: 1, total: 1 },
      report: null,
      seconds: 1.5,
    });
  });

  it('ends with the exit code of what failed, and says what to do next', async () => {
    verifies('cli.exit-codes', 'cli.json-one-line');
    await using home = await servedHome();
    const error = { code: 'dataset_empty', message: 'the file is empty', why: 'it has 0 bytes', hint: 'give another' };
    home.engine.onExecute = (plan) =>
      home.engine.append(plan.questId, [
        ...ran(plan, 'profile').slice(0, 2),
        { type: 'plan.task_failed', ...at(plan, 'profile'), data: { ...execution, error } },
        { type: 'plan.failed', ...at(plan), data: { error: { code: 'command_failed', message: 'a task failed' } } },
      ]);
    const io = testIo({ env: { ASSAY_HOME: home.path } });
    expect(await main(['plan', 'list', '--json'], testIo({ env: { ASSAY_HOME: home.path } }))).toBe(0);
    await main(benchmark, io);
    expect(io.out()).toBe('');
    expect(io.err()).toContain('✗ the file is empty\n  why: it has 0 bytes\n  do:  give another\n');
    expect(io.err()).toMatch(/ {2}next: assay plan retry plan_\w+ profile\n {2}next: assay plan show plan_\w+\n$/);
    const plan = (await home.api.client.listPlans()).plans[0]!;
    const start = testIo({ env: { ASSAY_HOME: home.path } });
    await home.api.client.retryTask({ plan: plan.id, task: 'profile' });
    expect(await main(['plan', 'start', plan.id], start)).toBe(2);
  });

  it('ends at once with what, why and what to do when the plan had to stop', async () => {
    verifies('cli.plan-stopped');
    await using home = await servedHome();
    const full = new AssayError('disk_full', 'no space is left', { why: 'ENOSPC', hint: 'free some space' });
    home.engine.onExecute = async () => void whenWatched(home, () => home.engine.stopped.abort(full));
    const io = testIo({ env: { ASSAY_HOME: home.path } });
    expect(await main([...benchmark, '--json'], io)).toBe(1);
    const result = JSON.parse(io.out()) as { planId: string };
    expect(result).toMatchObject({
      status: 'in_progress',
      error: { code: 'disk_full', message: 'no space is left', why: 'ENOSPC', hint: 'free some space' },
    });
    expect(io.err()).toContain(
      `✗ no space is left\n  why: ENOSPC\n  do:  free some space\n  next: assay plan start ${result.planId}\n`,
    );
  });

  it('lets a plan that was interrupted go on, and says why it was', async () => {
    verifies('cli.interrupted-goes-on');
    await using home = await servedHome();
    const interrupted = (plan: Plan): EventDraft => ({
      type: 'plan.interrupted',
      ...at(plan),
      data: { reason: 'the daemon was restarted', activeUntil: '2026-12-01T00:00:00.000Z' },
    });
    const status = async (plan: Plan) => (await home.engine.getPlan({ ownerId: plan.ownerId }, plan.id)).status;
    for (const early of [true, false]) {
      home.engine.onExecute = async (plan) => {
        const goesOn = async () => {
          await expect.poll(() => status(plan), { interval: 5, timeout: 5000 }).toBe('in_progress');
          await home.engine.append(plan.questId, [
            ...ran(plan, 'profile'),
            ...ran(plan, 'report'),
            { type: 'plan.completed', ...at(plan), data: { summary: 'ok' } },
          ]);
        };
        const interrupt = () => home.engine.append(plan.questId, [interrupted(plan)]);
        if (early) await interrupt();
        void (early ? goesOn() : whenWatched(home, interrupt).then(goesOn));
      };
      const io = testIo({ env: { ASSAY_HOME: home.path } });
      expect(await main(benchmark, io)).toBe(0);
      expect(io.err()).toContain('the plan was interrupted (the daemon was restarted) and goes on\n');
    }
  });

  it('does not say that a plan goes on which somebody has canceled meanwhile', async () => {
    verifies('cli.interrupted-goes-on');
    await using home = await servedHome();
    home.engine.onExecute = (plan) =>
      home.engine.append(plan.questId, [
        {
          type: 'plan.interrupted',
          ...at(plan),
          data: { reason: 'no space is left', activeUntil: '2026-12-01T00:00:00.000Z' },
        },
        { type: 'plan.canceled', ...at(plan), data: { by: 'ada', reason: 'enough' } },
      ]);
    const io = testIo({ env: { ASSAY_HOME: home.path } });
    expect(await main(benchmark, io)).toBe(4);
    expect(io.err()).not.toContain('goes on');
  });

  it('says that a plan waits for approval, with its real status', async () => {
    verifies('cli.plan-status');
    await using home = await servedHome();
    home.engine.approvalReason = 'it is long';
    const io = testIo({ env: { ASSAY_HOME: home.path } });
    expect(await main([...benchmark, '--json'], io)).toBe(2);
    expect(JSON.parse(io.out())).toMatchObject({
      status: 'awaiting_approval',
      error: { code: 'needs_approval', why: 'it is long' },
    });
  });

  it('cancels at the first Ctrl-C and leaves at the second', async () => {
    verifies('cli.interrupt');
    await using home = await servedHome();
    const io = testIo({ env: { ASSAY_HOME: home.path } });
    home.engine.onExecute = async () => void whenWatched(home, () => io.interrupt());
    expect(await main(benchmark, io)).toBe(4);
    expect(io.err()).toContain('canceling the plan; press Ctrl-C again to leave at once');
    expect((await home.api.client.listPlans()).plans[0]).toMatchObject({
      status: 'canceled',
      error: { message: 'canceled at the terminal' },
    });
    expect(io.exits).toEqual([]);
    const twice = testIo({ env: { ASSAY_HOME: home.path } });
    home.engine.onExecute = async () =>
      void whenWatched(home, () => {
        twice.interrupt();
        twice.interrupt();
      });
    await main(benchmark, twice);
    expect(twice.exits).toEqual([4]);
  });
});

describe('an open question', () => {
  const clarification = {
    question: 'which column is the target?',
    field: 'target',
    options: [
      { value: 'species', label: 'species', default: true },
      { value: 'island', label: 'island' },
    ],
    answer: null,
  };

  it('ends with exit 2, the options and the command that answers, and the plan stays', async () => {
    verifies('cli.clarification', 'cli.plan-status');
    await using home = await servedHome();
    completes(home);
    home.engine.clarification = clarification;
    const io = testIo({ env: { ASSAY_HOME: home.path } });
    expect(await main([...benchmark, '--json'], io)).toBe(2);
    const result = JSON.parse(io.out()) as { planId: string; error: { code: string; details: unknown } };
    expect(result).toMatchObject({
      status: 'pending',
      error: {
        code: 'needs_clarification',
        message: 'which column is the target?',
        why: 'possible answers: species (default), island',
        details: { field: 'target' },
      },
    });
    expect(io.err()).toContain(
      `do:  assay plan clarify ${result.planId} <answer>, then assay plan start ${result.planId}`,
    );
    const env = { ASSAY_HOME: home.path };
    const start = testIo({ env });
    expect(await main(['plan', 'start', result.planId], start)).toBe(2);
    expect(await main(['plan', 'clarify', result.planId, 'island'], testIo({ env }))).toBe(0);
    expect(await main(['plan', 'start', result.planId, '--json'], testIo({ env }))).toBe(0);
    expect((await home.api.client.getPlan({ plan: result.planId })).plan).toMatchObject({
      status: 'completed',
      inputs: { target: 'island' },
    });
  });

  it('is asked at a terminal, by number, value or default', async () => {
    verifies('cli.clarification');
    await using home = await servedHome();
    completes(home);
    home.engine.clarification = clarification;
    for (const [answers, target] of [
      [['2'], 'island'],
      [['island'], 'island'],
      [[''], 'species'],
      [['nonsense', '9', '1'], 'species'],
    ] as const) {
      const io = testIo({ env: { ASSAY_HOME: home.path }, tty: true, answers });
      expect(await main(['benchmark', '--repo', 'm', '--data', 'd'], io)).toBe(0);
      expect(io.asked[0]).toBe('answer [species]: ');
      expect(io.err()).toContain('? which column is the target?\n  1. species\n  2. island\n');
      expect((await home.api.client.listPlans()).plans[0]?.inputs.target).toBe(target);
    }
    const stubborn = testIo({ env: { ASSAY_HOME: home.path }, tty: true, answers: ['x', 'y', 'z'] });
    expect(await main(['benchmark', '--repo', 'm', '--data', 'd'], stubborn)).toBe(2);
  });
});

describe('plans and journals', () => {
  it('are listed, shown, retried, reassigned, canceled and explained', async () => {
    await using home = await servedHome();
    const env = { ASSAY_HOME: home.path };
    const run = async (...argv: string[]) => {
      const io = testIo({ env });
      return { code: await main(argv, io), out: io.out() };
    };
    expect((await run('plan', 'list')).out).toBe('no plans yet: "assay benchmark --help" shows how to make one\n');
    const { plan } = await home.api.client.createPlan({ body: { title: 'Penguins' } });
    expect((await run('plan', 'list')).out).toMatch(new RegExp(`^plan .*\n${plan.id} +pending +0/2 .* Penguins\n$`));
    expect((await run('plan', 'show', plan.id)).out).toContain('· pending   Profile the data');
    expect((await run('plan', 'cancel', plan.id, '--reason', 'no need')).code).toBe(0);
    expect((await run('plan', 'cancel', plan.id)).code).toBe(1);
    expect(JSON.parse((await run('plan', 'show', plan.id, '--json')).out)).toMatchObject({
      plan: { status: 'canceled', error: { message: 'no need' } },
    });
    expect((await run('plan', 'retry', plan.id, 'profile')).code).toBe(0);
    const reassigned = JSON.parse((await run('plan', 'reassign', plan.id, 'profile', 'coder', '--json')).out) as {
      plan: Plan;
    };
    expect(reassigned.plan.tasks[0]?.assignedTo).toBe('coder');
    expect((await run('plan', 'show', 'plan_x')).code).toBe(2);
    expect((await run('why', plan.id)).out).toBe(`${plan.id} waits for nothing\n`);
    const detached = JSON.parse((await run('plan', 'start', plan.id, '--detach', '--json')).out) as unknown;
    expect(detached).toEqual({ planId: plan.id, status: 'in_progress' });
    expect((await run('plan', 'start', plan.id)).code).toBe(1);
    for (const [command, limit, most] of [
      [['plan', 'list'], '501', 500],
      [['plan', 'list'], '0', 500],
      [['events', plan.questId], '10001', 10_000],
      [['events', plan.questId], 'x', 10_000],
    ] as const) {
      const io = testIo({ env });
      expect(await main([...command, '--limit', limit], io)).toBe(2);
      expect(io.err()).toContain(`'${limit}' is invalid. It must be a whole number from 1 to ${most}`);
    }
    expect((await run('events', plan.questId, '--limit', '1')).out).toMatch(
      /^ {4}1 {2}\S+Z {2}quest\.created {2}.*\n$/,
    );
  });

  it('are followed until Ctrl-C, which is no failure', async () => {
    await using home = await servedHome();
    const quest = await home.engine.createQuest({ title: 'one', goal: '' });
    const io = testIo({ env: { ASSAY_HOME: home.path } });
    const ended = main(['events', quest.id, '--follow', '--json'], io);
    await expect.poll(() => io.out()).toContain('"type":"quest.created"');
    io.interrupt();
    expect(await ended).toBe(0);
    expect(
      io
        .out()
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { seq: number }).seq),
    ).toEqual([1]);
  });
});

describe('assay secrets', () => {
  it('keeps, lists and forgets without showing a value', async () => {
    verifies('secrets.command-line');
    await using home = await servedHome();
    const run = async (words: string, options: Parameters<typeof testIo>[0] = {}) => {
      const io = testIo({ ...options, env: { ASSAY_HOME: home.path } });
      return { exit: await main(words.split(' '), io), out: io.out(), err: io.err(), asked: io.asked };
    };
    const kept = await run('secrets set team --host https://git.example.org/', { input: 'cAnArY\n' });
    expect(kept).toMatchObject({ exit: 0, out: 'team is kept for git.example.org\n' });
    const typed = await run('secrets set other --host git.example.org:8443', { tty: true, answers: ['cAnArY'] });
    expect(typed).toMatchObject({ exit: 0, asked: ['password or token for other (not shown): '] });
    const index = await run(
      'secrets set index --for packages --host pypi.example.org --host https://files.example.org',
      {
        input: 'cAnArY\n',
      },
    );
    expect(index.out).toBe('index is kept for pypi.example.org, files.example.org (packages)\n');
    const listed = await run('secrets list');
    expect(listed.out).toContain('team   git.example.org                      repositories  git');
    expect(listed.out).toContain('other  git.example.org:8443                 repositories  git');
    expect(listed.out).toContain('index  pypi.example.org, files.example.org  packages      __token__');
    expect(await run('secrets set x --host h.org', { input: '' })).toMatchObject({ exit: 2 });
    expect(await run('secrets set x --host h.org', { input: 'a\nb\n' })).toMatchObject({ exit: 2 });
    const strange = await run('secrets set x --host -oProxyCommand=id', { input: 'cAnArY' });
    expect(strange.exit).toBe(2);
    expect(await run('secrets remove team')).toMatchObject({ exit: 0, out: 'team is forgotten\n' });
    for (const { out, err } of [kept, typed, listed, strange]) expect(out + err).not.toContain('cAnArY');
  });
});
