import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { clarificationSchema } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import { temporaryFolder } from '@assay/testkit';
import {
  answerFacts,
  chooseCandidate,
  parseLabelMap,
  parseScan,
  recogniseEntryPoints,
  settleLabels,
  whyDoubtful,
  writeAdapter,
  type AnswerFacts,
  type Candidate,
  type LabelMapping,
} from '../../src/index.ts';
import { runPython, scanFolder, type Ended } from './python.ts';
import type { Row, Table } from './tables.ts';

/** How a repository ended: with predictions, with a question, or refused. */
export interface Judged {
  readonly entrypoint: string | null;
  /** What was wrong, in the words of the error or of the adapter. */
  readonly refused?: string;
  readonly question?: readonly string[];
  readonly mapping?: string;
  readonly predictions?: readonly unknown[];
}

export interface JudgeOptions {
  readonly entry?: string;
  readonly map?: string;
  /** The labels of the data; those of the training rows when left out. */
  readonly labels?: readonly string[];
}

/** Scan, choice, preflight with checks, mapping, final run: what a plan does, without a sandbox. */
export async function judgeRepository(
  files: Readonly<Record<string, string>>,
  table: Table,
  options: JudgeOptions = {},
): Promise<Judged> {
  await using folder = await temporaryFolder('assay-corpus');
  const root = join(folder.path, 'repository');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const shape = { ...table.shape, labels: labelsOf(table, options) };
  const recognition = recogniseEntryPoints(parseScan(await scanFolder(root)), {
    manifest: shape,
    wanted: options.entry,
  });
  let candidate: Candidate;
  try {
    candidate = chooseCandidate(recognition, options.entry === undefined ? {} : { wanted: options.entry });
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    const question = clarificationSchema.safeParse(error.details['clarification']).data;
    if (question !== undefined) return { entrypoint: null, question: question.options.map(({ value }) => value) };
    return { entrypoint: null, refused: `${error.message}: ${error.why ?? ''}` };
  }
  const { entrypoint } = candidate;
  const given = options.map === undefined ? undefined : parseLabelMap(options.map);
  const run = (one: Candidate, labels: LabelMapping | undefined) =>
    runIn(folder.path, { root, candidate: one, labels, table: { ...table, shape } });
  const first = await run(candidate, given);
  if (first.facts === undefined) return { entrypoint, refused: lastLine(first.ended.stderr) };
  const doubt = whyDoubtful(first.facts, shape);
  if (doubt !== undefined) return { entrypoint, refused: doubt };
  const settled =
    given === undefined
      ? settleLabels(first.facts, { dataset: shape, candidate, sources: recognition.labelSources })
      : undefined;
  if (settled?.is === 'open') return { entrypoint, question: settled.options.map(({ text }) => text) };
  const way = candidate.ways[first.facts.way]!;
  const mapping = settled?.is === 'mapped' ? settled.mapping : given;
  const final = await run({ ...candidate, ways: [way] }, mapping);
  return {
    entrypoint,
    ...(settled?.is === 'mapped' ? { mapping: settled.evidence } : {}),
    predictions: final.predictions,
  };
}

function labelsOf(table: Table, { labels }: JudgeOptions) {
  const { targetColumn, suggestedTask } = table.shape;
  if (suggestedTask === 'regression' || targetColumn === null) return undefined;
  const found = labels ?? [...new Set(table.train.map((row) => String(row[targetColumn])))].sort();
  return found.map((label) => ({ label, count: 1 }));
}

async function runIn(
  folder: string,
  given: {
    readonly root: string;
    readonly candidate: Candidate;
    readonly labels: LabelMapping | undefined;
    readonly table: Table;
  },
): Promise<{
  readonly ended: Ended;
  readonly facts: AnswerFacts | undefined;
  readonly predictions: readonly unknown[];
}> {
  const { root, candidate, labels, table } = given;
  const benchmark = join(root, '.scholar', 'benchmark');
  await mkdir(benchmark, { recursive: true });
  const { code } = writeAdapter(candidate, { manifest: table.shape, seed: 17, labels });
  await writeFile(join(benchmark, 'adapter.py'), code);
  const [data, train, output] = [join(folder, 'data.jsonl'), join(folder, 'train.jsonl'), join(benchmark, 'output')];
  await writeFile(data, lines(table.test, 0));
  await writeFile(train, lines(table.train, table.test.length));
  const where = ['--dataset', data, '--output-dir', output, '--limit', String(table.test.length), '--repo-root', root];
  const ended = await runPython(
    [join(benchmark, 'adapter.py'), ...where, '--checks', ...(candidate.needsTraining ? ['--train', train] : [])],
    root,
  );
  if (ended.exitCode !== 0) return { ended, facts: undefined, predictions: [] };
  const facts = answerFacts.parse(JSON.parse(await readFile(join(output, 'checks.json'), 'utf8')));
  const written = await readFile(join(output, 'predictions.jsonl'), 'utf8');
  const predictions = written
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { prediction: unknown }).prediction);
  return { ended, facts, predictions };
}

function lines(rows: readonly Row[], from: number): string {
  return rows.map((row, at) => `${JSON.stringify({ row_index: from + at, ...row })}\n`).join('');
}

function lastLine(text: string): string {
  return (
    text
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('adapter:'))
      .at(-1) ?? text.trim().slice(-300)
  );
}
