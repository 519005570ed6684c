import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Program files of the bundle that are started as processes or worker threads. */
export type EntryName = 'cli' | 'daemon' | 'session-host' | 'journal-worker';

/**
 * The path of a built program file. Bundled code finds its siblings; code that runs from source (tests) is told
 * where the bundle is by `ASSAY_BUNDLE_DIR`, which bin/assay.mjs and the test set-up build and set.
 */
export function entryPath(name: EntryName): string {
  return inBundle(`${name}.mjs`);
}

/** The path of a data file that is shipped beside the bundle, such as `python/scan.py`. */
export function assetPath(name: string): string {
  return inBundle(join('assets', name));
}

function inBundle(name: string): string {
  const own = dirname(fileURLToPath(import.meta.url));
  for (const dir of [process.env['ASSAY_BUNDLE_DIR'], own])
    if (dir !== undefined && existsSync(join(dir, name))) return join(dir, name);
  throw new Error(`${name} is not in the bundle: run "npm run build", or start through bin/assay.mjs`);
}
