import type { CodeIndex } from './code-index.ts';
import type { ParamFacts } from './scan-result.ts';

/** Names that say a path by themselves, and those that could as well be the thing itself. */
const isPathName = /(path|file|filename|fname)$/i;
const isFileName =
  /(weights?|vocab(ulary)?|lexicon|dictionary|model|checkpoint|ckpt|config|wordlist|corpus|resource)$/i;
const notData =
  /(^|\/)(readme|license|licence|changelog|requirements|setup|pyproject|manifest|makefile|dockerfile|tox|\.)/i;
const dataFile =
  /\.(pkl|pickle|joblib|skops|json|jsonl|txt|csv|tsv|ya?ml|bin|model|pt|pth|npz|npy|dat|gz|bz2|xz|zip|db|sqlite3?|crfsuite|marshal|weights|vec)$/i;

/**
 * The one file of the repository that a parameter such as `weights_file` can mean: the only data file, or the only one
 * whose name shares a word with the parameter. Undefined when there is none or several.
 */
export function fileFor(param: ParamFacts, index: CodeIndex): string | undefined {
  const annotation = param.annotation ?? '';
  const isOpened =
    param.uses?.passedTo?.some(({ to }) => /(^|\.)(open|read_\w+|load|Path|read_text)$/.test(to)) === true;
  const named =
    isPathName.test(param.name) ||
    /\b(Path|PathLike|FilePath)\b/.test(annotation) ||
    (isFileName.test(param.name) && (annotation === 'str' || isOpened));
  if (!named) return undefined;
  const files = index.files.filter(
    (path) => dataFile.test(path) && !notData.test(path) && !/(^|\/)tests?\//i.test(path),
  );
  const words = param.name
    .toLowerCase()
    .split('_')
    .filter((word) => word.length > 2 && !['path', 'file', 'filename', 'fname', 'the'].includes(word));
  const sharing = files.filter((path) => words.some((word) => path.toLowerCase().includes(word)));
  if (sharing.length === 1) return sharing[0];
  return sharing.length === 0 && files.length === 1 ? files[0] : undefined;
}

/** The files for all parameters, or the name of the first that no file can be found for. */
export function filesFor(
  params: readonly ParamFacts[],
  index: CodeIndex,
): { readonly paths: readonly string[] } | { readonly missing: readonly string[] } {
  const found = params.map((param) => ({ name: param.name, path: fileFor(param, index) }));
  const missing = found.filter(({ path }) => path === undefined).map(({ name }) => name);
  return missing.length > 0 ? { missing: params.map(({ name }) => name) } : { paths: found.map(({ path }) => path!) };
}

/** Folder to run in, relative to the repository: the one from which most of the files that the code names are seen. */
export function workingFolder(
  relativeFiles: readonly { readonly folders: readonly string[] }[],
  importRoot: string,
): string {
  const votes = new Map<string, number>();
  for (const { folders } of relativeFiles)
    for (const folder of folders) votes.set(folder, (votes.get(folder) ?? 0) + 1);
  const best = [...votes].sort((a, b) => b[1] - a[1] || rank(a[0], importRoot) - rank(b[0], importRoot))[0];
  return best?.[0] ?? '';
}

/** The root first, then the folder that imports begin at. */
function rank(folder: string, importRoot: string): number {
  if (folder === '') return 0;
  return folder === importRoot ? 1 : 2;
}
