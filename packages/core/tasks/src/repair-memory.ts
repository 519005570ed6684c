import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '@assay/foundation';
import type { InstallState } from '@assay/dependencies';
import { readJson, sha256Text, writeJsonDurable } from '@assay/files';
import type { InstallDriver } from './install-with-repair.ts';

/** The index changes: after this time the requirements are tried as they are again. */
const KEPT_MS = 7 * 24 * 3600 * 1000;
/** Raised when the rules change. */
const RULES = 2;

/** Remembers in the cache how an installation was mended, so that the next plan does not fail first. */
export function repairMemory(cacheDir: string): Required<Pick<InstallDriver, 'recall' | 'remember'>> {
  const folder = join(cacheDir, 'repairs');
  const fileOf = (start: InstallState) => join(folder, `${sha256Text(canonicalJson({ v: RULES, start }))}.json`);
  return {
    async recall(start) {
      const file = fileOf(start);
      const found = await stat(file).catch(() => undefined);
      if (found === undefined) return undefined;
      if (Date.now() - found.mtimeMs < KEPT_MS) return (await readJson(file)) as InstallState | undefined;
      await rm(file, { force: true });
      return undefined;
    },
    async remember(start, mended) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeJsonDurable(fileOf(start), mended);
    },
  };
}
