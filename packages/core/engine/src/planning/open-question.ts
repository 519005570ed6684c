import { readingOptions, type Clarification, type DatasetManifest, type PlanInputs } from '@assay/contracts';
import { inspectTable, labelNotes, profileDataset, recognisedText } from '@assay/evaluation';
import { profileHints } from '@assay/tasks';

/** Below this a person is asked which column is meant. */
const SURE = 0.7;

/**
 * The first thing that the caller did not say and the data does not make clear: how the file is to be read, then which
 * column is the target. Null when nothing is open. Throws what reading the file throws.
 */
export async function openQuestion(
  inputs: PlanInputs & { readonly data: string },
  signal?: AbortSignal,
): Promise<Clarification | null> {
  const { questions } = await inspectTable(inputs.data, readingOptions.parse(inputs), signal);
  const [reading] = questions;
  if (reading !== undefined) {
    const { field, question, options, refusal } = reading;
    if (options.length === 0) throw refusal;
    return { field, question: `${question} ${refusal.why ?? ''}`.trim(), options: [...options], answer: null };
  }
  if (inputs.target !== undefined) return null;
  const manifest = await profileDataset(inputs.data, { ...profileHints(inputs), signal });
  if (manifest.targetColumn !== null && manifest.confidence >= SURE) return null;
  return {
    question: [`Which column of ${manifest.name} is to be predicted?`, ...notesOn(manifest)].join(' '),
    field: 'target',
    options: manifest.columns.map((column) => ({
      value: column.name,
      label: `${column.name} (${recognisedText(column) ?? column.inferredType}, ${column.distinct} different values)`,
      ...(column.name === manifest.targetColumn ? { default: true } : {}),
    })),
    answer: null,
  };
}

/** What should be known of the labels before the likely target is chosen. */
function notesOn({ targetColumn, labels = [] }: DatasetManifest): string[] {
  return labelNotes(labels).map((note) => `Of "${targetColumn}", ${note}.`);
}
