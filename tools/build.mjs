// Builds the program files with esbuild, and the page with vite, into node_modules/.cache/assay/<hash of the sources>.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache/assay');

/** Program files of the bundle and the source each is made from. */
const entries = {
  cli: 'apps/cli/src/main.ts',
  daemon: 'apps/daemon/src/main.ts',
  'session-host': 'packages/platform/sandbox/src/session-host/main.ts',
  'journal-worker': 'packages/platform/event-store/src/journal-worker.ts',
};

const banner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** The folder of an up-to-date bundle; builds it when sources have changed. */
export async function ensureBundle() {
  const dir = join(cache, sourceHash());
  if (existsSync(join(dir, 'complete'))) return dir;
  const temporary = `${dir}.${process.pid}.tmp`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  const entryPoints = Object.fromEntries(Object.entries(entries).map(([name, source]) => [name, join(root, source)]));
  const { build } = await import('esbuild'); // not loaded when the bundle is up to date
  await build({
    entryPoints,
    outdir: temporary,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    banner: { js: banner },
    logLevel: 'warning',
    legalComments: 'none',
    // Node keeps the text of every program that it runs.
    minifyWhitespace: true,
  });
  copyAssets(temporary);
  cpSync(ensurePage(), join(temporary, 'page'), { recursive: true });
  mkdirSync(join(temporary, 'complete'));
  try {
    renameSync(temporary, dir);
  } catch (error) {
    // Another process finished the same bundle first.
    rmSync(temporary, { recursive: true, force: true });
    if (!existsSync(join(dir, 'complete'))) throw error;
  }
  dropOldBundles(dir);
  return dir;
}

/** The folder of an up-to-date page, which has a cache of its own: a change of the daemon builds no page. */
function ensurePage() {
  const shared = join(root, 'packages/shared');
  const sources = [join(root, 'apps/web'), ...readdirSync(shared).map((name) => join(shared, name, 'src'))];
  const dir = join(cache, `page-${hashOf(sources.flatMap(walk))}`);
  if (existsSync(join(dir, 'index.html'))) return dir;
  const temporary = `${dir}.${process.pid}.tmp`;
  // In a process of its own: the page is built for production whatever this process is for.
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', join(root, 'apps/web'), '--outDir', temporary, '--emptyOutDir', '--logLevel', 'warn'];
  const { status } = spawnSync(process.execPath, args, {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('the page could not be built');
  try {
    renameSync(temporary, dir);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (!existsSync(join(dir, 'index.html'))) throw error;
  }
  return dir;
}

/** Every `assets` folder beside a package's `src` is shipped as `assets/`. */
function copyAssets(target) {
  for (const folder of packageFolders()) {
    const assets = join(folder, 'assets');
    if (existsSync(assets)) cpSync(assets, join(target, 'assets'), { recursive: true });
  }
}

function packageFolders() {
  const layers = readdirSync(join(root, 'packages')).map((layer) => join(root, 'packages', layer));
  return [...layers, join(root, 'apps')].flatMap((layer) => readdirSync(layer).map((name) => join(layer, name)));
}

/** Of path, size and modification time of every source file: cheap enough to ask at each start. */
export function sourceHash() {
  const files = packageFolders().flatMap((folder) => [
    ...walk(join(folder, 'src')),
    ...walk(join(folder, 'assets')),
    join(folder, 'package.json'),
  ]);
  return hashOf([
    ...files,
    join(root, 'apps/web/index.html'),
    join(root, 'package-lock.json'),
    join(root, 'tools/build.mjs'),
  ]);
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files.toSorted(byText)) {
    const stat = statSync(file);
    hash.update(`${relative(root, file)}\0${stat.size}\0${stat.mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

function byText(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

function walk(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
    entry.name === 'node_modules' ? [] : entry.isDirectory() ? walk(join(dir, entry.name)) : [join(dir, entry.name)],
  );
}

const DAY_MS = 86_400_000;

/** A running daemon loads parts of its bundle late: only bundles that are older than a day and not among the newest go. */
function dropOldBundles(current) {
  const bundles = readdirSync(cache)
    .filter((name) => /^(page-)?[0-9a-f]{16}$/.test(name) && name !== basename(current))
    .map((name) => ({ path: join(cache, name), at: statSync(join(cache, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { path, at } of bundles.slice(8))
    if (Date.now() - at > DAY_MS) rmSync(path, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await ensureBundle());
