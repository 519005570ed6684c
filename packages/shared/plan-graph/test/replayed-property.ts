import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as fc from 'fast-check';

interface FailingSeed {
  readonly property: string;
  readonly seed: number;
  readonly path: string;
}

/**
 * Checks a property with fresh seeds, after replaying every seed that has failed before. A new failure is added to the
 * file, which is committed.
 */
export async function checkReplayed<T>(
  file: URL,
  name: string,
  property: fc.IAsyncProperty<[T]> | fc.IProperty<[T]>,
  options: { readonly numRuns: number },
): Promise<void> {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as FailingSeed[]) : [];
  for (const { seed, path } of known.filter((failing) => failing.property === name))
    await fc.assert(property as fc.IAsyncProperty<[T]>, { seed, path, endOnFailure: true });
  const result = await fc.check(property as fc.IAsyncProperty<[T]>, options);
  if (!result.failed) return;
  const failing = { property: name, seed: result.seed, path: result.counterexamplePath ?? '' };
  writeFileSync(file, `${JSON.stringify([...known, failing], null, 2)}\n`);
  throw new Error(fc.defaultReportMessage(result) ?? 'the property failed', { cause: result.errorInstance });
}
