import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, errorText } from '@assay/foundation';
import { datasetManifestSchema, type DatasetManifest } from '@assay/contracts';
import {
  answerNotes,
  labelMapText,
  settleLabels,
  whyDoubtful,
  type Candidate,
  type LabelMapping,
  type Recognition,
} from '@assay/adapter-generator';
import { readAnswers } from '../adapter-answers.ts';
import { checkOutput } from '../adapter-output.ts';
import { artifactFile, runAdapter } from '../benchmark-run.ts';
import {
  adapterSpecValue,
  valueOf,
  workspaceValue,
  type LabelsValue,
  type WorkspaceValue,
} from '../benchmark-values.ts';
import { isGone } from '../kept-files.ts';
import { givenMapping, labelQuestion } from '../label-mapping.ts';
import { installMissing, type LazyInstall } from '../lazy-imports.ts';
import { explainMissingContent } from '../missing-content.ts';
import { nextCandidate, placeAdapter, sameCandidate, type PlacedAdapter } from '../preflight-adapters.ts';
import { preparedRuntime } from '../prepared-runtime.ts';
import type { TaskContext, TaskOutcome, TaskType } from '../task-type.ts';
import { GIVEN } from './benchmark-adapter-generate.ts';

const MOST_ROWS = 8;
const MOST_ATTEMPTS = 3;
/** Of one run on these rows; the task may also install what is found missing. */
const RUN_SECONDS = 600;
/** The adapter's own exit codes: it wanted to write into the repository. */
const WROTE_INTO_TREE = 13;

/** Codes for which another adapter may help; anything else (time-out, tampering) ends the task at once. */
const repairable = new Set([
  'adapter_failed',
  'output_missing',
  'output_malformed',
  'predictions_incomplete',
  'predictions_not_finite',
  'adapter_not_recognised',
  'dependency_install_failed',
  'dependencies_required',
  'interpreter_missing',
]);

export interface PreflightAttempt {
  readonly entrypoint: string;
  readonly adapterSha256: string;
  readonly ok: boolean;
  readonly problem: string | null;
}

interface Preflight {
  readonly context: TaskContext;
  readonly manifest: DatasetManifest;
  readonly workspace: WorkspaceValue;
  readonly recognition: Recognition;
  readonly limit: number;
  readonly attempts: PreflightAttempt[];
  /** What the entry point turned out to import only while it runs. */
  lazy: LazyInstall | undefined;
  runs: number;
}

interface Passed {
  readonly adapter: PlacedAdapter;
  readonly labels: LabelsValue | null;
  readonly notes: readonly string[];
  readonly normalised: readonly string[];
}

/**
 * Runs the adapter on at most eight rows, and looks whether its answers depend on the rows and speak the data's labels.
 * When it fails, the next recognised entry point is tried, at most three in all; an adapter that would be the same file
 * again stops. A module that it imports only while it runs is installed, and it is tried again. Only the adapter is ever replaced. Answers that only a person can read make the plan wait for `--map`.
 */
export const benchmarkAdapterPreflight: TaskType = {
  type: 'benchmark_adapter_preflight',
  codeVersion: 2,
  async run(context) {
    const manifest = valueOf(datasetManifestSchema, await context.input('dataset_manifest'));
    const spec = valueOf(adapterSpecValue, await context.input('benchmark_adapter_spec'));
    const recognition = (await context.input('benchmark_adapter_plan')).value as Recognition;
    const preflight: Preflight = {
      context,
      manifest,
      workspace: valueOf(workspaceValue, await context.input('workspace_path')),
      recognition,
      limit: Math.min(MOST_ROWS, spec.data.handedOut),
      attempts: [],
      lazy: undefined,
      runs: 0,
    };
    const given = givenMapping(context, manifest);
    const first = { spec, file: artifactFile(context, await context.input('benchmark_adapter_code')) };
    const candidate = recognition.candidates.find(({ entrypoint }) => entrypoint === spec.entrypoint);
    if (candidate === undefined)
      throw new AssayError('internal', `${spec.entrypoint} is not among what was recognised`);
    // A mapping that was given after the adapter was written belongs into it.
    const start: PlacedAdapter =
      given !== undefined && spec.labels?.map !== labelMapText(given)
        ? await sameCandidate(
            context,
            { ...first, candidate },
            { manifest, labels: given, evidence: GIVEN, name: 'mapped' },
          )
        : { ...first, candidate };
    return outcome(preflight, await passing(preflight, start, given));
  },
};

/** The first adapter that passes. Throws the last failure, or the question that the first readable answers ask. */
async function passing(preflight: Preflight, start: PlacedAdapter, given: LabelMapping | undefined): Promise<Passed> {
  const { context, manifest, recognition, attempts } = preflight;
  let adapter = start;
  let question: AssayError | undefined;
  let first: AssayError | undefined;
  for (;;) {
    const { entrypoint, adapterSha256 } = adapter.spec;
    try {
      const passed = await attempt(preflight, adapter, given);
      attempts.push({ entrypoint, adapterSha256, ok: true, problem: null });
      return passed;
    } catch (thrown) {
      if (!(thrown instanceof AssayError) || isGone(thrown)) throw thrown;
      const error = await afterInstalling(preflight, adapter, thrown);
      if (error === undefined) continue; // the same adapter again, now with what it lacked; a module is installed once
      const isQuestion = error.code === 'needs_clarification';
      if (!isQuestion && !repairable.has(error.code)) throw error;
      if (isQuestion) question ??= error;
      // The likeliest entry point failed first, so its reason is the one to tell.
      first ??= error;
      attempts.push({ entrypoint, adapterSha256, ok: false, problem: `${error.message}: ${error.why ?? ''}` });
      context.log('warn', `${entrypoint} failed the preflight: ${errorText(error)}`);
      // An entry point that a person named is never replaced by another one.
      const others = context.plan.inputs.entrypoint === undefined ? recognition.candidates : [];
      const next =
        attempts.length >= MOST_ATTEMPTS
          ? undefined
          : nextCandidate(others, { first: start.spec, attempts, manifest, labels: given });
      if (next === undefined) {
        const folder = join(context.paths.root, preflight.workspace.path);
        throw question ?? afterAttempts(await explainMissingContent(first, folder, context.signal), attempts);
      }
      adapter = await placeAdapter(context, `${attempts.length + 1}`, next);
    }
  }
}

/** Undefined when the failure was a missing module that could be installed; otherwise what stands in its way. */
async function afterInstalling(
  preflight: Preflight,
  { spec }: PlacedAdapter,
  failure: AssayError,
): Promise<AssayError | undefined> {
  const { context } = preflight;
  if (failure.code !== 'adapter_failed') return failure;
  const folder = join(context.paths.root, preflight.workspace.path);
  // A module of a submodule that was not fetched is not looked for in the package index.
  if ((await explainMissingContent(failure, folder, context.signal)) !== failure) return failure;
  try {
    const lazy = await installMissing(context, failure, { adapter: spec, before: preflight.lazy });
    if (lazy === undefined) return failure;
    preflight.lazy = lazy;
    return undefined;
  } catch (error) {
    if (error instanceof AssayError && repairable.has(error.code)) return error;
    throw error;
  }
}

/** Runs an adapter, reads its answers, and settles what is still open: how it is called and what its answers mean. */
async function attempt(preflight: Preflight, adapter: PlacedAdapter, given: LabelMapping | undefined): Promise<Passed> {
  const { context, manifest, recognition } = preflight;
  const ran = await runOrCopy(preflight, adapter);
  const facts = await readAnswers(context, ran.output);
  const named = context.plan.inputs.entrypoint !== undefined;
  const doubt = whyDoubtful(facts, manifest);
  if (doubt !== undefined && !named) throw doubtful(adapter, doubt);
  const notes = [...answerNotes(facts), ...(doubt === undefined ? [] : [doubt])];
  const { candidate } = ran.adapter;
  const settled =
    given === undefined
      ? settleLabels(facts, { dataset: manifest, candidate, sources: recognition.labelSources })
      : ({ is: 'mapped', mapping: given, evidence: GIVEN } as const);
  if (settled.is === 'open') throw labelQuestion(adapter.spec.entrypoint, settled);
  const way = candidate.ways[facts.way] ?? candidate.ways[0];
  if (way === undefined) throw new AssayError('internal', `${candidate.entrypoint} has no way of being called`);
  const final = await sameCandidate(
    context,
    {
      ...ran.adapter,
      candidate: { ...candidate, ways: [way], input: way.input, call: way.call, columns: way.columns },
    },
    {
      manifest,
      labels: settled.is === 'mapped' ? settled.mapping : undefined,
      evidence: settled.is === 'mapped' ? settled.evidence : '',
      name: `final-${preflight.runs}`,
    },
  );
  const labels = final.spec.labels;
  const known = settled.is === 'same' ? [...notes, ...settled.notes] : notes;
  if (final.spec.adapterSha256 === ran.adapter.spec.adapterSha256)
    return { adapter: final, labels, notes: known, normalised: ran.normalised };
  const again = await runOnce(preflight, final, false);
  return { adapter: final, labels, notes: known, normalised: again.normalised };
}

/** Runs it once; when it wants to write beside its own files, once more on a copy that it may write into. */
async function runOrCopy(preflight: Preflight, adapter: PlacedAdapter) {
  try {
    return { ...(await runOnce(preflight, adapter, true)), adapter };
  } catch (error) {
    const isDenied = error instanceof AssayError && error.details['exitCode'] === WROTE_INTO_TREE;
    if (!isDenied || adapter.spec.privateCopy) throw error;
    preflight.context.log(
      'info',
      `${adapter.spec.entrypoint} writes into its own folder: it gets a private copy of it`,
    );
    const copied = { ...adapter, spec: { ...adapter.spec, privateCopy: true } };
    return { ...(await runOnce(preflight, copied, true)), adapter: copied };
  }
}

async function runOnce(preflight: Preflight, { spec, file }: PlacedAdapter, checks: boolean) {
  const { context, manifest, workspace, limit } = preflight;
  preflight.runs += 1;
  const name = `preflight-${preflight.runs}`;
  const output = await runAdapter(context, {
    name,
    workspace,
    spec,
    adapterFile: file,
    datasetManifest: manifest,
    limit,
    timeoutSeconds: RUN_SECONDS,
    checks,
    ...(preflight.lazy === undefined ? {} : { runtime: preflight.lazy.runtime }),
  });
  const { predictions } = await checkOutput(context, output, { manifest, spec, limit });
  return { output, normalised: predictions.normalised };
}

function doubtful({ spec }: PlacedAdapter, why: string): AssayError {
  return new AssayError('adapter_not_recognised', `the answers of ${spec.entrypoint} are no predictions`, {
    why,
    hint: `name what is to be called: --entry module:function; when it is the right one all the same: --entry ${spec.entrypoint}`,
  });
}

async function outcome(preflight: Preflight, { adapter, labels, notes, normalised }: Passed): Promise<TaskOutcome> {
  const { context, attempts, limit, recognition, lazy } = preflight;
  const passed = join(context.attemptDir, 'adapter.py');
  await copyFile(adapter.file, passed);
  const spec = { ...adapter.spec, adapterKey: 'validated_benchmark_adapter_code', preflightPassed: true };
  const tried = attempts.length > 1 ? `, attempt ${attempts.length}` : '';
  const mapped = labels === null ? '' : `, answers read as ${labels.map}`;
  const runtime = context.task.outputArtifacts.includes('validated_runtime')
    ? { validated_runtime: { type: 'json' as const, value: lazy?.runtime ?? (await preparedRuntime(context)) } }
    : {};
  return {
    outputs: {
      ...runtime,
      validated_benchmark_adapter_spec: { type: 'json', value: spec },
      validated_benchmark_adapter_code: { type: 'code', file: passed, mediaType: 'text/x-python' },
      benchmark_preflight_report: {
        type: 'json',
        value: {
          rows: limit,
          attempts,
          normalised,
          ...(lazy === undefined ? {} : { installed: lazy.report }),
          passed: passedCandidate(adapter, { labels, notes: [...notes, ...lazyNotes(lazy)], recognition }),
        },
      },
    },
    summary: `${spec.entrypoint} predicted ${limit} rows${mapped}${tried}${lazy === undefined ? '' : `; installed besides: ${lazy.modules.join(', ')}`}`,
  };
}

function lazyNotes(lazy: LazyInstall | undefined): string[] {
  if (lazy === undefined) return [];
  return [`imported only while it runs, and installed after the preflight missed it: ${lazy.modules.join(', ')}`];
}

/** What the report may say of the entry point that really runs, and which others would have been possible. */
function passedCandidate(
  { spec, candidate }: PlacedAdapter,
  found: { readonly labels: LabelsValue | null; readonly notes: readonly string[]; readonly recognition: Recognition },
) {
  const copied = spec.privateCopy
    ? [
        'it writes into its own folder, so it ran on a private copy of the repository; the repository itself was not changed',
      ]
    : [];
  return {
    entrypoint: spec.entrypoint,
    confidence: spec.confidence,
    evidence: candidate.evidence,
    notes: [...candidate.notes, ...found.notes, ...copied],
    way: candidate.ways[0]?.name ?? '',
    labels: found.labels,
    privateCopy: spec.privateCopy,
    others: othersOf(found.recognition.candidates, spec.entrypoint),
  };
}

function othersOf(candidates: readonly Candidate[], entrypoint: string) {
  return candidates
    .filter((one) => one.entrypoint !== entrypoint)
    .map((one) => ({ entrypoint: one.entrypoint, confidence: one.confidence }));
}

function afterAttempts(error: AssayError, attempts: readonly PreflightAttempt[]): AssayError {
  if (attempts.length === 1) return error;
  const tried = attempts.map((attempt) => attempt.entrypoint).join(', ');
  return new AssayError(error.code, error.message, {
    why: `${error.why ?? ''} (${attempts.length} entry points were tried: ${tried})`,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    details: { ...error.details, attempts },
    cause: error,
  });
}
