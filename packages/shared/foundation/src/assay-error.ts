/**
 * A failure that a person or a model should see. It crosses the wire; any other exception does not.
 * `code` is one of the codes pinned in contracts; `message` says what, `why` the cause, `hint` what to do.
 */
export class AssayError extends Error {
  override readonly name = 'AssayError';
  readonly code: string;
  readonly why: string | undefined;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** True when doing the same again ends the same way: nobody should try by themselves. */
  readonly isFinal: boolean;

  constructor(code: string, message: string, options: AssayErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.why = options.why;
    this.hint = options.hint;
    this.details = options.details ?? {};
    this.isFinal = options.isFinal ?? false;
  }
}

export interface AssayErrorOptions {
  readonly why?: string;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  readonly isFinal?: boolean;
}

/** The one-line text of anything thrown. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message === '' ? error.name : error.message;
  return String(error);
}

/** The `code` of a Node or Assay error, else undefined. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string')
    return error.code;
  return undefined;
}
