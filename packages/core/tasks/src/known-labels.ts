import { AssayError } from '@assay/foundation';
import type { DatasetManifest } from '@assay/contracts';

const SHOWN = 5;

/** Every label of the data set: also those that no row which was handed out has. */
export function labelsOf({ labels = [] }: Pick<DatasetManifest, 'labels'>, handedOut: readonly string[]): string[] {
  return [...new Set([...labels.map(({ label }) => label), ...handedOut])];
}

/**
 * A run that never says one of the data's labels speaks another language than the data: its accuracy of zero would be
 * correct and mean nothing. Throws `labels_unknown` with both sets.
 */
export function requireKnownLabel(predicted: readonly string[], labels: readonly string[]): void {
  const known = new Set(labels);
  if (predicted.length === 0 || predicted.some((label) => known.has(label))) return;
  throw new AssayError('labels_unknown', 'no prediction is one of the labels of the data', {
    why: `the repository says ${listed(predicted)}; the data has ${listed(labels)}`,
    hint: 'make both speak of the same labels: change the column of the data, or wrap the entry point; a mapping is never guessed',
    details: { predicted: [...new Set(predicted)].slice(0, 100), labels: [...known].slice(0, 100) },
  });
}

/** Quoted, so that blanks and look-alikes can be seen. */
function listed(labels: readonly string[]): string {
  const different = [...new Set(labels)].sort();
  const shown = different.slice(0, SHOWN).map((label) => JSON.stringify(label.slice(0, 40)));
  return `${shown.join(', ')}${different.length > SHOWN ? ` and ${different.length - SHOWN} more` : ''}`;
}
