import { insideRepository, type Declared, type ReadText } from './declared.ts';
import type { DeclarationKind } from './dependency-spec.ts';
import type { Ignored } from './requirement.ts';
import { readConda } from './readers/conda.ts';
import { readPipfile } from './readers/pipfile.ts';
import { readPyproject } from './readers/pyproject.ts';
import { readRequirementsFile } from './readers/requirements-file.ts';
import { readSetupCfg } from './readers/setup-cfg.ts';
import { readSetupPy, type SetupFacts } from './readers/setup-py.ts';

export interface Tree {
  /** Paths of the repository that declare something, relative to its root. */
  readonly files: readonly string[];
  readonly read: ReadText;
  /** The syntax tree's facts of a setup.py, read in the sandbox. */
  readonly setupFacts: (path: string) => Promise<SetupFacts | undefined>;
}

export interface Found {
  readonly kind: DeclarationKind;
  readonly declared: Declared;
}

/** Everything that a folder declares, in the order of belief, and the files that were passed over with the reason. */
export async function declarationsOf(
  tree: Tree,
  folder: string,
  options: { readonly packagingOnly?: boolean } = {},
): Promise<{ readonly found: readonly Found[]; readonly passedOver: readonly Ignored[] }> {
  const path = (name: string) => insideRepository(folder, name) ?? name;
  const here = new Set(tree.files);
  const found: Found[] = [];
  const add = (kind: DeclarationKind, declared: Declared | undefined) => {
    if (declared !== undefined) found.push({ kind, declared });
  };
  const lists =
    options.packagingOnly === true ? { chosen: undefined, passedOver: [] } : requirementsFiles(tree, folder);
  if (lists.chosen !== undefined) add('requirements file', await readRequirementsFile(lists.chosen, tree.read));
  if (here.has(path('pyproject.toml'))) add('pyproject.toml', await readPyproject(path('pyproject.toml'), tree.read));
  if (here.has(path('setup.cfg'))) add('setup.cfg', await readSetupCfg(path('setup.cfg'), tree.read));
  const facts = here.has(path('setup.py')) ? await tree.setupFacts(path('setup.py')) : undefined;
  if (facts !== undefined) add('setup.py', await readSetupPy(path('setup.py'), facts, tree.read));
  if (options.packagingOnly === true) return { found, passedOver: [] };
  if (here.has(path('Pipfile'))) add('Pipfile', await readPipfile(path('Pipfile'), tree.read));
  for (const name of ['environment.yml', 'environment.yaml', 'conda.yml', 'conda.yaml'])
    if (here.has(path(name))) add('environment.yml', await readConda(path(name), tree.read));
  return { found, passedOver: lists.passedOver };
}

/** Names of lists of what a program needs to run, the best first. */
const runNames = [
  '',
  'base',
  'main',
  'core',
  'common',
  'prod',
  'production',
  'runtime',
  'run',
  'install',
  'minimal',
  'min',
  'cpu',
  'all',
];
const besideNames =
  /^(dev|devel|develop|development|test|tests|testing|doc|docs|lint|ci|build|release|tools|style|format|typing|bench|notebook|notebooks|examples?)\b/i;

function requirementsFiles(tree: Tree, folder: string): { chosen: string | undefined; passedOver: Ignored[] } {
  const prefix = folder === '' ? '' : `${folder}/`;
  const named = tree.files.flatMap((file) => {
    if (!file.startsWith(prefix)) return [];
    const rest = file.slice(prefix.length);
    const match =
      /^requirements?(?:[-_.]([\w-]+))?\.(txt|in)$/i.exec(rest) ??
      /^requirements?\/([\w-]+)\.(txt|in)$/i.exec(rest) ??
      /^([\w-]+)[-_]requirements\.(txt|in)$/i.exec(rest);
    return match === null
      ? []
      : [{ file, name: (match[1] ?? '').replace(/^requirements?$/i, '').toLowerCase(), isList: match[2] === 'txt' }];
  });
  const rank = ({ name, isList }: (typeof named)[number]) => runNames.indexOf(name) * 2 + (isList ? 0 : 1);
  const usable = named.filter(({ name }) => runNames.includes(name)).sort((a, b) => rank(a) - rank(b));
  const chosen = usable[0]?.file;
  const passedOver = named
    .filter(({ file }) => file !== chosen)
    .map(({ file, name }) => ({ what: file, why: whyPassedOver(name, chosen), origin: { file, line: 1 } }));
  return { chosen, passedOver };
}

function whyPassedOver(name: string, chosen: string | undefined): string {
  if (besideNames.test(name)) return 'for developing, testing or documents';
  return runNames.includes(name) && chosen !== undefined
    ? `${chosen} stands before it`
    : 'its name says that it is for another purpose';
}
