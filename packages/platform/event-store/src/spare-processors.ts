import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const LOOK_EVERY_MS = 10;
/** The count is of one moment, and a busy machine has idle moments. */
const LOOKS_IN_A_ROW = 4;
/** Looks that lie further apart say nothing about the time between them. */
const IN_A_ROW_MS = 100;

/** Whether looking again at once, instead of sleeping, takes a processor from nobody. */
export interface Spare {
  /** Asked again and again while there is work. */
  readonly any: boolean;
}

export interface Processors {
  /** How many this process may use. */
  readonly count: number;
  /** Threads of the machine that run or wait for a processor. */
  runnable(): number;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
}

/**
 * Spare while no thread of the machine waits for a processor. On a busy machine who looks again and again is not let run
 * when it has something to do, so it must sleep there.
 */
export class SpareProcessors implements Spare {
  readonly #processors: Processors;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #spareLooks = 0;

  constructor(processors: Processors = ofThisMachine) {
    this.#processors = processors;
  }

  get any(): boolean {
    const now = this.#processors.now();
    const since = now - this.#lookedAt;
    if (since >= LOOK_EVERY_MS) {
      this.#lookedAt = now;
      const looks = since > IN_A_ROW_MS ? 1 : this.#spareLooks + 1;
      this.#spareLooks = this.#looksSpare() ? looks : 0;
    }
    return this.#spareLooks >= LOOKS_IN_A_ROW;
  }

  /** With a single processor the other side could not run meanwhile. */
  #looksSpare(): boolean {
    const { count } = this.#processors;
    return count > 1 && this.#processors.runnable() <= count;
  }
}

const ofThisMachine: Processors = { count: availableParallelism(), runnable, now: () => performance.now() };

/** Of the fourth field of /proc/loadavg; too many where it is not told. */
function runnable(): number {
  try {
    return Number(/ (\d+)\/\d+ /.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
