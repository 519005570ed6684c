// Checks the direction of imports: folder = layer. A package imports what its package.json lists, from its own layer or
// a lower one, through the other's index; no cycles; some folders have rules of their own.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtinModules } from 'node:module';

const layers = ['shared', 'platform', 'capabilities', 'core', 'surfaces', 'apps'];
const builtins = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)]);

/** Extra rules: files under `from` must not import what `forbids` matches. */
const rules = [
  {
    from: /^apps\/(cli|web)\//,
    allows: /^@assay\/(foundation|contracts|plan-graph|client)$|^@assay\/engine\/(offline|home-version)$/,
    why: 'the page and the command line talk to the daemon through client; only the command line may read files through engine/offline and engine/home-version',
  },
  { from: /^packages\/core\/agent\//, forbids: /^@assay\/tools/, why: 'tools are injected into agents' },
  {
    from: /^packages\/surfaces\//,
    forbids: /^@assay\/(http-api|mcp-server|acp-agent|model-gateway|connectors)/,
    why: 'surfaces never import each other',
  },
  { from: /^packages\/shared\/[^/]+\/src\//, forbids: /^node:/, why: 'shared runs in browsers too' },
  {
    from: /^packages\/capabilities\/evaluation\/src\/verify\//,
    forbids: /\/writer\//,
    why: 'what checks a number must not share code with what wrote it',
  },
];

/** All violations in the tree under `root`, one sentence each. */
export function checkLayers(root) {
  const packages = findPackages(root);
  const byName = new Map(packages.map((pkg) => [pkg.name, pkg]));
  const problems = [];
  for (const pkg of packages)
    for (const file of sourceFiles(pkg.dir))
      for (const specifier of importsOf(readFileSync(file, 'utf8')))
        problems.push(...judge({ root, pkg, byName, file, specifier }));
  problems.push(...cycles(packages, byName));
  return problems;
}

function findPackages(root) {
  const folders = layers
    .filter((layer) => layer !== 'apps')
    .flatMap((layer) => listFolders(join(root, 'packages', layer)).map((dir) => ({ dir, layer })));
  const apps = listFolders(join(root, 'apps')).map((dir) => ({ dir, layer: 'apps' }));
  return [...folders, ...apps]
    .filter(({ dir }) => existsSync(join(dir, 'package.json')))
    .map(({ dir, layer }) => {
      const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
      return {
        dir,
        layer,
        name: manifest.name,
        dependencies: Object.keys(manifest.dependencies ?? {}),
        devDependencies: Object.keys(manifest.devDependencies ?? {}),
        entries: Object.keys(manifest.exports ?? {}).map((key) => key.replace(/^\./, '')),
      };
    });
}

function listFolders(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(dir, entry.name));
}

function sourceFiles(dir) {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !/\/(node_modules|fixtures|dist)\//.test(file));
}

const IMPORT =
  /(?:^|[\s;])(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|[^.\w])import\s*\(?\s*['"]([^'"]+)['"]/g;

/** Every module name that a source text imports, types too. */
export function importsOf(text) {
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2]);
}

function judge({ root, pkg, byName, file, specifier }) {
  const where = relative(root, file);
  const isTest = /\/test\//.test(where);
  const problems = ownRules(where, specifier, isTest);
  if (specifier.startsWith('.')) {
    const target = resolve(dirname(file), specifier);
    // The requirement manifests of the root are data for tests.
    if (relative(pkg.dir, target).startsWith('..') && !isTest)
      problems.push(`${where} imports ${specifier}, which is another package's inside`);
    return problems;
  }
  if (builtins.has(specifier)) return problems;
  const name = specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0];
  const listed = isTest
    ? [...pkg.dependencies, ...pkg.devDependencies, pkg.name, ...testTools(root)]
    : pkg.dependencies;
  if (!listed.includes(name)) problems.push(`${where} imports ${name}, which ${pkg.name} does not list`);
  const other = byName.get(name);
  if (other === undefined) return problems;
  if (!other.entries.includes(specifier.slice(name.length)))
    problems.push(`${where} imports ${specifier}, which is not an export of ${name}`);
  if (!isTest && layers.indexOf(other.layer) > layers.indexOf(pkg.layer))
    problems.push(`${where} (${pkg.layer}) imports ${name} of the higher layer ${other.layer}`);
  return problems;
}

/** What the root installs for the tests of every package. */
function testTools(root) {
  return Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies);
}

function ownRules(where, specifier, isTest) {
  return rules
    .filter((rule) => !isTest && rule.from.test(where))
    .filter((rule) =>
      rule.allows === undefined
        ? rule.forbids.test(specifier)
        : specifier.startsWith('@assay/') && !rule.allows.test(specifier),
    )
    .map((rule) => `${where} imports ${specifier}: ${rule.why}`);
}

function cycles(packages, byName) {
  const problems = [];
  const done = new Set();
  const visit = (pkg, path) => {
    if (path.includes(pkg.name)) {
      problems.push(`packages depend on each other: ${[...path.slice(path.indexOf(pkg.name)), pkg.name].join(' → ')}`);
      return;
    }
    if (done.has(pkg.name)) return;
    for (const name of pkg.dependencies) {
      const other = byName.get(name);
      if (other !== undefined) visit(other, [...path, pkg.name]);
    }
    done.add(pkg.name);
  };
  for (const pkg of packages) visit(pkg, []);
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = checkLayers(fileURLToPath(new URL('..', import.meta.url)));
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? 'layers: no violation' : `layers: ${problems.length} violations`);
  process.exit(problems.length === 0 ? 0 : 1);
}
