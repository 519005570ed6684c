import { resolve } from 'node:path';
import type { PlanInputs } from '@assay/contracts';
import { Option } from 'commander';
import { examples, jsonOption, type AddCommand } from '../command-spec.ts';
import { connect } from '../daemon/connect.ts';
import { labelMapOption } from '../label-map-option.ts';
import { nameList, positiveNumber } from '../option-values.ts';
import { readingInputs, readingOptionsOf, type ReadingFlags } from './reading-options.ts';
import { candidatesOf, collected, type CandidateOptions } from '../plan/candidates.ts';
import { runBenchmark, type BenchmarkRequest } from '../plan/run-benchmark.ts';
import { runComparison } from '../plan/run-comparison.ts';
import type { Io } from '../io.ts';
import type { Session } from '../session.ts';

interface Evaluated extends ReadingFlags {
  readonly data: string;
  readonly target?: string;
  readonly input?: string[];
  readonly task?: 'classification' | 'regression';
  readonly limit?: number;
  readonly group?: string;
  readonly time?: string;
  readonly map?: string;
  readonly python?: string;
  /** False with --no-install. */
  readonly install?: boolean;
}

interface Options extends Evaluated {
  readonly repo: string[];
  readonly revision?: string[];
  readonly ref?: string[];
  readonly subfolder?: string[];
  readonly secret?: string;
  readonly entry?: string[];
  readonly rows?: 'held-out' | 'all';
  readonly quest?: string;
}

export const benchmarkCommand: AddCommand = (program, session) => {
  const command = jsonOption(program.command('benchmark'))
    .description(
      'measure a repository on your data, or compare several: hidden labels, no network, every number recomputed',
    )
    .requiredOption(
      '--repo <repository>',
      'a folder, a git repository or its address (https, ssh, file), or pypi:NAME==VERSION; several are compared',
      collected,
    )
    .requiredOption('--data <file>', 'a CSV, TSV, JSON or JSONL file; it may be packed (.gz, .zip, .bz2, .xz, .zst)')
    .option('--target <column>', 'the column to predict; recognised when it is left out')
    .option(
      '--input <columns>',
      'columns that the model may see, with commas between them; all others when left out',
      nameList,
    )
    .addOption(new Option('--task <kind>', 'what kind of prediction').choices(['classification', 'regression']))
    .option('--limit <n>', 'predict at most this many rows', positiveNumber)
    .option(
      '--revision <name>',
      'branch, tag or commit of a git repository; its newest commit when left out; several are compared',
      collected,
    )
    .addOption(new Option('--ref <name>', 'another name of --revision').argParser(collected).conflicts('revision'))
    .option('--subfolder <folder>', 'the folder of the repository that is measured; several are compared', collected)
    .option('--secret <name>', 'the kept password that opens a private https address: see "assay secrets"')
    .option(
      '--entry <name>',
      'what to call: module:function, module:Class.method, file:model.pkl or "cli:python -m pkg {input.csv}"; recognised when left out; several are compared',
      collected,
    )
    .option(
      '--map <mapping>',
      'what the answers mean in the labels of the data: 0=setosa,1=versicolor or threshold=0.5,high=spam,low=ham, or a JSON or CSV file',
    )
    .addOption(
      new Option('--rows <which>', 'rows that are predicted; held-out leaves rows to train on').choices([
        'held-out',
        'all',
      ]),
    )
    .option('--quest <id>', 'a quest that is there: compare with what it measured under the same protocol')
    .option(
      '--python <program>',
      'the interpreter, as a name or path; chosen by what the repository demands when left out',
    )
    .option('--no-install', 'install nothing: a repository that needs packages is refused')
    .option('--group <column>', 'rows with the same value here never stand on both sides of a split')
    .option('--time <column>', 'training rows come before the others in the order of this column');
  readingOptionsOf(command)
    .addHelpText(
      'after',
      examples([
        'assay benchmark --repo ./classifier --data ./penguins.csv --target species',
        'assay benchmark --repo ./model --revision v1.2 --data rows.jsonl --target price --task regression',
        'assay benchmark --repo https://git.example.org/team/model.git --secret team --data rows.csv --target y',
        'assay benchmark --repo pypi:some-package==1.2.0 --data rows.csv --target y',
        'assay benchmark --repo ./model --data rows.csv --target y --input a,b,c --limit 500 --json',
        'assay benchmark --repo ./model --data visits.csv.gz --target outcome --group patient_id',
        "assay benchmark --repo ./model --data old.csv --target y --encoding windows-1252 --delimiter ';' --decimal ,",
        'assay benchmark --repo ./spam --data mail.csv --entry "cli:python -m spam {input.txt}" --map 0=ham,1=spam',
        'assay benchmark --repo ./mine --repo ./theirs --data rows.csv --target y',
        'assay benchmark --repo ./model --ref v1.0 --ref v2.0 --data rows.csv --target y',
      ]),
    )
    .action(async (options: Options) => {
      const candidates = candidatesOf(await withMap(options, session.io.cwd));
      const [first, second] = candidates as [CandidateOptions, ...CandidateOptions[]];
      if (second === undefined && options.quest === undefined)
        return runBenchmark(session, () => oneBenchmark(session, options, first));
      const { rows, quest } = options;
      return runComparison(session, {
        shared: evaluatedInputs(options, session.io),
        candidates: candidates.map((one) => candidateInputs(one, session.io)),
        ...(rows === undefined ? {} : { rows }),
        ...(quest === undefined ? {} : { questId: quest }),
        client: await connect(session),
      });
    });
};

/** One repository is a benchmark. Which rows it predicts, when that is said, is fixed as a protocol first. */
async function oneBenchmark(session: Session, options: Options, one: CandidateOptions): Promise<BenchmarkRequest> {
  const { rows } = options;
  const candidate = candidateInputs(one, session.io);
  const evaluated = evaluatedInputs(options, session.io);
  const client = await connect(session);
  if (rows === undefined) return { client, inputs: { ...candidate, ...evaluated } };
  const { questId, artifactId } = await client.registerProtocol({ body: { inputs: evaluated, rows } });
  return { client, questId, inputs: { ...candidate, protocol: artifactId } };
}

/** `--map` may name a file. */
async function withMap(options: Options, cwd: string): Promise<Options> {
  return options.map === undefined ? options : { ...options, map: await labelMapOption(options.map, cwd) };
}

/** What was said on the command line, with paths made absolute: the daemon runs in another folder. */
export function planInputs(options: Evaluated & CandidateOptions, io: Pick<Io, 'cwd' | 'env'>): PlanInputs {
  return { ...candidateInputs(options, io), ...evaluatedInputs(options, io) };
}

/** What is measured. */
function candidateInputs(candidate: CandidateOptions, { cwd, env }: Pick<Io, 'cwd' | 'env'>): PlanInputs {
  const { repo, subfolder, secret, entry, map } = candidate;
  const ref = candidate.revision ?? candidate.ref;
  return {
    repository: isAddress(repo) ? repo : absolute(repo, cwd, env),
    ...(ref === undefined ? {} : { ref }),
    ...(subfolder === undefined ? {} : { subfolder }),
    ...(secret === undefined ? {} : { secret }),
    ...(entry === undefined ? {} : { entrypoint: entry }),
    ...(map === undefined ? {} : { map }),
  };
}

/** What it is measured on, and how. */
function evaluatedInputs(options: Evaluated, { cwd, env }: Pick<Io, 'cwd' | 'env'>): PlanInputs {
  const { data, target, input, task, limit, group, time, python, install } = options;
  return {
    data: absolute(data, cwd, env),
    ...(target === undefined ? {} : { target }),
    ...(input === undefined ? {} : { input }),
    ...(task === undefined ? {} : { task }),
    ...(limit === undefined ? {} : { limit }),
    ...(python === undefined ? {} : { python: python.includes('/') ? absolute(python, cwd, env) : python }),
    ...(install === false ? { install } : {}),
    ...(group === undefined ? {} : { group }),
    ...(time === undefined ? {} : { time }),
    ...readingInputs(options),
  };
}

/** An address stays as it is: the engine reads it. A path with such a beginning is written `./name`. */
function isAddress(repo: string): boolean {
  return /^[a-z][a-z0-9+.-]+:(\/\/|:)/i.test(repo) || /^pypi:/i.test(repo) || /^[^/\s]+@[^/\s:]+:/.test(repo);
}

/** Shells do not expand `~` in `--data=~/rows.csv`. */
function absolute(path: string, cwd: string, env: Io['env']): string {
  const home = env['HOME'];
  return resolve(cwd, home !== undefined && /^~(\/|$)/.test(path) ? `${home}${path.slice(1)}` : path);
}
