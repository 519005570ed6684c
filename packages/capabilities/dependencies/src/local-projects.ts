import { declarationsOf, type Tree } from './declarations.ts';
import { joinDeclared, nothingDeclared, type Declared } from './declared.ts';
import type { Origin, Requirement } from './requirement.ts';

export interface LocalProjects {
  /** What is needed once packages of the repository itself are replaced by what they need. */
  readonly declared: Declared;
  readonly pythonPath: readonly string[];
  readonly build: { readonly why: string; readonly origin: Origin } | null;
}

const MOST_PROJECTS = 20;

/**
 * Replaces `-e .` and `./libs/tool` by what those projects declare: their code is imported from the read-only
 * repository, without being built. A project with compiled extensions would have to be built, and that is said.
 */
export async function findLocalProjects(tree: Tree, declared: Declared): Promise<LocalProjects> {
  const parts: Declared[] = [{ ...declared, requirements: [] }];
  const pythonPath: string[] = [];
  const seen = new Set<string>();
  const queue = [...declared.requirements];
  let build: LocalProjects['build'] = null;
  const kept: Requirement[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const path = projectPath(next);
    if (path === undefined) {
      kept.push(next);
      continue;
    }
    if (seen.has(path) || seen.size >= MOST_PROJECTS) continue;
    seen.add(path);
    const project = await readProject(tree, path, next);
    parts.push({ ...project.declared, requirements: [] });
    queue.unshift(...project.declared.requirements);
    if (project.isThere) pythonPath.push(...project.pythonPath);
    build ??= project.build;
  }
  return { declared: { ...joinDeclared(parts), requirements: kept }, pythonPath: [...new Set(pythonPath)], build };
}

/** A folder of the repository that is listed as a requirement; a wheel that lies in it is no project. */
function projectPath({ place }: Requirement): string | undefined {
  if (place.kind !== 'path' || /\.(whl|tar\.gz|zip)$/.test(place.path)) return undefined;
  return place.path === '.' ? '' : place.path;
}

interface Project {
  readonly declared: Declared;
  readonly isThere: boolean;
  readonly pythonPath: readonly string[];
  readonly build: LocalProjects['build'];
}

async function readProject(tree: Tree, folder: string, requirement: Requirement): Promise<Project> {
  const what = folder === '' ? '.' : `./${folder}`;
  const inFolder = (name: string) => (folder === '' ? name : `${folder}/${name}`);
  const there = ['pyproject.toml', 'setup.py', 'setup.cfg'].some((name) => tree.files.includes(inFolder(name)));
  if (!there) {
    const why =
      'it is listed as a package of the repository, and there is no pyproject.toml, setup.py or setup.cfg in it';
    return { declared: ignoring(what, why, requirement.origin), isThere: false, pythonPath: [], build: null };
  }
  const { found } = await declarationsOf(tree, folder, { packagingOnly: true });
  const first = found.find(({ declared }) => declared.requirements.length > 0);
  const facts = tree.files.includes(inFolder('setup.py')) ? await tree.setupFacts(inFolder('setup.py')) : undefined;
  const why = 'it is imported from the read-only repository and not built; what it needs is installed';
  const extras =
    requirement.extras.length === 0
      ? nothingDeclared
      : ignoring(
          `${what}[${requirement.extras.join(',')}]`,
          'extras of the repository’s own package are not installed',
          requirement.origin,
        );
  const source = facts?.packageDir ?? (tree.files.some((file) => file.startsWith(inFolder('src/'))) ? 'src' : '');
  return {
    declared: joinDeclared([first?.declared ?? nothingDeclared, ignoring(what, why, requirement.origin), extras]),
    isThere: true,
    pythonPath: [source === '' ? (folder === '' ? '.' : folder) : inFolder(source)],
    build:
      facts?.extensions == null
        ? null
        : {
            why: `${inFolder('setup.py')} builds compiled extensions (${facts.extensions.what})`,
            origin: { file: inFolder('setup.py'), line: facts.extensions.line },
          },
  };
}

function ignoring(what: string, why: string, origin: Origin): Declared {
  return { ...nothingDeclared, ignored: [{ what, why, origin }] };
}
