/** One thing that a check of a home found. `damage` breaks a promise; a `note` is what a crash may leave. */
export interface Finding {
  readonly severity: 'note' | 'damage';
  readonly message: string;
  readonly hint?: string;
}

export function damage(message: string, hint?: string): Finding {
  return { severity: 'damage', message, ...(hint === undefined ? {} : { hint }) };
}

export function note(message: string, hint?: string): Finding {
  return { severity: 'note', message, ...(hint === undefined ? {} : { hint }) };
}
