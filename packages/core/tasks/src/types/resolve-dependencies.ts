import { lstat, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError } from '@assay/foundation';
import type { Recognition } from '@assay/adapter-generator';
import {
  decodeText,
  parseSetupFacts,
  requirementText,
  resolveSpec,
  type DependencySpec,
  type ReadText,
  type SetupFacts,
} from '@assay/dependencies';
import type { RepositoryManifest } from '@assay/repositories';
import { adapterSpecValue, valueOf, workspaceValue } from '../benchmark-values.ts';
import { runPythonTool } from '../python-tool.ts';
import { inside } from '../sandbox-specs.ts';
import type { TaskContext, TaskType } from '../task-type.ts';

const MOST_BYTES = 1 << 20;
/** Lock files of large projects name the files of every platform. */
const MOST_LOCK_BYTES = 4 << 20;
const MOST_FILES = 20_000;
/** As far as files that declare something are looked for. */
const DEPTH = 3;

/** Reads which packages the entry point needs from what the repository declares, else from its imports. */
export const resolveDependencies: TaskType = {
  type: 'resolve_dependencies',
  codeVersion: 2,
  async run(context) {
    const manifest = (await context.input('repo_manifest')).value as RepositoryManifest;
    const workspace = valueOf(workspaceValue, await context.input('workspace_path'));
    const adapter = valueOf(adapterSpecValue, await context.input('benchmark_adapter_spec'));
    const { candidates } = (await context.input('benchmark_adapter_plan')).value as Recognition;
    const root = join(context.paths.root, workspace.path);
    const entryFile = candidates.find(({ entrypoint }) => entrypoint === adapter.entrypoint)?.file ?? '';
    const importers = (module: string) => manifest.thirdPartyImports.find((one) => one.module === module)?.files ?? [];
    const spec = await resolveSpec({
      files: await shallowFiles(root),
      read: reader(root),
      setupFacts: (path) => setupFacts(context, root, path),
      entryFile,
      imports: adapter.thirdPartyImports,
      lazyImports: manifest.thirdPartyImports
        .filter(({ files }) => files.includes(entryFile))
        .map(({ module }) => module),
      importers,
    });
    for (const { what, why, origin } of spec.ignored)
      context.log('info', `${origin.file}:${origin.line} ${what}: ${why}`);
    if (context.plan.inputs.install === false) requireNothing(spec, adapter.entrypoint);
    return { outputs: { dependency_spec: { type: 'dependency_spec', value: spec } }, summary: summaryOf(spec) };
  },
};

function reader(root: string): ReadText {
  return async (path) => {
    const file = join(root, path);
    const stat = await lstat(file).catch(() => undefined);
    if (stat?.isFile() !== true || stat.size > (path.endsWith('.lock') ? MOST_LOCK_BYTES : MOST_BYTES))
      return undefined;
    return decodeText(await readFile(file));
  };
}

/** setup.py is parsed in the sandbox: the parser itself is not to be trusted with a stranger's file. */
async function setupFacts(context: TaskContext, root: string, path: string): Promise<SetupFacts> {
  const printed = await runPythonTool(context, {
    session: `setup-${path.replaceAll('/', '-')}`,
    script: 'read_setup.py',
    args: [`${inside.workspace}/${path}`],
    mounts: [{ source: root, target: inside.workspace, mode: 'ro' }],
  });
  return parseSetupFacts(printed);
}

/** The paths of the tree's upper folders; names that are no UTF-8 declare nothing. */
async function shallowFiles(root: string): Promise<string[]> {
  const found: string[] = [];
  const queue = [''];
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (found.length >= MOST_FILES) return found;
      if (entry.isFile()) found.push(path);
      else if (entry.isDirectory() && path.split('/').length < DEPTH && entry.name !== '.scholar') queue.push(path);
    }
  }
  return found;
}

function requireNothing(spec: DependencySpec, entrypoint: string): void {
  if (spec.requirements.length === 0) return;
  const named = spec.requirements.map((one) => `${requirementText(one)} (${one.origin.file}:${one.origin.line})`);
  throw new AssayError('dependencies_required', `${entrypoint} needs packages, and installing is switched off`, {
    why: `it needs ${named.slice(0, 10).join(', ')}${named.length > 10 ? ` and ${named.length - 10} more` : ''}`,
    hint: 'leave --no-install out, or name an entry point that needs only the standard library with --entry',
    details: { requirements: named },
  });
}

function summaryOf({ requirements, source, files }: DependencySpec): string {
  if (requirements.length === 0) return 'the standard library is enough';
  const where = source === 'imports' ? 'by its imports' : `by ${files[0] ?? source}`;
  return `needs ${requirements.length} ${requirements.length === 1 ? 'package' : 'packages'} ${where}: ${requirements
    .slice(0, 6)
    .map(({ name, specifier }) => name + specifier)
    .join(', ')}${requirements.length > 6 ? ' …' : ''}`;
}
