// The ids in test/requirements/ and the ids that tests cite with verifies('…'), read from the source texts.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ID = /'([a-z0-9-]+(?:\.[a-z0-9-]+)+)'/g;

/** Every promised id with the file that promises it. Ids are the keys of the exported objects. */
export function promisedIds(root) {
  const folder = join(root, 'test/requirements');
  const found = new Map();
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.ts')))
    for (const [, id] of readFileSync(join(folder, name), 'utf8').matchAll(/^ {2}'([^']+)': \{/gm)) {
      if (found.has(id)) throw new Error(`${id} is promised twice: ${found.get(id)} and ${name}`);
      found.set(id, name);
    }
  return found;
}

/** Every cited id with the test files that cite it. */
export function citedIds(root) {
  const cited = new Map();
  for (const file of testFiles(root))
    for (const [, args] of readFileSync(file, 'utf8').matchAll(/\bverifies\(([^)]*)\)/g))
      for (const [, id] of args.matchAll(ID)) cited.set(id, [...(cited.get(id) ?? []), relative(root, file)]);
  return cited;
}

function testFiles(root) {
  return ['packages', 'apps', 'test', 'testkit', 'bench', 'tools']
    .map((name) => join(root, name))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { withFileTypes: true, recursive: true }))
    .filter(
      (entry) => entry.isFile() && /\.(test|acceptance)\.ts$|-acceptance\.ts$|acceptance[^/]*\.ts$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !file.includes('node_modules'));
}
