// npm run bench: builds the programs and the benchmarks, and runs them from the root of the clone.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkNode, ensurePackages, ensureTools } from './bootstrap.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
checkNode();
await ensurePackages(root);
await ensureTools();
const { build } = await import('esbuild');
const { ensureBundle } = await import('./build.mjs');
const outdir = join(root, 'node_modules/.cache/assay-bench');
mkdirSync(outdir, { recursive: true });
await build({
  entryPoints: { bench: join(root, 'bench/src/main.ts'), 'raw-child': join(root, 'bench/src/raw-child.ts') },
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['@langchain/*', 'p-graph'],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
const env = { ...process.env, ASSAY_BUNDLE_DIR: await ensureBundle() };
const result = spawnSync(process.execPath, ['--expose-gc', join(outdir, 'bench.mjs'), ...process.argv.slice(2)], {
  cwd: root,
  env,
  stdio: 'inherit',
});
process.exit(result.status ?? 1);
