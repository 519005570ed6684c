import type { ProcessIdentity } from '@assay/files';
import type { Attestation, EventScope } from '@assay/contracts';
import type { EgressPolicy } from '@assay/egress-proxy';
import type { LimitKind, SessionExit } from '../sandbox.ts';

/** Part of the socket's name: a host of another version is left to end by itself. */
export const PROTOCOL_VERSION = 2;

/** A path that must still be exactly what was checked when the boundary was fixed. */
export interface PathCheck {
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

/** Everything the host needs to run one command. It trusts its clients: they run as the same user. */
export interface StartRequest {
  readonly sessionId: string;
  readonly dir: string;
  readonly name: string;
  readonly scope: EventScope;
  readonly program: string;
  /** Options of the backend that fix the boundary, without descriptors, environment and command. */
  readonly boundary: readonly string[];
  readonly checks: readonly PathCheck[];
  /** Writable folders whose content counts against `diskBytes`. */
  readonly watched: readonly string[];
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly separateStreams: boolean;
  readonly timeoutSeconds: number;
  readonly outputLimitBytes: number;
  readonly diskBytes: number;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly pids: number;
  /** The way out, and the interpreter that runs the bridge to it inside. May hold secrets: kept in memory only. */
  readonly egress?: { readonly policy: EgressPolicy; readonly interpreter: string };
  readonly attestation: Attestation;
}

export interface HostStatus {
  readonly host: ProcessIdentity;
  readonly limits: LimitKind;
  readonly sessions: readonly string[];
}

/** What each request gives. Requests and answers are JSON lines with the caller's number in `n`. */
export interface HostCalls {
  status: { readonly request: Record<string, never>; readonly answer: HostStatus };
  start: { readonly request: StartRequest; readonly answer: { readonly sessionId: string } };
  /** Answered when the session's exit record is on disk. */
  wait: { readonly request: { readonly sessionId: string }; readonly answer: SessionExit };
  kill: { readonly request: { readonly sessionId: string; readonly reason: string }; readonly answer: SessionExit };
  /** Ends all sessions, then the host. */
  stop: { readonly request: Record<string, never>; readonly answer: Record<string, never> };
}
export type HostOperation = keyof HostCalls;

export interface RequestLine {
  readonly n: number;
  readonly op: HostOperation;
  readonly request: unknown;
}

export type AnswerLine =
  { readonly n: number; readonly answer: unknown } | { readonly n: number; readonly error: WireError };

export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly why?: string;
  readonly hint?: string;
}

/** Requests and answers are small; a longer line is not from us. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;
