import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';

interface KeptSeed {
  readonly seed: number;
  readonly path: string;
}

export interface PropertyOptions {
  /** Names the file of kept seeds. */
  readonly name: string;
  /** `import.meta.url` of the test. */
  readonly test: string;
  readonly numRuns: number;
}

/**
 * Runs a property: first every seed that ever made it fail, from `seeds/<name>.json` beside the test, then random
 * ones. A failure adds its seed to that file, which is committed with the repair, so it is tried for ever.
 */
export async function assertProperty<Ts>(property: fc.IAsyncProperty<Ts>, options: PropertyOptions): Promise<void> {
  const file = fileURLToPath(new URL(`seeds/${options.name}.json`, options.test));
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KeptSeed[]) : [];
  for (const { seed, path } of kept) await fc.assert(property, { seed, path, endOnFailure: true });
  const details = await fc.check(property, { numRuns: options.numRuns });
  if (!details.failed) return;
  if (details.counterexamplePath !== null) {
    mkdirSync(dirname(file), { recursive: true });
    const all = [...kept, { seed: details.seed, path: details.counterexamplePath }];
    writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  }
  throw new Error(`${fc.defaultReportMessage(details) ?? 'the property failed'}\nthe seed was kept in ${file}`, {
    cause: details.errorInstance,
  });
}
