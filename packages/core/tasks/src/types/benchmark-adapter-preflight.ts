import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, errorText } from '@assay/foundation';
import { datasetManifestSchema } from '@assay/contracts';
import { writeAdapter, type Candidate, type Recognition } from '@assay/adapter-generator';
import { checkAdapterPolicy } from '../adapter-policy.ts';
import { checkOutput } from '../adapter-output.ts';
import { artifactFile, BENCHMARK_SEED, runAdapter, type AdapterRun } from '../benchmark-run.ts';
import { adapterSpecValue, valueOf, workspaceValue, type AdapterSpecValue } from '../benchmark-values.ts';
import { isGone } from '../kept-files.ts';
import type { TaskContext, TaskType } from '../task-type.ts';

const MOST_ROWS = 8;
const MOST_ATTEMPTS = 3;

/** Codes for which another adapter may help; anything else (time-out, tampering) ends the task at once. */
const repairable = new Set([
  'adapter_failed',
  'output_missing',
  'output_malformed',
  'predictions_incomplete',
  'predictions_not_finite',
]);

interface Attempt {
  readonly entrypoint: string;
  readonly adapterSha256: string;
  readonly ok: boolean;
  readonly problem: string | null;
}

/**
 * Runs the adapter on at most eight rows. When it fails, the next recognised entry point is tried, at most three in
 * all; an adapter that would be the same file again stops. Only the adapter is ever replaced.
 */
export const benchmarkAdapterPreflight: TaskType = {
  type: 'benchmark_adapter_preflight',
  codeVersion: 1,
  async run(context) {
    const manifest = valueOf(datasetManifestSchema, await context.input('dataset_manifest'));
    const workspace = valueOf(workspaceValue, await context.input('workspace_path'));
    const first = valueOf(adapterSpecValue, await context.input('benchmark_adapter_spec'));
    const { candidates } = (await context.input('benchmark_adapter_plan')).value as Recognition;
    const limit = Math.min(MOST_ROWS, first.data.handedOut);
    const attempts: Attempt[] = [];
    let adapter = { spec: first, file: artifactFile(context, await context.input('benchmark_adapter_code')) };
    for (let number = 1; ; number++) {
      const run: AdapterRun = {
        name: `preflight-${number}`,
        workspace,
        spec: adapter.spec,
        adapterFile: adapter.file,
        datasetManifest: manifest,
        limit,
      };
      const { entrypoint, adapterSha256 } = adapter.spec;
      try {
        const output = await runAdapter(context, run);
        const { predictions } = await checkOutput(context, output, { manifest, spec: adapter.spec, limit });
        attempts.push({ entrypoint, adapterSha256, ok: true, problem: null });
        return outcome(adapter, { attempts, limit, normalised: predictions.normalised, context, candidates });
      } catch (error) {
        if (!(error instanceof AssayError) || !repairable.has(error.code) || isGone(error)) throw error;
        attempts.push({ entrypoint, adapterSha256, ok: false, problem: `${error.message}: ${error.why ?? ''}` });
        context.log('warn', `${entrypoint} failed the preflight: ${errorText(error)}`);
        // An entry point that a person named is never replaced by another one.
        const others = context.plan.inputs.entrypoint === undefined ? candidates : [];
        const next = nextAdapter(others, { first, attempts, manifest });
        if (next === undefined || number >= MOST_ATTEMPTS) throw afterAttempts(error, attempts);
        adapter = await place(context, number + 1, next);
      }
    }
  },
};

interface WrittenAdapter {
  readonly spec: AdapterSpecValue;
  readonly code: string;
}

/** The best candidate that was not tried, is not hidden, needs the same data, and gives another file. */
function nextAdapter(
  candidates: readonly Candidate[],
  state: {
    first: AdapterSpecValue;
    attempts: readonly Attempt[];
    manifest: Parameters<typeof writeAdapter>[1]['manifest'];
  },
): WrittenAdapter | undefined {
  const tried = new Set(state.attempts.map((attempt) => attempt.entrypoint));
  for (const candidate of candidates) {
    if (tried.has(candidate.entrypoint) || candidate.needsTraining !== state.first.needsTraining) continue;
    if (state.first.masked.includes(candidate.file)) continue; // it appears empty
    const { code, sha256 } = writeAdapter(candidate, { manifest: state.manifest, seed: BENCHMARK_SEED });
    if (state.attempts.some((attempt) => attempt.adapterSha256 === sha256)) continue;
    const spec: AdapterSpecValue = {
      ...state.first,
      entrypoint: candidate.entrypoint,
      strategy: `${candidate.kind}, ${candidate.call} call, ${candidate.input} input`,
      confidence: candidate.confidence,
      adapterSha256: sha256,
      thirdPartyImports: [...candidate.thirdPartyImports],
    };
    return { spec, code };
  }
  return undefined;
}

async function place(context: TaskContext, number: number, next: WrittenAdapter) {
  await checkAdapterPolicy(context, `policy-${number}`, next.code);
  const file = join(context.attemptDir, `adapter-${number}.py`);
  await writeFile(file, next.code);
  return { spec: next.spec, file };
}

async function outcome(
  adapter: { readonly spec: AdapterSpecValue; readonly file: string },
  found: {
    attempts: readonly Attempt[];
    limit: number;
    normalised: readonly string[];
    context: TaskContext;
    candidates: readonly Candidate[];
  },
) {
  const passed = join(found.context.attemptDir, 'adapter.py');
  await copyFile(adapter.file, passed);
  const spec: AdapterSpecValue = {
    ...adapter.spec,
    adapterKey: 'validated_benchmark_adapter_code',
    preflightPassed: true,
  };
  return {
    outputs: {
      validated_benchmark_adapter_spec: { type: 'json', value: spec },
      validated_benchmark_adapter_code: { type: 'code', file: passed, mediaType: 'text/x-python' },
      benchmark_preflight_report: {
        type: 'json',
        value: {
          rows: found.limit,
          attempts: found.attempts,
          normalised: found.normalised,
          passed: passedCandidate(adapter.spec, found.candidates),
        },
      },
    },
    summary: `${adapter.spec.entrypoint} predicted ${found.limit} rows${found.attempts.length > 1 ? `, attempt ${found.attempts.length}` : ''}`,
  } as const;
}

/** What the report may say of the entry point that really runs, and which others would have been possible. */
function passedCandidate(spec: AdapterSpecValue, candidates: readonly Candidate[]) {
  const candidate = candidates.find((one) => one.entrypoint === spec.entrypoint);
  return {
    entrypoint: spec.entrypoint,
    confidence: spec.confidence,
    evidence: candidate?.evidence ?? [],
    notes: candidate?.notes ?? [],
    others: candidates
      .filter((one) => one !== candidate)
      .map(({ entrypoint, confidence }) => ({ entrypoint, confidence })),
  };
}

function afterAttempts(error: AssayError, attempts: readonly Attempt[]): AssayError {
  if (attempts.length === 1) return error;
  const tried = attempts.map((attempt) => attempt.entrypoint).join(', ');
  return new AssayError(error.code, error.message, {
    why: `${error.why ?? ''} (${attempts.length} entry points were tried: ${tried})`,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    details: { ...error.details, attempts },
    cause: error,
  });
}
