import type { AssayError } from '@assay/foundation';
import { safeText } from './safe-text.ts';
import type { Colours } from './style.ts';

interface Failed {
  readonly message: string;
  readonly why?: string | undefined;
  readonly hint?: string | undefined;
}

/** What, why and what to do: one line each. */
export function errorLines(error: AssayError | Failed, colours: Colours): string {
  const lines = [`${colours.red('✗')} ${safeText(error.message)}`];
  if (error.why !== undefined) lines.push(`  why: ${safeText(error.why)}`);
  if (error.hint !== undefined) lines.push(`  do:  ${safeText(error.hint)}`);
  return lines.map((line) => `${line}\n`).join('');
}
