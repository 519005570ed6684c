import type { Requirement } from '../requirements.ts';

const source = 'spec: command line';

export const cliRequirements = {
  'cli.names-entry-point': {
    says: 'The end of a benchmark names the entry point that was called, the others that were recognised, and how task and data were read.',
    source: 'spec: plans, benchmark harness',
  },
  'cli.one-is-a-benchmark': {
    says: 'One repository is measured and its result printed, whichever rows are asked for; several are compared.',
    source,
  },
  'cli.commands-pinned': { says: 'Commands, arguments and options are the documented ones.', source },
  'cli.help-teaches': { says: 'The help of every command teaches with examples.', source },
  'cli.exit-codes': {
    says: 'Exit codes are 0 ok, 1 failed work, 2 usage, 3 not configured, 4 canceled, 5 budget.',
    source,
  },
  'cli.error-codes-pinned': { says: 'Error codes with their HTTP status and exit code never change.', source },
  'cli.json-one-line': {
    says: 'With --json exactly one line of JSON goes to stdout, also on failure, and everything else to stderr.',
    source,
  },
  'cli.three-lines': { says: 'A failure is one line what, one line why, one line what to do, on stderr.', source },
  'cli.escape-safe': {
    says: 'Text from data, repositories and the daemon cannot move the cursor, colour, reorder, hide or break a line.',
    source,
  },
  'cli.wide-characters': { says: 'Tables align in every script: wide characters take two cells.', source },
  'cli.no-color': { says: 'Colours only on a terminal, and never with NO_COLOR.', source },
  'cli.task-table': {
    says: 'A running plan is shown as a table of tasks with icon, word, seconds and attempt; the important lines stay when the terminal is low.',
    source,
  },
  'cli.interrupted-plan': {
    says: 'A plan that a stop of the daemon interrupted is shown as such, with what will be taken over and the command that goes on.',
    source,
  },
  'cli.benchmark-result': {
    says: 'A benchmark ends with metric, value, interval and verified, the probes, the report and the next command; an unconfirmed number is never shown as verified.',
    source,
  },
  'cli.clarification': {
    says: 'An open question is asked at a terminal; elsewhere the command ends with exit 2, the options and the command that answers, and the plan stays.',
    source,
  },
  'cli.plan-stopped': {
    says: 'A command that watches a plan which the daemon had to stop ends at once with what, why and what to do.',
    source: 'spec: formats, damage',
  },
  'cli.interrupted-goes-on': {
    says: 'A plan that is watched goes on after an interruption with the reason told, unless somebody has ended it.',
    source: 'spec: command line',
  },
  'cli.plan-status': {
    says: 'The result of a benchmark carries the status that its plan has, also when the plan waits for an answer or for approval.',
    source,
  },
  'cli.daemon-log': {
    says: 'The daemon logs to at most three files of 8 MB, requests only when it is told to, and no log that fails stops it.',
    source: 'spec: formats, logs',
  },
  'cli.interrupt': {
    says: 'The first Ctrl-C cancels the plan that is watched (exit 4), the second leaves at once.',
    source,
  },
  'cli.starts-daemon': {
    says: 'A command starts the daemon of its home when none runs; several at once end up with one; a start that fails tells the reason.',
    source: 'field case C2',
  },
  'cli.token-safe': {
    says: 'The token is sent only to an address that has proved to be the daemon of this home.',
    source: 'field case E10',
  },
  'cli.up-opens-page': {
    says: 'assay up prints a link of the page that works once, and opens it where there is a screen.',
    source: 'spec: surfaces, the page',
  },
} as const satisfies Record<string, Requirement>;
