import { resolve } from 'node:path';
import type { PlanInputs } from '@assay/contracts';
import { Option } from 'commander';
import { examples, jsonOption, type AddCommand } from '../command-spec.ts';
import { connect } from '../daemon/connect.ts';
import { nameList, positiveNumber } from '../option-values.ts';
import { readingInputs, readingOptionsOf, type ReadingFlags } from './reading-options.ts';
import { runBenchmark } from '../plan/run-benchmark.ts';
import type { Io } from '../io.ts';

interface Options extends ReadingFlags {
  readonly repo: string;
  readonly data: string;
  readonly target?: string;
  readonly input?: string[];
  readonly task?: 'classification' | 'regression';
  readonly limit?: number;
  readonly ref?: string;
  readonly entry?: string;
  readonly group?: string;
  readonly time?: string;
}

export const benchmarkCommand: AddCommand = (program, session) => {
  const command = jsonOption(program.command('benchmark'))
    .description('measure a repository on your data: hidden labels, no network, every number recomputed')
    .requiredOption('--repo <folder>', 'a folder with code, or a git repository on this machine')
    .requiredOption('--data <file>', 'a CSV, TSV, JSON or JSONL file; it may be packed (.gz, .zip, .bz2, .xz, .zst)')
    .option('--target <column>', 'the column to predict; recognised when it is left out')
    .option(
      '--input <columns>',
      'columns that the model may see, with commas between them; all others when left out',
      nameList,
    )
    .addOption(new Option('--task <kind>', 'what kind of prediction').choices(['classification', 'regression']))
    .option('--limit <n>', 'predict at most this many rows', positiveNumber)
    .option('--ref <ref>', 'branch, tag or commit of a git repository')
    .option('--entry <name>', 'what to call, as module:function or module:Class.method; recognised when left out')
    .option('--group <column>', 'rows with the same value here never stand on both sides of a split')
    .option('--time <column>', 'training rows come before the others in the order of this column');
  readingOptionsOf(command)
    .addHelpText(
      'after',
      examples([
        'assay benchmark --repo ./classifier --data ./penguins.csv --target species',
        'assay benchmark --repo ./model --ref v1.2 --data rows.jsonl --target price --task regression',
        'assay benchmark --repo ./model --data rows.csv --target y --input a,b,c --limit 500 --json',
        'assay benchmark --repo ./model --data visits.csv.gz --target outcome --group patient_id',
        "assay benchmark --repo ./model --data old.csv --target y --encoding windows-1252 --delimiter ';' --decimal ,",
      ]),
    )
    .action((options: Options) =>
      runBenchmark(session, async () => ({
        inputs: planInputs(options, session.io),
        client: await connect(session),
      })),
    );
};

/** What was said on the command line, with paths made absolute: the daemon runs in another folder. */
export function planInputs(options: Options, { cwd, env }: Pick<Io, 'cwd' | 'env'>): PlanInputs {
  const { repo, data, target, input, task, limit, ref, entry, group, time } = options;
  return {
    repository: isRemote(repo) ? repo : absolute(repo, cwd, env),
    data: absolute(data, cwd, env),
    ...(target === undefined ? {} : { target }),
    ...(input === undefined ? {} : { input }),
    ...(task === undefined ? {} : { task }),
    ...(limit === undefined ? {} : { limit }),
    ...(ref === undefined ? {} : { ref }),
    ...(entry === undefined ? {} : { entrypoint: entry }),
    ...(group === undefined ? {} : { group }),
    ...(time === undefined ? {} : { time }),
    ...readingInputs(options),
  };
}

/** A URL or scp-like address stays as it is: the engine says what it can do with it. */
function isRemote(repo: string): boolean {
  return /^[a-z][a-z+.-]*:\/\//i.test(repo) || /^[\w.-]+@[\w.-]+:/.test(repo);
}

/** Shells do not expand `~` in `--data=~/rows.csv`. */
function absolute(path: string, cwd: string, env: Io['env']): string {
  const home = env['HOME'];
  return resolve(cwd, home !== undefined && /^~(\/|$)/.test(path) ? `${home}${path.slice(1)}` : path);
}
