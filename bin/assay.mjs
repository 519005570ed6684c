#!/usr/bin/env node
// Runs the command line from a clone: installs the locked packages and builds the bundle when they are not there yet.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { checkNode, ensurePackages, ensureTools } from '../tools/bootstrap.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
try {
  checkNode();
  await ensurePackages(root);
  if (process.argv[2] === 'demo') await ensureTools();
  const { ensureBundle } = await import('../tools/build.mjs');
  process.env.ASSAY_ROOT = root;
  process.env.ASSAY_BUNDLE_DIR = await ensureBundle();
} catch (error) {
  process.stderr.write(`assay: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(3);
}
await import(pathToFileURL(join(process.env.ASSAY_BUNDLE_DIR, 'cli.mjs')).href);
