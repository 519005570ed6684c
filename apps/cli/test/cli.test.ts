import { errorCodes } from '@assay/contracts';
import { temporaryFolder, verifies } from '@assay/testkit';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { main } from '../src/index.ts';
import { planInputs } from '../src/commands/benchmark.ts';
import { exitCodes } from '../src/exit-codes.ts';
import { nameList, positiveNumber, wholeNumber } from '../src/option-values.ts';
import { planExitCode } from '../src/plan/plan-exit-code.ts';
import { buildProgram } from '../src/program.ts';
import { Session } from '../src/session.ts';
import { testIo } from './support/test-io.ts';

/** Spelled out: scripts of users depend on every word. */
const COMMANDS = [
  'assay benchmark --comment --data --decimal --delimiter --encoding --entry --group --header --input --json --limit --map --member --missing --no-header --no-install --on-bad-bytes --on-ragged --python --quest --quote --ref --repo --revision --rows --secret --subfolder --target --task --thousands --time',
  'assay comparison',
  'assay comparison list --cursor --json --limit --quest',
  'assay comparison show <comparison> --json',
  'assay demo --json --regression',
  'assay doctor --json',
  'assay down --json',
  'assay events <quest> --after --follow --json --limit',
  'assay fsck --json --repair',
  'assay help [command] --json',
  'assay plan',
  'assay plan approve <plan> --attempts --disk --hours --json',
  'assay plan cancel <plan> --json --reason',
  'assay plan clarify <plan> <answer> --json',
  'assay plan compare <plans> --json',
  'assay plan list --cursor --json --limit',
  'assay plan reassign <plan> <task> <role> --json',
  'assay plan retry <plan> <task> --json',
  'assay plan show <plan> --json',
  'assay plan start <plan> --detach --json',
  'assay secrets',
  'assay secrets list --json',
  'assay secrets remove <name> --json',
  'assay secrets set <name> --for --host --json --username',
  'assay status --json',
  'assay up --foreground --json --no-open',
  'assay verify <ref> --json',
  'assay why <ref> --json',
];

/** Code, HTTP status, exit code. A code is never renamed and never changes what a script sees. */
const ERROR_CODES = [
  'invalid_request 400 2',
  'unauthorized 401 3',
  'forbidden_origin 403 2',
  'not_owner 403 2',
  'not_found 404 2',
  'method_not_allowed 405 2',
  'conflict 409 1',
  'idempotency_mismatch 409 2',
  'payload_too_large 413 2',
  'unsupported_media_type 415 2',
  'too_many_requests 429 1',
  'upload_limit 409 1',
  'internal 500 1',
  'invalid_plan 422 2',
  'needs_clarification 409 2',
  'needs_approval 409 2',
  'plan_not_runnable 409 1',
  'budget_exceeded 409 5',
  'canceled 409 4',
  'task_timeout 409 1',
  'missing_output 409 1',
  'undeclared_output 409 1',
  'deadlock_or_unsatisfied_dependencies 409 1',
  'dataset_missing 422 2',
  'dataset_empty 422 2',
  'dataset_no_rows 422 2',
  'dataset_format 422 2',
  'dataset_encoding 422 2',
  'dataset_ragged 422 2',
  'dataset_changed 409 1',
  'column_missing 422 2',
  'target_unsuitable 422 2',
  'repository_missing 422 2',
  'repository_no_code 422 2',
  'repository_unsupported 422 2',
  'repository_unreadable 422 2',
  'repository_unreachable 409 1',
  'repository_auth 409 3',
  'repository_too_large 422 2',
  'repository_content_missing 409 1',
  'repository_changed 409 1',
  'repository_holds_labels 409 1',
  'adapter_not_recognised 409 1',
  'adapter_refused 409 1',
  'adapter_changed 409 1',
  'adapter_failed 409 1',
  'dependencies_required 409 1',
  'output_missing 409 1',
  'output_unsafe 409 1',
  'output_too_large 409 1',
  'output_stale 409 1',
  'output_malformed 409 1',
  'predictions_incomplete 409 1',
  'predictions_duplicated 409 1',
  'predictions_out_of_range 409 1',
  'predictions_not_finite 409 1',
  'predictions_other_dataset 409 1',
  'labels_unknown 409 1',
  'metrics_forged 409 1',
  'metric_undefined 409 1',
  'protocol_mismatch 409 1',
  'not_comparable 409 1',
  'probe_failed 409 1',
  'report_invalid 409 1',
  'verification_failed 409 1',
  'secret_missing 422 3',
  'secret_refused 422 2',
  'sandbox_unavailable 503 3',
  'sandbox_setup_failed 503 3',
  'sandbox_refused 422 2',
  'interpreter_missing 503 3',
  'dependency_install_failed 409 1',
  'installer_missing 503 3',
  'command_failed 409 1',
  'out_of_memory 409 1',
  'output_limit 409 1',
  'session_lost 409 1',
  'home_locked 409 3',
  'home_newer 409 3',
  'home_read_only 503 3',
  'disk_full 507 1',
  'journal_damaged 500 1',
  'journal_read_only 503 1',
  'record_newer 409 3',
  'record_invalid 500 1',
  'port_in_use 503 3',
  'daemon_unreachable 503 3',
  'daemon_start_failed 503 3',
  'not_configured 409 3',
  'config_invalid 400 3',
];

function spelled(command: Command, path: string): string[] {
  const args = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  const options = command.options.map((option) => option.long ?? '').sort();
  const own = [path, ...args, ...options].join(' ');
  return [own, ...command.commands.flatMap((child) => spelled(child, `${path} ${child.name()}`))];
}

describe('the command line', () => {
  it('has the documented commands, arguments and options', () => {
    verifies('cli.commands-pinned');
    const program = buildProgram(new Session(testIo(), []));
    const [root, ...all] = spelled(program, 'assay');
    expect(root).toBe('assay --version');
    expect(all.sort()).toEqual(COMMANDS);
  });

  it('teaches with examples in the help of every command, on stdout, with exit code 0', async () => {
    verifies('cli.help-teaches');
    for (const words of COMMANDS.map((line) =>
      line
        .split(/ (?=--|<|\[)/)[0]!
        .split(' ')
        .slice(1),
    )) {
      const io = testIo();
      expect(await main([...words, '--help'], io), words.join(' ')).toBe(0);
      expect(io.out()).toMatch(/^Usage: assay/);
      if (words.join(' ') !== 'plan') expect(io.out()).toContain('Examples:\n  ');
      expect(io.err()).toBe('');
    }
    const io = testIo();
    await main(['--help'], io);
    expect(io.out()).toContain('Exit codes: 0 ok, 1 failed work, 2 usage, 3 not configured, 4 canceled, 5 budget');
  });

  it('prints help as a command too, also as JSON, and refuses what is no command', async () => {
    verifies('cli.help-teaches', 'cli.json-one-line');
    const printed = async (...argv: string[]) => {
      const io = testIo();
      return { exit: await main(argv, io), out: io.out(), err: io.err() };
    };
    expect((await printed('help')).out).toBe((await printed('--help')).out);
    const retry = await printed('help', 'plan', 'retry');
    expect([retry.exit, retry.out.split('\n')[0]]).toEqual([0, 'Usage: assay plan retry [options] <plan> <task>']);
    const json = await printed('help', 'benchmark', '--json');
    expect((JSON.parse(json.out) as { help: string }).help).toMatch(/^Usage: assay benchmark \[options\]\n/);
    expect(await printed('help', 'plan', 'fly')).toEqual({
      exit: 2,
      out: '',
      err: '✗ unknown command \'plan fly\'\n  do:  see "assay help"\n',
    });
  });

  it('answers every wrong command line with one line of JSON when it is asked to', async () => {
    verifies('cli.json-one-line');
    for (const argv of [
      ['--json'],
      ['--json', 'fly'],
      ['fly', '--json'],
      ['plan', '--json'],
      ['help', 'fly', '--json'],
    ]) {
      const io = testIo();
      expect(await main(argv, io), argv.join(' ')).toBe(2);
      expect(io.out(), argv.join(' ')).toMatch(/^\{"error":\{"code":"invalid_request".*\}\n$/);
    }
  });

  it('says what is wrong with a command line, what may be meant, and where help is', async () => {
    verifies('cli.three-lines', 'cli.exit-codes');
    const said = async (...argv: string[]) => {
      const io = testIo();
      expect(await main(argv, io)).toBe(2);
      expect(io.out()).toBe('');
      return io.err();
    };
    expect(await said('bench', '--repo', 'x')).toBe('✗ unknown command \'bench\'\n  do:  see "assay --help"\n');
    expect(await said('statsu')).toBe(
      '✗ unknown command \'statsu\'\n  why: did you mean status?\n  do:  see "assay --help"\n',
    );
    expect(await said('benchmark', '--repo', 'x')).toBe(
      '✗ required option \'--data <file>\' not specified\n  do:  see "assay benchmark --help"\n',
    );
    expect(await said('plan', 'retry', 'plan_1')).toBe(
      '✗ missing required argument \'task\'\n  do:  see "assay plan retry --help"\n',
    );
    expect(await said('plan', 'reassign', 'p', 't', 'nobody')).toContain("command-argument value 'nobody' is invalid");
    expect(await said('benchmark', '--repo', 'x', '--data', 'y', '--task', 'ranking')).toContain('Allowed choices are');
  });

  it('with --json answers a failure on stdout as one line, and says it on stderr too', async () => {
    verifies('cli.json-one-line');
    const io = testIo();
    expect(await main(['events', '--json'], io)).toBe(2);
    expect(io.out().split('\n')).toHaveLength(2);
    expect(JSON.parse(io.out())).toEqual({
      error: {
        code: 'invalid_request',
        message: "missing required argument 'quest'",
        hint: 'see "assay events --help"',
        details: {},
      },
    });
    expect(io.err()).toContain("✗ missing required argument 'quest'");
  });

  it('takes --json of npm for the demo, and answers with the whole object when it cannot start', async () => {
    verifies('cli.json-one-line');
    const io = testIo({ env: { npm_config_json: 'true' } });
    expect(await main(['demo'], io)).toBe(3);
    expect(io.out().split('\n')).toHaveLength(2);
    expect(JSON.parse(io.out())).toEqual({
      planId: null,
      questId: null,
      status: 'failed',
      metrics: {},
      intervals: {},
      probes: {},
      verified: { ok: 0, total: 0 },
      report: null,
      seconds: expect.any(Number) as number,
      error: {
        code: 'not_configured',
        message: 'the examples of the demo are missing',
        why: 'ASSAY_ROOT is not set',
        hint: 'run "npm run demo" in a clone of Assay, or "assay benchmark" on data of your own',
        details: {},
      },
    });
    const other = testIo({ env: { npm_config_json: 'true', ASSAY_HOME: '/nowhere' } });
    await main(['status'], other);
    expect(other.out()).toBe('no daemon runs on /nowhere\nstart it with "assay up"\n');
  });

  it('says that no daemon runs with exit code 3, and stops none with 0', async () => {
    verifies('cli.exit-codes');
    await using home = await temporaryFolder();
    const status = testIo({ env: { ASSAY_HOME: home.path } });
    expect(await main(['status', '--json'], status)).toBe(3);
    expect(JSON.parse(status.out())).toEqual({ running: false, home: home.path });
    const down = testIo({ env: { ASSAY_HOME: home.path } });
    expect(await main(['down'], down)).toBe(0);
    expect(down.out()).toBe(`no daemon runs on ${home.path}\n`);
  });

  it('uses no colour unless it speaks to a terminal that wants it', () => {
    verifies('cli.no-color');
    const coloured = (env: Record<string, string>, tty: boolean) =>
      new Session(testIo({ env, tty }), []).colours('stderr').red('x') !== 'x';
    expect(coloured({}, true)).toBe(true);
    expect(coloured({}, false)).toBe(false);
    expect(coloured({ NO_COLOR: '1' }, true)).toBe(false);
    expect(coloured({ NO_COLOR: '' }, true)).toBe(true);
    expect(coloured({ FORCE_COLOR: '1', NO_COLOR: '1' }, false)).toBe(true);
    expect(coloured({ FORCE_COLOR: '0' }, false)).toBe(false);
    expect(coloured({ TERM: 'dumb' }, true)).toBe(false);
  });
});

describe('exit codes', () => {
  it('are the documented ones', () => {
    verifies('cli.exit-codes');
    expect(exitCodes).toEqual({ ok: 0, failedWork: 1, usage: 2, notConfigured: 3, canceled: 4, budget: 5 });
    expect(planExitCode('completed', null)).toBe(0);
    expect(planExitCode('failed', null)).toBe(1);
    expect(planExitCode('failed', { code: 'metrics_forged' })).toBe(1);
    expect(planExitCode('failed', { code: 'column_missing' })).toBe(2);
    expect(planExitCode('failed', { code: 'sandbox_unavailable' })).toBe(3);
    expect(planExitCode('canceled', { code: 'canceled' })).toBe(4);
    expect(planExitCode('canceled', { code: 'budget_exceeded' })).toBe(5);
  });

  it('of every error code are pinned', () => {
    verifies('cli.error-codes-pinned');
    const lines = Object.entries(errorCodes).map(([code, { http, exit }]) => `${code} ${http} ${exit}`);
    expect(lines).toEqual(ERROR_CODES);
  });
});

describe('options', () => {
  it('make paths absolute, expand ~, and leave addresses alone', () => {
    const io = { cwd: '/work', env: { HOME: '/home/ada' } };
    expect(planInputs({ repo: 'model', data: '~/rows.csv', target: 'y', input: ['a', 'b'], limit: 5 }, io)).toEqual({
      repository: '/work/model',
      data: '/home/ada/rows.csv',
      target: 'y',
      input: ['a', 'b'],
      limit: 5,
    });
    expect(planInputs({ repo: 'https://host/x.git', data: '/d.csv', ref: 'v1', task: 'regression' }, io)).toEqual({
      repository: 'https://host/x.git',
      data: '/d.csv',
      ref: 'v1',
      task: 'regression',
    });
    expect(planInputs({ repo: 'git@host:x.git', data: 'd.csv' }, io).repository).toBe('git@host:x.git');
  });

  it('are checked where they are read', () => {
    expect(nameList('a, b,c')).toEqual(['a', 'b', 'c']);
    expect(nameList('c', ['a'])).toEqual(['a', 'c']);
    expect(nameList('size\\, cm,b')).toEqual(['size, cm', 'b']);
    expect(() => nameList('a,,b')).toThrow();
    expect(wholeNumber('0')).toBe(0);
    for (const wrong of ['', '-1', '1.5', '1e3', 'x', '9'.repeat(20)]) expect(() => wholeNumber(wrong)).toThrow();
    expect(() => positiveNumber('0')).toThrow();
  });
});
