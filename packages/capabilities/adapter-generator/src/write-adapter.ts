import { readFileSync } from 'node:fs';
import type { ColumnType } from '@assay/contracts';
import { assetPath } from '@assay/entries';
import { sha256Text } from '@assay/files';
import type { Candidate, DatasetShape, Way } from './candidate.ts';
import type { LabelMapping } from './label-map.ts';

export interface WrittenAdapter {
  /** The whole adapter.py: plan and program in one file that needs nothing beside it. */
  readonly code: string;
  /** Of the UTF-8 bytes of `code`, lower-case hexadecimal. */
  readonly sha256: string;
}

export interface WriteOptions {
  readonly manifest: DatasetShape;
  readonly seed: number;
  /** What the repository's answers are called in the data; they are taken as they are when it is absent. */
  readonly labels?: LabelMapping | undefined;
}

/** The files of the fixed program, in the order in which they are joined (assets/python/policy.py knows them too). */
const parts = ['program', 'inputs', 'calls', 'results', 'commands', 'checks'] as const;

/**
 * The adapter for a candidate: our fixed program (assets/python/adapter_*.py) below a plan that says what is imported and
 * how it is called. The plan names columns, the target and, with a mapping, its labels; never a row of the data.
 */
export function writeAdapter(candidate: Candidate, { manifest, seed, labels }: WriteOptions): WrittenAdapter {
  const target = manifest.columns.find((column) => column.name === manifest.targetColumn);
  const isArray = candidate.thirdPartyImports.includes('numpy');
  const plan = {
    entrypoint: candidate.entrypoint,
    kind: candidate.kind,
    file: candidate.file,
    import_root: candidate.importRoot,
    cwd: candidate.cwd,
    module: candidate.module,
    attribute: candidate.attribute,
    object: objectPlan(candidate.object),
    ways: candidate.ways.map((way) => wayPlan(way, isArray)),
    model_first: candidate.modelFirst,
    loader: candidate.loader,
    training: candidate.training === null ? null : trainingPlan(candidate.training),
    probabilities: candidate.probabilities,
    target: manifest.targetColumn,
    target_type: target?.inferredType ?? null,
    task: manifest.suggestedTask,
    labels: labels === undefined ? null : labelPlan(labels, (label) => typedLabel(label, target?.inferredType)),
    seed,
  };
  const program = parts.map((part) => readFileSync(assetPath(`python/adapter_${part}.py`), 'utf8')).join('');
  const code = program.replace(
    /^PLAN = json\.loads\(.*\)$/m,
    () => `PLAN = json.loads(${pythonText(JSON.stringify(plan))})`,
  );
  return { code, sha256: sha256Text(code) };
}

function objectPlan(object: Candidate['object']): Readonly<Record<string, unknown>> {
  if (object.from === 'program' || object.from === 'path' || object.from === 'function') {
    const { passArgv, ...rest } = object;
    return { ...rest, pass_argv: passArgv };
  }
  if (!('preparePaths' in object)) return { ...object };
  const { preparePaths, ...rest } = object;
  return { ...rest, prepare_paths: preparePaths };
}

function wayPlan({ name, input, call, columns, command }: Way, isArray: boolean): Readonly<Record<string, unknown>> {
  const base = { name, input, call, array: isArray, columns: columns.map(({ column, as }) => [column, as]) };
  if (command === undefined) return base;
  const { argv, feed, format, take, outputSuffix } = command;
  return { ...base, argv, feed, format, take, output_suffix: outputSuffix };
}

function labelPlan(
  { key, threshold, values, isFolded }: LabelMapping,
  typed: (label: string) => string | number | boolean,
): Readonly<Record<string, unknown>> {
  const { at, high, low } = threshold ?? { at: 0, high: '', low: '' };
  return {
    ...(key === null ? {} : { key }),
    ...(threshold === null
      ? { values: values.map(([said, label]) => [said, typed(label)]), fold: isFolded }
      : { threshold: at, high: typed(high), low: typed(low) }),
  };
}

/** A label in the type of the target column, so that it is read as it is written in the data. */
function typedLabel(label: string, type: ColumnType | undefined): string | number | boolean {
  if (type === 'boolean' && (label === 'true' || label === 'false')) return label === 'true';
  const isNumber = (type === 'integer' || type === 'number') && label.trim() !== '' && Number.isFinite(Number(label));
  return isNumber && String(Number(label)) === label ? Number(label) : label;
}

function trainingPlan(training: NonNullable<Candidate['training']>) {
  return { attribute: training.attribute, style: training.style, labels_first: training.labelsFirst };
}

/** JSON's escapes are Python's too, once everything outside ASCII is escaped. */
function pythonText(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${code}`;
  });
}
