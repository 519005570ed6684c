import { AssayError } from '@assay/foundation';

const SHOWN = 5;

/**
 * A run that never says one of the data's labels speaks another language than the data: its accuracy of zero would be
 * correct and mean nothing. Throws `labels_unknown` with both sets.
 */
export function requireKnownLabel(predicted: readonly string[], targets: readonly string[]): void {
  const known = new Set(targets);
  if (predicted.length === 0 || predicted.some((label) => known.has(label))) return;
  throw new AssayError('labels_unknown', 'no prediction is one of the labels of the data', {
    why: `the repository says ${listed(predicted)}; the data has ${listed(targets)}`,
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
