import { AssayError } from '@assay/foundation';
import { verifies } from '@assay/testkit';
import type { BenchmarkResult } from '@assay/contracts';
import { newPlan, newTask } from '@assay/plan-graph';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../src/command-line.ts';
import { doctorText } from '../src/commands/doctor.ts';
import { eventLine } from '../src/commands/events.ts';
import { fsckText } from '../src/commands/fsck.ts';
import { verificationText } from '../src/commands/verify.ts';
import { clarificationText } from '../src/plan/clarify.ts';
import { liveLines } from '../src/plan/live-view.ts';
import { errorLines } from '../src/render/error-lines.ts';
import { decimalsFor, formatInterval, formatNumber, formatSeconds } from '../src/render/numbers.ts';
import { resultText } from '../src/render/result-text.ts';
import { safeText } from '../src/render/safe-text.ts';
import { colours } from '../src/render/style.ts';
import { table } from '../src/render/table.ts';
import { planListText } from '../src/commands/plan/list.ts';
import { planText } from '../src/commands/plan/show.ts';
import { taskLine, taskTable } from '../src/render/task-table.ts';
import { fit } from '../src/render/width.ts';

const plain = colours(false);
const now = Date.UTC(2026, 0, 1, 0, 1, 0);
const options = { colours: plain, now, columns: 80 };

function task(change: Partial<ReturnType<typeof newTask>>) {
  return { ...newTask({ id: 't', name: 'Profile the data', type: 'dataset_profile', assignedTo: 'data' }), ...change };
}

describe('text of strangers', () => {
  it('cannot move the cursor, colour, reorder, hide or break a line', () => {
    verifies('cli.escape-safe');
    expect(safeText('\u001b[31mred\u001b[0m')).toBe('red');
    expect(safeText('\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007')).toBe('link');
    expect(safeText('a\u001b[2J\u001b[Hb')).toBe('ab');
    expect(safeText('a\nb\r\nc\td')).toBe('a b c d');
    expect(safeText('\u009b31mx')).toBe('x');
    expect(safeText('a\u0000\u0007\u0008\u007f\u0085b')).toBe('ab');
    expect(safeText('user\u202etxt.exe')).toBe('usertxt.exe');
    expect(safeText('a\u2066b\u2069\u200b\u2028\ufeffc')).toBe('abc');
    expect(safeText('\ud800x')).toBe('\ufffdx');
  });

  it('stays readable in every script', () => {
    verifies('cli.escape-safe');
    for (const text of ['物种 species', 'Größe', 'क्\u200dष', '👩\u200d🔬', 'سلام']) expect(safeText(text)).toBe(text);
  });

  it('is made safe in every view', () => {
    verifies('cli.escape-safe');
    const evil = 'x\u001b[2J\ny';
    const views = [
      taskLine(task({ name: evil }), options),
      errorLines(new AssayError('conflict', evil, { why: evil, hint: evil }), plain),
      clarificationText(evil, [{ value: evil, label: evil }]),
      doctorText({ ok: false, checks: [{ name: evil, status: 'failed', found: evil, why: evil, hint: evil }] }, plain),
      fsckText(
        { ok: false, findings: [{ severity: 'damage', message: evil, hint: evil }] },
        { home: evil, colours: plain },
      ),
      verificationText(
        {
          ok: 0,
          total: 1,
          mismatches: [{ evidenceId: evil, claimed: 1, recomputed: 2, source: evil, reason: 'mismatch' }],
        },
        plain,
        1,
      ),
      resultText(
        {
          ...result,
          metrics: { [evil]: 1 },
          probes: { [evil]: { passed: true, metric: evil, value: 1, expected: evil } },
          report: evil,
        },
        { colours: plain, unconfirmed: new Map([[evil, evil]]), next: evil },
      ),
    ];
    for (const view of views) {
      expect(view).toContain('x y');
      expect(view).not.toContain('\u001b');
    }
  });
});

describe('numbers', () => {
  it('have the decimals that suit them, a true minus and groups of thousands', () => {
    const shown = (value: number) => formatNumber(value, decimalsFor(value));
    expect([0.97368, 1, 0, 12.3456, 151.27, 18400.4, -3.14159, 0.0001234, -0].map(shown)).toEqual([
      '0.974',
      '1.000',
      '0.000',
      '12.35',
      '151.3',
      '18,400',
      '−3.142',
      '0.000123',
      '0.000',
    ]);
    expect(formatInterval([0.9, 0.99456], 3)).toBe('[0.900, 0.995]');
  });

  it('show time in the unit that suits it', () => {
    expect([0, 0.44, 9.96, 12.4, 60, 185.2].map(formatSeconds)).toEqual([
      '0.0 s',
      '0.4 s',
      '10.0 s',
      '12 s',
      '1 min 00 s',
      '3 min 05 s',
    ]);
  });
});

describe('tables', () => {
  it('align by what a terminal shows: wide characters take two cells, colours none', () => {
    verifies('cli.wide-characters');
    const red = colours(true).red('bad');
    expect(
      table(
        [{ title: 'name' }, { title: 'n', align: 'right' }],
        [
          ['物种', '1'],
          ['species', '20'],
          [red, '3'],
        ],
      ),
    ).toBe(`name      n\n物种      1\nspecies  20\n${red}       3\n`);
    expect(fit('物种名称', 5)).toBe('物种…');
    expect(fit('👩\u200d🔬👩\u200d🔬👩\u200d🔬', 5)).toBe('👩\u200d🔬👩\u200d🔬…');
    expect(fit('short', 5)).toBe('short');
  });

  it('show a task with icon and word, name, seconds, and the attempt when it is not the first', () => {
    verifies('cli.task-table');
    const startedAt = '2026-01-01T00:00:56.000Z';
    const finishedAt = '2026-01-01T00:00:57.500Z';
    const lines = [
      task({}),
      task({ status: 'ready' }),
      task({ status: 'in_progress', startedAt, runCount: 1 }),
      task({ status: 'in_progress', startedAt, runCount: 2 }),
      task({ status: 'completed', startedAt, finishedAt, runCount: 1, name: '分析数据' }),
      task({ status: 'failed', startedAt, finishedAt, runCount: 3 }),
      task({ status: 'blocked' }),
      task({ status: 'skipped' }),
      task({ status: 'canceled' }),
    ].map((one) => taskLine(one, options));
    expect(lines).toEqual([
      '· pending   Profile the data',
      '▹ ready     Profile the data',
      '◌ running   Profile the data                                 4.0 s',
      '◌ running   Profile the data                                 4.0 s  attempt 2',
      '✓ done      分析数据                                         1.5 s',
      '✗ failed    Profile the data                                 1.5 s  attempt 3',
      '⊘ blocked   Profile the data',
      '↷ skipped   Profile the data',
      '■ canceled  Profile the data',
    ]);
  });

  it('colour only when colours are wanted', () => {
    verifies('cli.no-color');
    const done = task({ status: 'completed' });
    expect(taskLine(done, { ...options, colours: colours(true) })).toBe(
      '\u001b[32m✓ done    \u001b[39m  Profile the data',
    );
  });

  it('keep what matters when the terminal is too low', () => {
    verifies('cli.task-table');
    const drafts = Array.from({ length: 30 }, (_, n) =>
      newTask({ id: `t${n}`, name: `Task ${n}`, type: 'x', assignedTo: 'data' }),
    );
    const plan = newPlan({
      id: 'plan_1',
      questId: 'quest_1',
      traceId: 'trace_1',
      userIntent: '',
      intentType: 'General',
      tasks: drafts.map((draft, n) => ({
        ...draft,
        status: n === 17 ? ('in_progress' as const) : ('completed' as const),
      })),
      createdAt: now,
    });
    const lines = liveLines({ ...plan, counts: { ...plan.counts, completed: 29 } }, 6, options);
    expect(lines).toHaveLength(6);
    expect(lines.some((line) => line.includes('Task 17'))).toBe(true);
    expect(lines.at(-1)).toBe('… 29 of 30 tasks done, 0 failed');
    expect(taskTable(plan, options).split('\n')).toHaveLength(31);
  });
});

describe('a plan that was interrupted', () => {
  const interrupted = (status: 'pending' | 'in_progress') => {
    const plan = newPlan({
      id: 'plan_1',
      questId: 'quest_1',
      traceId: 'trace_1',
      userIntent: 'x',
      intentType: 'General',
      tasks: [newTask({ id: 't', name: 'Run', type: 'x', assignedTo: 'data' })],
      createdAt: now,
    });
    const tasks = plan.tasks.map((task) => ({ ...task, status: 'in_progress' as const, startedAt: plan.createdAt }));
    return { ...plan, status, interrupted: status === 'pending', tasks };
  };

  it('shows that nothing runs, what will be taken over, and what to do', () => {
    verifies('cli.interrupted-plan');
    const text = planText(interrupted('pending'), options);
    expect(text).toContain('plan    plan_1  interrupted, 0 of 1 tasks done\n');
    expect(text).not.toContain('running');
    expect(text).toContain(
      'the daemon was stopped while this plan ran: it waits to be resumed; Run went on and will be taken over\n' +
        '  do:  assay plan start plan_1\n',
    );
    expect(planListText([interrupted('pending')], null)).toContain('interrupted');
    const running = planText(interrupted('in_progress'), options);
    expect(running).toContain('◌ running');
    expect(running).not.toContain('assay plan start');
  });
});

const result: BenchmarkResult = {
  planId: 'plan_1',
  questId: 'quest_1',
  status: 'completed',
  metrics: { accuracy: 0.97368, macro_f1: 0.9701 },
  intervals: { accuracy: [0.939, 0.9912] },
  probes: {
    shuffled: { passed: true, metric: 'accuracy', value: 0.35, expected: 'at chance' },
    oracle: { passed: false, metric: 'accuracy', value: null, expected: '1' },
  },
  verified: { ok: 2, total: 2 },
  report: '/home/report.md',
  seconds: 4.21,
};

describe('the end of a benchmark', () => {
  it('says what it worked and, when it waited, how long it took from start to end', () => {
    verifies('cli.benchmark-result');
    const text = (wallSeconds: number) =>
      resultText({ ...result, wallSeconds }, { colours: plain, unconfirmed: new Map(), next: '' });
    expect(text(4.5)).toContain('\ntime    4.2 s of work\n');
    expect(text(75)).toContain('\ntime    4.2 s of work, 1 min 15 s from start to end\n');
  });

  it('shows metrics with intervals, probes, the report and what to try next', () => {
    verifies('cli.benchmark-result');
    expect(resultText(result, { colours: plain, unconfirmed: new Map(), next: 'assay verify plan_1' })).toBe(
      [
        '',
        'metric    value   95 % interval  verified',
        'accuracy  0.974  [0.939, 0.991]  ✓ yes',
        'macro_f1  0.970               –  ✓ yes',
        '',
        'probe     value  metric    expected   result',
        'shuffled  0.350  accuracy  at chance  ✓ as it should be',
        'oracle        –  accuracy  1          ✗ not as it should be',
        '',
        '✓ 2 of 2 numbers verified',
        'time    4.2 s of work',
        'report  /home/report.md',
        'next    assay verify plan_1',
        '',
      ].join('\n'),
    );
  });

  it('never shows a number as verified that is not', () => {
    verifies('cli.benchmark-result');
    const text = resultText(
      { ...result, verified: { ok: 1, total: 2 } },
      { colours: plain, unconfirmed: new Map([['accuracy', 'source_changed']]), next: '' },
    );
    expect(text).toContain('accuracy  0.974  [0.939, 0.991]  ✗ source changed');
    expect(text).toContain('macro_f1  0.970               –  ✓ yes');
    expect(text).toContain('✗ 1 of 2 numbers verified');
    const none = resultText(
      { ...result, verified: { ok: 0, total: 0 } },
      { colours: plain, unconfirmed: new Map(), next: '' },
    );
    expect(none).toContain('– not yet');
    expect(none).toContain('✗ 0 of 0 numbers verified');
    expect(none).not.toContain('✓ yes');
  });
});

describe('failures', () => {
  it('are one line what, one line why, one line what to do', () => {
    verifies('cli.three-lines');
    const error = new AssayError('column_missing', 'there is no column "specis"', {
      why: 'the columns are species, island',
      hint: 'give one of them with --target',
    });
    expect(errorLines(error, plain)).toBe(
      '✗ there is no column "specis"\n  why: the columns are species, island\n  do:  give one of them with --target\n',
    );
    expect(errorLines(new AssayError('internal', 'broken'), plain)).toBe('✗ broken\n');
  });

  it('list what could not be confirmed', () => {
    expect(
      verificationText(
        {
          ok: 1,
          total: 2,
          mismatches: [
            { evidenceId: 'ev_1', claimed: 0.99, recomputed: null, source: 'data.csv', reason: 'source_missing' },
          ],
        },
        plain,
        1.28,
      ),
    ).toBe(
      [
        'evidence  claimed  recomputed  reason          source',
        'ev_1         0.99           –  source missing  data.csv',
        '✗ 1 of 2 numbers confirmed in 1.3 s',
        '',
      ].join('\n'),
    );
  });

  it('say of a report that was edited or deleted what became of it', () => {
    verifies('verify.report-as-written');
    const report = { evidenceId: 'ev_1', claimed: null, recomputed: 0.5, source: 'documents/benchmark-plan_1.md' };
    const text = (reason: 'source_changed' | 'source_missing') =>
      verificationText({ ok: 1, total: 2, mismatches: [{ ...report, reason }] }, plain, 0.1);
    expect(text('source_changed').split('\n')[1]).toBe(
      'ev_1            –         0.5  the report is not the one that was written  documents/benchmark-plan_1.md',
    );
    expect(text('source_missing')).toContain('the report is gone  documents/benchmark-plan_1.md');
  });
});

it('an event is one line, however large its data', () => {
  const line = eventLine({
    v: 1,
    seq: 12,
    id: 'event_1',
    at: '2026-01-01T00:00:00.000Z',
    type: 'quest.created',
    quest: 'quest_1',
    scope: {},
    trace: 'trace_1',
    span: 'span_1',
    data: { title: 'a\nb', goal: 'x'.repeat(500) },
  });
  expect(line.slice(0, 70)).toBe('   12  2026-01-01T00:00:00.000Z  quest.created    {"title":"a\\nb","goa');
  expect(line.split('\n')).toHaveLength(2);
  expect(line.length).toBeLessThan(260);
});

it('a command line to copy names the home only when it is needed, and npx when npm was used', () => {
  const env = { HOME: '/home/ada' };
  expect(commandLine(env, 'verify plan_1')).toBe('assay verify plan_1');
  expect(commandLine({ ...env, npm_command: 'run-script' }, 'verify plan_1', '/tmp/my home')).toBe(
    "ASSAY_HOME='/tmp/my home' npx assay verify plan_1",
  );
  expect(commandLine({ ...env, ASSAY_HOME: '/data' }, 'up', '/data')).toBe('assay up');
});

it('a result says what was called, what else could have been, and how the data was read', () => {
  verifies('cli.names-entry-point');
  const result = {
    planId: 'plan_1',
    questId: 'quest_1',
    status: 'completed',
    metrics: {},
    intervals: {},
    probes: {},
    verified: { ok: 1, total: 1 },
    report: null,
    seconds: 1,
    entrypoint: 'a:First.predict',
    otherEntrypoints: ['b:Second.predict'],
    notes: ['task: classification of label', 'column "id" only numbers the rows\u001b[31m'],
  };
  const text = resultText(result, { colours: plain, unconfirmed: new Map(), next: 'assay verify plan_1' });
  expect(text).toContain('entry   a:First.predict  (also possible: b:Second.predict; choose with --entry)\n');
  expect(text).toContain('note    task: classification of label\n');
  expect(text).not.toContain('\u001b');
});
