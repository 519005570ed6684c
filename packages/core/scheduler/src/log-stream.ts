import type { EventDraft } from '@assay/contracts';

/** UTF-8 bytes of a log line; the event allows 4,096 characters, which this keeps too. */
const LINE_BYTES = 4096;
/** Lines in a burst, and per second after it. */
const BURST = 100;
const PER_SECOND = 20;

type LogData = Extract<EventDraft, { readonly type: 'plan.task_log' }>['data'];

/** Lets bursts of log lines pass and counts what is beyond the rate: a token bucket. */
export class LogStream {
  #tokens = BURST;
  #filledAt: number;
  #leftOut = 0;

  constructor(now: number) {
    this.#filledAt = now;
  }

  /** The lines to record now: none when the rate is exceeded, two when lines were left out before. */
  take(line: LogData, now: number): LogData[] {
    this.#tokens = Math.min(BURST, this.#tokens + (Math.max(0, now - this.#filledAt) / 1000) * PER_SECOND);
    this.#filledAt = now;
    const gap = this.#gap(line.executionId);
    if (this.#tokens < 1 + gap.length) {
      this.#leftOut += 1;
      return [];
    }
    this.#leftOut = 0;
    this.#tokens -= 1 + gap.length;
    return [...gap, { ...line, message: cut(line.message) }];
  }

  /** What is still to be said when the execution ends. */
  end(executionId: string): LogData[] {
    const gap = this.#gap(executionId);
    this.#leftOut = 0;
    return gap;
  }

  #gap(executionId: string): LogData[] {
    const message = `${this.#leftOut} log lines left out: more than ${PER_SECOND} a second`;
    return this.#leftOut === 0 ? [] : [{ executionId, level: 'warn', message }];
  }
}

/** At most `LINE_BYTES` of UTF-8, never within a character. */
function cut(message: string): string {
  const bytes = new TextEncoder().encode(message);
  if (bytes.length <= LINE_BYTES) return message;
  let end = LINE_BYTES - 3;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return `${new TextDecoder().decode(bytes.subarray(0, end))}…`;
}
