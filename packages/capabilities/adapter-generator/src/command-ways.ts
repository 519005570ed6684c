import type { CommandCall, DatasetShape, FileFormat, Way } from './candidate.ts';
import { asInput, inputsOf, textColumn } from './column-matching.ts';
import type { OptionRole } from './command-options.ts';
import type { CommandFacts, CommandOption } from './scan-result.ts';

/** An option that is given, and what for. */
export interface Slot {
  readonly option: CommandOption;
  readonly role: OptionRole;
  readonly why: string;
}

interface Command {
  readonly slots: readonly Slot[];
  readonly command: CommandFacts;
  readonly marks: readonly string[];
  readonly dataset: DatasetShape;
}

const MOST_WAYS = 12;

/** The ways to hand rows to a command and to take its answers, the likeliest first. */
export function commandWays(given: Command): Way[] {
  const { slots, command } = given;
  const has = (role: OptionRole['is']) => slots.some((slot) => slot.role.is === role);
  const ways: Way[] = [];
  if (has('column')) ways.push(...singles(given, ['column']));
  if (has('text')) ways.push(...singles(given, ['text']));
  if (has('input')) ways.push(...files(given));
  if (given.marks.includes('stdin') || isDash(given)) ways.push(...streams(given));
  if (command.kind === 'argv' && ways.length === 0) ways.push(...plainArguments(given));
  return ways.slice(0, MOST_WAYS);
}

/** One call per row, with the row in words of the command line. */
function singles(given: Command, roles: readonly OptionRole['is'][]): Way[] {
  const all = inputsOf(given.dataset).map((column) => asInput(column));
  const text = textColumn(inputsOf(given.dataset));
  const usesText = roles.includes('text');
  if (usesText && text === undefined) return [];
  const argv = argvOf(
    given,
    (role) => roles.includes(role.is) || role.is === 'text' || role.is === 'column' || role.is === 'word',
  );
  return [
    way(`one row as ${usesText ? 'a text' : 'options'} on the command line`, 'single', {
      columns: usesText && text !== undefined ? [asInput(text)] : all,
      command: { argv, feed: 'argument', format: 'jsonl', take: 'stdout', outputSuffix: '.txt' },
    }),
  ];
}

/** A file with all rows; the answers from the output file when there is one, else from what is printed. */
function files(given: Command): Way[] {
  const output = given.slots.find(({ role }) => role.is === 'output');
  const argv = argvOf(given, (role) => role.is !== 'text' && role.is !== 'column');
  const take = output === undefined ? 'stdout' : 'file';
  return formatsOf(given).map((format) =>
    way(`all rows as a ${format} file`, 'batch', {
      columns: columnsOf(given, format),
      command: {
        argv,
        feed: 'file',
        format,
        take,
        outputSuffix: output === undefined ? '.txt' : outputSuffix(given, output),
      },
    }),
  );
}

function streams(given: Command): Way[] {
  const argv = argvOf(given, (role) => role.is === 'word');
  return formatsOf(given).map((format) =>
    way(`all rows as ${format} on standard input`, 'batch', {
      columns: columnsOf(given, format),
      command: { argv, feed: 'stdin', format, take: 'stdout', outputSuffix: '.txt' },
    }),
  );
}

/** `sys.argv[1]` without any word about it: a file, two files, or a text. */
function plainArguments(given: Command): Way[] {
  const text = textColumn(inputsOf(given.dataset));
  const two = given.marks.includes('argv2');
  const reads = given.marks.some((mark) => mark === 'opens' || mark === 'pandas');
  const one: Way[] =
    text === undefined
      ? []
      : [
          way('one row as a text on the command line', 'single', {
            columns: [asInput(text)],
            command: { argv: ['{text}'], feed: 'argument', format: 'lines', take: 'stdout', outputSuffix: '.txt' },
          }),
        ];
  const batch = formatsOf(given).map((format) =>
    way(`all rows as a ${format} file`, 'batch', {
      columns: columnsOf(given, format),
      command: {
        argv: two ? ['{input}', '{output}'] : ['{input}'],
        feed: 'file',
        format,
        take: two ? 'file' : 'stdout',
        outputSuffix: given.marks.includes('csv') || given.marks.includes('pandas') ? '.csv' : '.txt',
      },
    }),
  );
  return reads ? [...batch, ...one] : [...one, ...batch];
}

function isDash({ slots }: Command): boolean {
  return slots.some(({ option, role }) => role.is === 'input' && !option.required && option.default === '-');
}

/** The words of a command: its name, options with what is put in, arguments in their order. */
function argvOf({ slots, command }: Command, isGiven: (role: OptionRole) => boolean): string[] {
  const given = slots.filter(({ role }) => isGiven(role));
  const options = given
    .filter(({ option }) => option.isOption)
    .flatMap(({ option, role }) => [longest(option), placeholder(role)]);
  const positional = given.filter(({ option }) => !option.isOption).map(({ role }) => placeholder(role));
  return [...(command.name === '' ? [] : [command.name]), ...options, ...positional];
}

function longest({ names }: CommandOption): string {
  return names.find((name) => name.startsWith('--'))?.split('/')[0] ?? names[0] ?? '';
}

function placeholder(role: OptionRole): string {
  if (role.is === 'word') return role.word;
  return role.is === 'column' ? `{col:${role.column}}` : `{${role.is}}`;
}

/** File formats, those first that names, help and imports speak of. */
function formatsOf({ slots, marks, dataset }: Command): FileFormat[] {
  const said = slots
    .filter(({ role }) => role.is === 'input')
    .map(({ option }) => `${option.names.join(' ')} ${option.help} ${option.default ?? ''}`)
    .join(' ')
    .toLowerCase();
  const columns = inputsOf(dataset);
  const text = textColumn(columns);
  const isTextOnly = text !== undefined && columns.length === 1;
  const weight = (format: FileFormat): number => {
    const word = {
      lines: /\b(line|txt|lines)\b|per line|每行/,
      csv: /csv|comma|column/,
      tsv: /tsv|tab-/,
      jsonl: /jsonl|json lines|ndjson/,
      json: /json(?!l)/,
      texts: /json(?!l)/,
    }[format];
    const mark = { lines: '', csv: 'csv', tsv: '', jsonl: 'json', json: 'json', texts: 'json' }[format];
    return (
      (word.test(said) ? 4 : 0) +
      (marks.includes(mark) ? 1 : 0) +
      (format === 'csv' && marks.includes('pandas') ? 2 : 0) +
      (format === 'lines' && isTextOnly ? 1.5 : 0)
    );
  };
  const possible: FileFormat[] =
    text === undefined ? ['csv', 'jsonl', 'json', 'tsv'] : ['lines', 'csv', 'jsonl', 'json', 'texts', 'tsv'];
  return possible.sort((a, b) => weight(b) - weight(a));
}

function columnsOf({ dataset }: Command, format: FileFormat) {
  const columns = inputsOf(dataset);
  const text = textColumn(columns);
  if ((format === 'lines' || format === 'texts') && text !== undefined) return [asInput(text)];
  return columns.map((column) => asInput(column));
}

function outputSuffix({ marks, slots }: Command, { option }: Slot): string {
  const said =
    `${option.help} ${option.default ?? ''} ${option.names.join(' ')} ${slots.map((slot) => slot.option.help).join(' ')}`.toLowerCase();
  if (/jsonl/.test(said)) return '.jsonl';
  if (/csv/.test(said)) return '.csv';
  if (/json/.test(said)) return '.json';
  return marks.includes('csv') || marks.includes('pandas') ? '.csv' : marks.includes('json') ? '.json' : '.txt';
}

function way(
  name: string,
  call: Way['call'],
  rest: { readonly columns: Way['columns']; readonly command: CommandCall },
): Way {
  return { name, input: 'command', call, ...rest };
}
