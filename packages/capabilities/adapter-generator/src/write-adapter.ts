import { readFileSync } from 'node:fs';
import { assetPath } from '@assay/entries';
import { sha256Text } from '@assay/files';
import type { Candidate, DatasetShape } from './candidate.ts';

export interface WrittenAdapter {
  /** The whole adapter.py: plan and program in one file that needs nothing beside it. */
  readonly code: string;
  /** Of the UTF-8 bytes of `code`, lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * The adapter for a candidate: our fixed program (assets/python/adapter_program.py) below a plan that says what is
 * imported and how it is called. The plan names columns and the target, never a value of the data.
 */
export function writeAdapter(
  candidate: Candidate,
  options: { readonly manifest: DatasetShape; readonly seed: number },
): WrittenAdapter {
  const { manifest, seed } = options;
  const target = manifest.columns.find((column) => column.name === manifest.targetColumn);
  const plan = {
    entrypoint: candidate.entrypoint,
    kind: candidate.kind,
    file: candidate.file,
    import_root: candidate.importRoot,
    module: candidate.module,
    owner: candidate.owner,
    attribute: candidate.attribute,
    call: candidate.call,
    input: candidate.input,
    columns: candidate.columns.map(({ column, as }) => [column, as]),
    model_first: candidate.modelFirst,
    training: candidate.training === null ? null : trainingPlan(candidate.training),
    probabilities: candidate.probabilities,
    target: manifest.targetColumn,
    target_type: target?.inferredType ?? null,
    task: manifest.suggestedTask,
    seed,
  };
  const program = readFileSync(assetPath('python/adapter_program.py'), 'utf8');
  const code = program.replace(
    /^PLAN = json\.loads\(.*\)$/m,
    () => `PLAN = json.loads(${pythonText(JSON.stringify(plan))})`,
  );
  return { code, sha256: sha256Text(code) };
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
