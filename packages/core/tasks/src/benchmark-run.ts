import { chmod, copyFile, cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError } from '@assay/foundation';
import type { Artifact } from '@assay/contracts';
import { exists, sha256File } from '@assay/files';
import { fingerprintTree } from '@assay/repositories';
import type { AdapterSpecValue, WorkspaceValue } from './benchmark-values.ts';
import { requireKept } from './kept-files.ts';
import { openRuntime, type PreparedRuntimeValue } from './prepared-runtime.ts';
import { benchmarkSpec, inside } from './sandbox-specs.ts';
import { rowNamed } from './row-named.ts';
import { requireSuccess } from './session-failure.ts';
import { treeChanges } from './tree-changes.ts';
import type { FinishedSession } from './task-sessions.ts';
import type { TaskContext } from './task-type.ts';

export const BENCHMARK_SEED = 17;
const MOST_NAMED = 10;

export interface AdapterRun {
  /** Names the session and the output folder: `preflight-1`, `run`. */
  readonly name: string;
  readonly workspace: WorkspaceValue;
  readonly spec: AdapterSpecValue;
  /** The adapter's file on this machine. */
  readonly adapterFile: string;
  readonly datasetManifest: { readonly path: string; readonly sha256: string };
  readonly limit: number;
  /** What it runs in; by default what the task was given. */
  readonly runtime?: PreparedRuntimeValue;
  /** Of the run; by default that of the task. */
  readonly timeoutSeconds?: number;
  /** The adapter also tells of its answers (`checks.json`). */
  readonly checks?: boolean;
}

export interface AdapterOutput {
  readonly session: FinishedSession;
  /** Absolute path of the folder that the adapter wrote to. */
  readonly outputDir: string;
  /** When the run started, in milliseconds: results are not older. */
  readonly startedAt: number;
  /** Files that it wrote into its private copy of the repository; empty when it had none. */
  readonly wrote: readonly string[];
}

/**
 * Runs an adapter behind the trust boundary: the repository read-only, only `.scholar/benchmark/` writable, no label in
 * reach, no network. Repository, data and adapter are hashed before and after; a change fails the run.
 */
export async function runAdapter(context: TaskContext, run: AdapterRun): Promise<AdapterOutput> {
  const benchmarkDir = join(context.attemptDir, run.name);
  const adapter = join(benchmarkDir, 'adapter.py');
  const { startedAt } = await context.once(`prepare-${run.name}`, async () => {
    await requireUnchanged(context, run, run.adapterFile);
    await prepareFolder(benchmarkDir, run.adapterFile);
    if (run.spec.privateCopy) await copyWorkspace(context, run);
    return { startedAt: context.clock.now() };
  });
  const session = await context.session(run.name, () => request(context, run, benchmarkDir));
  const wrote = run.spec.privateCopy ? await dropCopy(context, run) : [];
  await requireUnchanged(context, run, adapter);
  await requireSuccess(session, 'the adapter', {
    code: 'adapter_failed',
    note: hiddenFrom(run.spec),
    explain: (printed) => rowNamed(join(context.paths.root, run.spec.data.folder, run.spec.data.rows.file), printed),
  });
  return { session, outputDir: join(benchmarkDir, 'output'), startedAt, wrote };
}

function copyDir(context: TaskContext, { name }: AdapterRun): string {
  return join(context.attemptDir, `${name}-tree`);
}

/** A copy of the export that the run may write into; the export itself stays as it was fingerprinted. */
async function copyWorkspace(context: TaskContext, run: AdapterRun): Promise<void> {
  const source = join(context.paths.root, run.workspace.path);
  const target = copyDir(context, run);
  await rm(target, { recursive: true, force: true }); // left by a run of this attempt that a restart cut short
  await cp(source, target, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}

/** What was written into the copy; the copy is not kept. */
async function dropCopy(context: TaskContext, run: AdapterRun): Promise<readonly string[]> {
  const copy = copyDir(context, run);
  return context.once(`wrote-${run.name}`, async () => {
    const changed = await treeChanges(join(context.paths.root, run.workspace.path), copy, context.signal);
    await rm(copy, { recursive: true, force: true });
    return changed;
  });
}

/** The likeliest reason of a failure when files of the repository appear empty. */
function hiddenFrom({ masked }: AdapterSpecValue): string | undefined {
  if (masked.length === 0) return undefined;
  const more = masked.length > MOST_NAMED ? ` and ${masked.length - MOST_NAMED} more` : '';
  return `these files hold the data with its labels and were hidden from it: ${masked.slice(0, MOST_NAMED).join(', ')}${more}`;
}

/** A fresh folder: what stands in the output folder afterwards was written by this run. */
async function prepareFolder(folder: string, adapterFile: string): Promise<void> {
  if (await exists(folder))
    throw new AssayError('output_stale', 'the output folder of the run was there before the run', {
      why: folder,
      hint: 'retry the task: each attempt has a folder of its own',
    });
  await mkdir(join(folder, 'output'), { recursive: true, mode: 0o700 });
  await copyFile(adapterFile, join(folder, 'adapter.py'));
  await chmod(join(folder, 'adapter.py'), 0o444);
}

async function request(context: TaskContext, run: AdapterRun, benchmarkDir: string) {
  const { root } = context.paths;
  const { data } = run.spec;
  const runtime = await openRuntime(context, run.runtime);
  const spec = await benchmarkSpec(context, {
    interpreter: runtime.interpreter,
    env: runtime.env,
    mounts: [
      ...runtime.mounts,
      run.spec.privateCopy
        ? { source: copyDir(context, run), target: inside.workspace, mode: 'rw' }
        : { source: join(root, run.workspace.path), target: inside.workspace, mode: 'ro' },
      { source: benchmarkDir, target: inside.benchmark, mode: 'rw' },
      { source: join(benchmarkDir, 'adapter.py'), target: `${inside.benchmark}/adapter.py`, mode: 'ro' },
      { source: join(root, data.folder), target: inside.uploads, mode: 'ro' },
    ],
    masks: run.spec.masked.map((path) => `${inside.workspace}/${path}`),
    ...(run.timeoutSeconds === undefined ? {} : { timeoutSeconds: run.timeoutSeconds }),
  });
  const train = data.train === null ? [] : ['--train', `${inside.uploads}/${data.train.file}`];
  return {
    spec,
    cwd: inside.workspace,
    argv: [
      runtime.interpreter.executable,
      '.scholar/benchmark/adapter.py',
      '--dataset',
      `${inside.uploads}/${data.dataset.file}`,
      '--output-dir',
      `${inside.benchmark}/output`,
      '--limit',
      String(run.limit),
      '--repo-root',
      inside.workspace,
      '--seed',
      String(BENCHMARK_SEED),
      ...train,
      ...(run.checks === true ? ['--checks'] : []),
    ],
  };
}

/** Repository, prepared data, original data and adapter are what was registered. */
async function requireUnchanged(context: TaskContext, run: AdapterRun, adapterFile: string): Promise<void> {
  const { root } = context.paths;
  const { signal } = context;
  const { folder, dataset, train } = run.spec.data;
  const parts = train === null ? [dataset] : [dataset, train];
  await requireKept(join(root, run.workspace.path), 'the copy of the repository that this plan made');
  for (const part of parts) await requireKept(join(root, folder, part.file), `the prepared data (${part.file})`);
  await requireKept(adapterFile, 'the adapter that was registered');
  const workspace = await fingerprintTree(join(root, run.workspace.path), { signal });
  if (workspace.sha256 !== run.workspace.fingerprint)
    throw changed('repository_changed', 'the repository', 'its files are not the ones that were fingerprinted');
  if ((await sha256File(adapterFile, signal)) !== run.spec.adapterSha256)
    throw changed('adapter_changed', 'the adapter', 'its file is not the one that was registered');
  for (const part of parts)
    if ((await sha256File(join(root, folder, part.file), signal)) !== part.sha256)
      throw changed('dataset_changed', `the prepared data (${part.file})`, 'its hash is not the registered one');
  if (!(await exists(run.datasetManifest.path))) return; // gone is not changed: the kept copy proves the numbers
  if ((await sha256File(run.datasetManifest.path, signal)) !== run.datasetManifest.sha256)
    throw changed('dataset_changed', 'the data file', `${run.datasetManifest.path} is not what was profiled`);
}

function changed(code: string, what: string, why: string): AssayError {
  return new AssayError(code, `${what} changed during the benchmark`, {
    why,
    hint: 'leave the files alone while a plan runs, then create the plan again',
  });
}

/** The file of an artifact that has one. */
export function artifactFile(context: TaskContext, artifact: Artifact): string {
  const file = context.artifacts.fileOf(artifact);
  if (file !== undefined) return file;
  throw new AssayError('output_missing', `the artifact ${artifact.key} has no file`, { hint: 'run "assay fsck"' });
}
