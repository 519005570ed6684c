import { pythonImports } from './python-source.ts';
import { isStandardLibrary } from './python-standard-library.ts';

export interface ThirdPartyImport {
  readonly module: string;
  /** True when a file that is not a test, a document or packaging imports it always. */
  readonly isRequired: boolean;
  /** At most 5 files that import it. */
  readonly files: readonly string[];
}

const beside =
  /(^|\/)(tests?|docs?|examples?|demos?|notebooks?|benchmarks?|scripts|tools)\/|(^|\/)(setup|conftest|noxfile|fabfile|tasks)\.py$|(^|\/)test_[^/]*\.py$|_test\.py$/;

/** Imports that are neither the standard library's nor the repository's own, in order of their name. */
export function thirdPartyImports(
  python: readonly { readonly path: string; readonly source: string }[],
  paths: readonly string[],
): ThirdPartyImport[] {
  const own = ownModules(paths);
  const found = new Map<string, { isRequired: boolean; files: string[] }>();
  for (const { path, source } of python)
    for (const { module, isConditional } of pythonImports(source)) {
      if (own.has(module) || isStandardLibrary(module)) continue;
      const entry = found.get(module) ?? { isRequired: false, files: [] };
      found.set(module, entry);
      if (!isConditional && !beside.test(path)) entry.isRequired = true;
      if (entry.files.length < 5 && !entry.files.includes(path)) entry.files.push(path);
    }
  return [...found].map(([module, entry]) => ({ module, ...entry })).sort((a, b) => (a.module < b.module ? -1 : 1));
}

/** A script imports its neighbours by their bare name, so every module's and package's own name counts. */
function ownModules(paths: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const path of paths) {
    if (!/\.(py|pyi|so|pyd)$/.test(path)) continue;
    const parts = path.split('/');
    for (const folder of parts.slice(0, -1)) names.add(folder);
    names.add((parts.at(-1) ?? '').replace(/\..*$/, ''));
  }
  return names;
}
