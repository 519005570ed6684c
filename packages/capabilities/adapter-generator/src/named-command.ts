import { AssayError } from '@assay/foundation';
import type { Candidate, FileFormat, Way } from './candidate.ts';
import { asInput, inputsOf, textColumn } from './column-matching.ts';
import { commandCandidate } from './command-candidate.ts';
import type { JudgeContext } from './judge-entry-point.ts';
import { readProgram } from './programs.ts';
import type { ScanResult } from './scan-result.ts';

const formats: readonly FileFormat[] = ['lines', 'csv', 'jsonl', 'json', 'texts', 'tsv'];
const suffixes: Readonly<Record<string, FileFormat>> = {
  txt: 'lines',
  csv: 'csv',
  tsv: 'tsv',
  jsonl: 'jsonl',
  json: 'json',
};

/**
 * The command line that a person wrote with --entry: `cli:python -m pkg predict {input.csv} --out {output.json}`.
 * Placeholders: `{input}` and `{output}` with or without a file extension, `{text}`, `{col:NAME}`; rows go to standard
 * input when none stands for them. Undefined for other entry points; throws `adapter_not_recognised` for a command
 * whose program is not in the repository, or one without words.
 */
export function namedCommand(wanted: string, scan: ScanResult, context: JudgeContext): Candidate | undefined {
  if (!wanted.startsWith('cli:')) return undefined;
  const words = splitWords(wanted.slice('cli:'.length));
  const found = readProgram(words, scan, context.index);
  if ('reason' in found) throw refused(found.what, found.reason);
  const { program, rest: argv } = found;
  const input = /\{input(?:\.(\w+))?\}/.exec(argv.join(' '));
  const output = /\{output(?:\.(\w+))?\}/.exec(argv.join(' '));
  const plain = argv.map((word) => word.replaceAll(/\{(input|output)\.\w+\}/g, '{$1}'));
  const isSingle = argv.some((word) => /\{(text|col:[^{}]+)\}/.test(word));
  const feed = isSingle ? 'argument' : input === null ? 'stdin' : 'file';
  const columns = inputsOf(context.dataset);
  const text = textColumn(columns);
  const suffix = suffixes[input?.[1] ?? ''];
  const tried = suffix === undefined ? formats : suffix === 'json' ? (['json', 'texts'] as const) : [suffix];
  const ways = (isSingle ? (['jsonl'] as const) : tried)
    .filter((format) => text !== undefined || (format !== 'lines' && format !== 'texts'))
    .map((format): Way => ({
      name: isSingle
        ? 'one row as words of the command line'
        : `all rows as ${format}, ${feed === 'stdin' ? 'on standard input' : 'in a file'}`,
      input: 'command',
      call: isSingle ? 'single' : 'batch',
      columns:
        text !== undefined && (format === 'lines' || format === 'texts' || argv.some((word) => word.includes('{text}')))
          ? [asInput(text)]
          : columns.map((column) => asInput(column)),
      command: {
        argv: plain,
        feed,
        format,
        take: output === null ? 'stdout' : 'file',
        outputSuffix: `.${output?.[1] ?? 'txt'}`,
      },
    }));
  const [first, ...others] = ways;
  if (first === undefined) throw refused(wanted, 'the data has no column of texts to hand over');
  const said = {
    entrypoint: wanted,
    attribute: '',
    line: 1,
    confidence: 1,
    evidence: ['the command line was given with --entry'],
    notes: ways.length > 1 ? ['the preflight found out how rows are handed over'] : [],
  };
  return commandCandidate(program, [first, ...others], { index: context.index, said });
}

/** Words as a shell would split them, with quotes; nothing is expanded. */
function splitWords(text: string): string[] {
  const words = text.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

function refused(what: string, why: string): AssayError {
  return new AssayError('adapter_not_recognised', `${what} cannot be used as the entry point`, {
    why,
    hint: 'write it as "cli:python -m package command {input.csv} {output.csv}", "cli:python script.py {text}" or with the name of an installed program',
  });
}
