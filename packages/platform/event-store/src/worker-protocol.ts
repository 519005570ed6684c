import { AssayError, errorCode, errorText } from '@assay/foundation';
import { DamageFound, damageError } from './damage.ts';
import { isDiskFull, WriteFailure } from './journal-files.ts';
import type { OpenRequest } from './opened-journal.ts';
import type { ReadAnswer, ReadRequest } from './segment-reader.ts';

/** What the thread that owns the descriptors is asked. `journal` is a handle that the asking side chose. */
export type WorkerCommand =
  | { readonly op: 'open'; readonly journal: number; readonly request: OpenRequest & { readonly segmentBytes: number } }
  | { readonly op: 'append'; readonly journal: number; readonly text: string; readonly count: number }
  | { readonly op: 'read'; readonly journal: number; readonly request: ReadRequest }
  | { readonly op: 'close'; readonly journal: number };

export interface OpenAnswer {
  readonly lastSeq: number;
  readonly generation: number;
  readonly notes: readonly string[];
  /** Set when it can only be read. */
  readonly failure: WireFailure | undefined;
}

export interface WorkerAnswers {
  open: OpenAnswer;
  append: null;
  read: ReadAnswer;
  close: null;
}

/** What the thread is started with. */
export interface WorkerStart {
  /** Of its CommitSlots. */
  readonly memory: SharedArrayBuffer;
}

export type WorkerRequest = WorkerCommand & { readonly id: number };

/** `id` 0: a batch in the shared memory was finished while the asking side slept. */
export type WorkerReply =
  | { readonly id: number; readonly ok: true; readonly value: WorkerAnswers[keyof WorkerAnswers] }
  | { readonly id: number; readonly ok: false; readonly failure: WireFailure };

/** An error as it crosses the thread boundary. */
export interface WireFailure {
  readonly code: string;
  readonly message: string;
  readonly why: string | undefined;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** The journal must be opened again before it can be appended to. */
  readonly poisoned: boolean;
}

/** A failure of the journal thread: the error for the caller, and whether the journal must be opened again. */
export class JournalFailure extends Error {
  override readonly name = 'JournalFailure';
  readonly error: AssayError;
  readonly poisoned: boolean;

  constructor(error: AssayError, poisoned: boolean) {
    super(error.message, { cause: error });
    this.error = error;
    this.poisoned = poisoned;
  }
}

export function failureFromWire(wire: WireFailure): JournalFailure {
  const { code, message, why, hint, details, poisoned } = wire;
  const options = { details, ...(why === undefined ? {} : { why }), ...(hint === undefined ? {} : { hint }) };
  return new JournalFailure(new AssayError(code, message, options), poisoned);
}

export function failureToWire(error: unknown, quest: string): WireFailure {
  const { code, message, why, hint, details } = asAssayError(error, quest);
  const poisoned = error instanceof WriteFailure ? error.poisoned : true;
  return { code, message, why, hint, details, poisoned };
}

function asAssayError(error: unknown, quest: string): AssayError {
  if (error instanceof AssayError) return error;
  if (error instanceof DamageFound) return damageError(quest, error.damage);
  const cause = error instanceof WriteFailure ? error.cause : error;
  return isDiskFull(cause) ? diskFull(quest, cause) : readOnly(quest, cause);
}

function diskFull(quest: string, cause: unknown): AssayError {
  return new AssayError('disk_full', `there is no space left for the journal of ${quest}`, {
    why: errorText(cause),
    hint: 'free some space and try again; nothing that was acknowledged is lost',
    details: { quest, errno: errorCode(cause) },
  });
}

export function readOnly(quest: string, cause: unknown): AssayError {
  return new AssayError('journal_read_only', `the journal of ${quest} cannot be written`, {
    why: errorText(cause),
    hint: 'it is opened and checked again at the next write; look at the disk and its permissions when this stays',
    details: { quest, errno: errorCode(cause) },
  });
}
