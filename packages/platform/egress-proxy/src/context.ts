import { errorText, isoTime } from '@assay/foundation';
import type { EgressRecord } from './connection-log.ts';
import type { Dialer } from './dial.ts';
import type { HostPort } from './host-name.ts';
import type { Meter } from './meter.ts';
import type { EgressLimits, HostCredential } from './policy.ts';
import { Refusal } from './refusal.ts';

/** What both ways through the proxy share. */
export interface ProxyContext {
  readonly dialer: Dialer;
  readonly meter: Meter;
  readonly limits: EgressLimits;
  readonly credentials: readonly HostCredential[];
  /** Aborted when the session ends. */
  readonly signal: AbortSignal;
  readonly record: (record: EgressRecord) => void;
}

export interface Asked {
  readonly kind: EgressRecord['kind'];
  readonly target: HostPort | undefined;
  /** As the request named it, for one that names no usable host. */
  readonly text: string;
  readonly startedAt: number;
}

type Outcome = Pick<EgressRecord, 'address' | 'bytesUp' | 'bytesDown'> & { readonly error?: unknown };

const MAX_SHOWN = 200;

/** Writes the one log line of a connection. */
export function log(context: ProxyContext, asked: Asked, outcome: Outcome): void {
  const { error, ...rest } = outcome;
  const reason = error === undefined ? undefined : printable(errorText(error));
  const verdict = error === undefined ? 'allowed' : error instanceof Refusal ? error.verdict : 'failed';
  const now = Date.now();
  context.record({
    at: isoTime(now),
    kind: asked.kind,
    host: asked.target?.host ?? printable(asked.text),
    port: asked.target?.port ?? null,
    ...rest,
    verdict,
    ...(reason === undefined ? {} : { reason }),
    seconds: (now - asked.startedAt) / 1000,
  });
}

/** ASCII without control characters, bounded: fit for a log, a terminal and a status line. */
export function printable(text: string): string {
  return text.slice(0, MAX_SHOWN).replace(/[^\x20-\x7e]/g, '?');
}
