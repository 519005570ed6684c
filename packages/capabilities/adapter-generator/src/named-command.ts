import { AssayError } from '@assay/foundation';
import type { Candidate, FileFormat, ProgramSource, Way } from './candidate.ts';
import { asInput, inputsOf, textColumn } from './column-matching.ts';
import type { CodeIndex } from './code-index.ts';
import { programsOf } from './commands.ts';
import type { JudgeContext } from './judge-entry-point.ts';
import { workingFolder } from './repository-files.ts';
import type { ModuleFacts, ScanResult } from './scan-result.ts';

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
  const { source, module, argv } = programOf(words, scan, context.index);
  const input = /\{input(?:\.(\w+))?\}/.exec(argv.join(' '));
  const output = /\{output(?:\.(\w+))?\}/.exec(argv.join(' '));
  const plain = argv.map((word) => word.replaceAll(/\{(input|output)\.\w+\}/g, '{$1}'));
  const isSingle = argv.some((word) => /\{(text|col:[^{}]+)\}/.test(word));
  const feed = isSingle ? 'argument' : input === null ? 'stdin' : 'file';
  const columns = inputsOf(context.dataset);
  const text = textColumn(columns);
  const said = suffixes[input?.[1] ?? ''];
  const tried = said === undefined ? formats : said === 'json' ? (['json', 'texts'] as const) : [said];
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
  const [first] = ways;
  if (first === undefined) throw refused(wanted, 'the data has no column of texts to hand over');
  const { modules, thirdParty } = context.index.reach(module);
  return {
    kind: 'command',
    entrypoint: wanted,
    module: source.name,
    owner: null,
    attribute: '',
    file: module.path,
    line: 1,
    importRoot: module.importRoot,
    cwd: workingFolder(
      modules.flatMap(({ relativeFiles }) => relativeFiles),
      module.importRoot,
    ),
    object: source,
    input: 'command',
    columns: first.columns,
    call: first.call,
    ways,
    modelFirst: false,
    loader: null,
    needsTraining: false,
    training: null,
    probabilities: null,
    thirdPartyImports: thirdParty,
    confidence: 1,
    evidence: ['the command line was given with --entry'],
    notes: ways.length > 1 ? ['the preflight found out how rows are handed over'] : [],
  };
}

function programOf(
  words: readonly string[],
  scan: ScanResult,
  index: CodeIndex,
): { source: ProgramSource; module: ModuleFacts; argv: readonly string[] } {
  const [program = '', ...rest] = words;
  const base = { attribute: '', passArgv: false } as const;
  if (!/^python(3(\.\d+)?)?$/.test(program)) {
    const known = programsOf(scan, index).find(
      ({ source }) => source.from === 'function' && source.program === program,
    );
    if (known === undefined) throw refused(program, 'the repository installs no program of this name');
    return { source: known.source, module: known.module, argv: rest };
  }
  if (rest[0] === '-m') {
    const name = rest[1] ?? '';
    const module = index.moduleNamed(`${name}.__main__`) ?? index.moduleNamed(name);
    if (module === undefined) throw refused(words.join(' '), `the repository has no module ${name}`);
    return { source: { from: 'program', name, program: name, ...base }, module, argv: rest.slice(2) };
  }
  const path = (rest[0] ?? '').replace(/^\.\//, '');
  const module = index.modules.find((found) => found.path === path);
  if (module === undefined) throw refused(words.join(' '), `the repository has no file ${path}`);
  return { source: { from: 'path', name: path, program: path, ...base }, module, argv: rest.slice(1) };
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
