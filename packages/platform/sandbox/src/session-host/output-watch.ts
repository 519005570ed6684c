import { appendFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { sessionFiles } from '../session-files.ts';

/** Follows the size of a session's output: samples (time, offset) for readers, and the bound. */
export class OutputWatch {
  readonly #files: readonly string[];
  readonly #index: string;
  readonly #limitBytes: number;
  #sampled = 0;

  constructor(dir: string, options: { readonly separateStreams: boolean; readonly limitBytes: number }) {
    const names = options.separateStreams ? [sessionFiles.output, sessionFiles.stderr] : [sessionFiles.output];
    this.#files = names.map((name) => join(dir, name));
    this.#index = join(dir, sessionFiles.index);
    this.#limitBytes = options.limitBytes;
  }

  /** True once the bound was passed. */
  sample(sinceStartMs: number): boolean {
    const sizes = this.#files.map(sizeOf);
    const output = sizes[0] ?? 0;
    if (output !== this.#sampled) {
      this.#sampled = output;
      appendFileSync(this.#index, `${Math.round(sinceStartMs)} ${output}\n`, { mode: 0o600 });
    }
    return total(sizes) > this.#limitBytes;
  }

  /** Called after the last writer is gone: cuts what passed the bound between two samples, and says so. */
  finish(sinceStartMs: number): { readonly keptBytes: number; readonly wasCut: boolean } {
    let left = this.#limitBytes;
    let wasCut = false;
    for (const file of this.#files) {
      if (sizeOf(file) > left) {
        truncateSync(file, left);
        wasCut = true;
      }
      left -= sizeOf(file);
    }
    this.sample(sinceStartMs);
    return { keptBytes: this.#limitBytes - left, wasCut };
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function total(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}
