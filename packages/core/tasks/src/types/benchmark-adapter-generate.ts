import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { AssayError } from '@assay/foundation';
import { datasetManifestSchema, type DatasetManifest } from '@assay/contracts';
import {
  chooseCandidate,
  labelMapText,
  parseScan,
  recogniseEntryPoints,
  writeAdapter,
  type Candidate,
  type Recognition,
} from '@assay/adapter-generator';
import { removeTree } from '@assay/files';
import { prepareData, preRegistration, type PreparedData } from '@assay/evaluation';
import { checkAdapterPolicy } from '../adapter-policy.ts';
import { BENCHMARK_SEED } from '../benchmark-run.ts';
import { valueOf, workspaceValue, type AdapterSpecValue, type PreparedDataValue } from '../benchmark-values.ts';
import { columnSample } from '../columns/column-sample.ts';
import { protocolOf, requireProtocol, trainsUnder } from '../follow-protocol.ts';
import { findDataCopies, searchNotes, type DataCopies, type DataCopy } from '../find-data-copies.ts';
import { requireKept } from '../kept-files.ts';
import { givenMapping } from '../label-mapping.ts';
import { runPythonTool } from '../python-tool.ts';
import { sampledRows } from '../sampled-rows.ts';
import { inside } from '../sandbox-specs.ts';
import type { TaskContext, TaskType } from '../task-type.ts';
import { knownTexts } from '../traces/known-texts.ts';

/**
 * Recognises an entry point from parsed source, divides the data, registers how the run will be judged, and writes the
 * adapter. Nothing of the repository is executed here.
 */
export const benchmarkAdapterGenerate: TaskType = {
  type: 'benchmark_adapter_generate',
  codeVersion: 4,
  async run(context) {
    const manifest = valueOf(datasetManifestSchema, await context.input('dataset_manifest'));
    const workspace = valueOf(workspaceValue, await context.input('workspace_path'));
    const root = join(context.paths.root, workspace.path);
    await requireKept(root, 'the copy of the repository that this plan made');
    const labels = givenMapping(context, manifest);
    const search = await findDataCopies(root, {
      datasetSha256: manifest.sha256,
      datasetSize: manifest.size,
      rows: await sampledRows(manifest, context.signal),
      columns: await columnSample(manifest, context.signal),
      texts: await knownTexts(manifest, context.signal),
      signal: context.signal,
      onProgress: (says) => context.log('info', says),
    });
    const { copies } = search;
    for (const copy of copies) context.log('warn', `${copy.path} is hidden from the run: ${copy.reason}`);
    for (const note of searchNotes(search)) context.log('warn', note);
    const recognition = await recognise(context, root, manifest);
    const { entrypoint } = context.plan.inputs;
    const candidate = chooseCandidate(recognition, entrypoint === undefined ? {} : { wanted: entrypoint });
    requireNotHidden(candidate, copies);
    context.log('info', `${candidate.entrypoint}, confidence ${candidate.confidence.toFixed(2)}`);
    const protocol = await protocolOf(context);
    const training = protocol === undefined ? candidate.needsTraining : trainsUnder(protocol, candidate);
    const data = await prepare(context, manifest, { training, handOver: candidate.needsTraining });
    for (const { says } of data.prepared.leakage) context.log('warn', says);
    const registration = preRegistration({ manifest, prepared: data.prepared, seed: BENCHMARK_SEED });
    if (protocol !== undefined) requireProtocol(protocol, registration);
    const adapter = writeAdapter(candidate, { manifest, seed: BENCHMARK_SEED, labels });
    await checkAdapterPolicy(context, 'policy', adapter.code);
    const file = join(context.attemptDir, 'adapter.py');
    await writeFile(file, adapter.code);
    const spec: AdapterSpecValue = {
      entrypoint: candidate.entrypoint,
      strategy: strategyOf(candidate),
      confidence: candidate.confidence,
      needsTraining: candidate.needsTraining,
      adapterSha256: adapter.sha256,
      adapterKey: 'benchmark_adapter_code',
      thirdPartyImports: [...candidate.thirdPartyImports],
      masked: copies.map((copy) => copy.path),
      data: data.value,
      preflightPassed: false,
      privateCopy: false,
      labels: labels === undefined ? null : { map: labelMapText(labels), evidence: GIVEN },
    };
    return {
      outputs: {
        benchmark_adapter_plan: { type: 'json', value: recognition },
        benchmark_adapter_spec: { type: 'json', value: spec },
        benchmark_adapter_report: {
          type: 'json',
          value: report(candidate, recognition, { search, leakage: data.prepared.leakage }),
        },
        benchmark_adapter_code: { type: 'code', file, mediaType: 'text/x-python' },
        preregistration: { type: 'json', value: registration },
      },
      summary: `${candidate.entrypoint} (confidence ${candidate.confidence.toFixed(2)})${candidate.needsTraining ? ', trained on labelled rows' : ''}`,
    };
  },
};

/** In words: what is called and how. */
export function strategyOf({ kind, call, input }: Candidate): string {
  return `${kind}, ${call} call, ${input} input`;
}

/** What stands as evidence of a mapping that a person wrote. */
export const GIVEN = 'given with --map';

async function recognise(context: TaskContext, root: string, manifest: DatasetManifest): Promise<Recognition> {
  const printed = await runPythonTool(context, {
    session: 'scan',
    script: 'scan.py',
    args: [inside.workspace],
    mounts: [{ source: root, target: inside.workspace, mode: 'ro' }],
  });
  return recogniseEntryPoints(parseScan(printed), { manifest, wanted: context.plan.inputs.entrypoint });
}

/** A file that appears empty cannot be the one that predicts. */
function requireNotHidden({ file, entrypoint }: Candidate, copies: readonly DataCopy[]): void {
  const copy = copies.find(({ path }) => path === file || file.startsWith(`${path}/`));
  if (copy === undefined) return;
  throw new AssayError('repository_holds_labels', `${file} holds the data set with its labels`, {
    why: `${copy.reason}, so it is hidden from every run, and ${entrypoint} is defined in it`,
    hint: `remove the rows from ${file}, or name an entry point of another file with --entry`,
    details: { file, entrypoint },
  });
}

/** Writes the prepared files into the attempt's own folder and says where they are. */
async function prepare(
  context: TaskContext,
  manifest: DatasetManifest,
  { training, handOver }: { readonly training: boolean; readonly handOver: boolean },
): Promise<{ prepared: PreparedData; value: PreparedDataValue }> {
  if (training && manifest.targetColumn === null)
    throw new AssayError('target_unsuitable', 'this repository must be trained, and the data has no target', {
      hint: 'name the target column with --target',
    });
  const folder = join(context.attemptDir, 'data');
  await removeTree(folder); // left by a run of this attempt that a restart cut short
  await mkdir(folder, { mode: 0o700 });
  const prepared = await prepareData(manifest, folder, {
    training,
    seed: BENCHMARK_SEED,
    limit: context.plan.inputs.limit,
    signal: context.signal,
  });
  // Rows that a protocol sets aside are not shown to code that needs no training.
  if (!handOver && prepared.train !== undefined) await removeTree(prepared.train.path);
  const fileOf = ({ path, sha256 }: { readonly path: string; readonly sha256: string }) => ({
    file: basename(path),
    sha256,
  });
  const value: PreparedDataValue = {
    folder: relative(context.paths.root, folder),
    dataset: fileOf(prepared.dataset),
    train: handOver && prepared.train !== undefined ? fileOf(prepared.train) : null,
    rows: fileOf(prepared.rowsFile),
    handedOut: prepared.handedOut.length,
  };
  return { prepared, value };
}

function report(
  candidate: Candidate,
  recognition: Recognition,
  { search, leakage }: { readonly search: DataCopies; readonly leakage: PreparedData['leakage'] },
) {
  const { notSearched, notSearchedCount, byHashOnly } = search;
  return {
    chosen: candidate.entrypoint,
    trained: candidate.needsTraining,
    confidence: candidate.confidence,
    evidence: candidate.evidence,
    notes: [...candidate.notes, ...searchNotes(search)],
    columns: candidate.columns,
    strategy: strategyOf(candidate),
    ways: candidate.ways.map(({ name }) => name),
    labelSources: recognition.labelSources.slice(0, 20),
    others: recognition.candidates
      .filter((other) => other !== candidate)
      .map(({ entrypoint, confidence }) => ({ entrypoint, confidence })),
    rejected: recognition.rejected,
    lookedAt: recognition.lookedAt,
    hiddenFiles: search.copies,
    searchLimits: { notSearched, notSearchedCount, byHashOnly },
    leakage,
  };
}
