import { Collector, folderOf, insideRepository, type Declared, type ReadText } from '../declared.ts';
import { parseRequirement } from '../parse-requirement.ts';
import { isSpecifier } from '../specifiers.ts';
import { lineOf } from '../text.ts';
import { isTable, parseToml, stringsOf, tableAt, type Table } from '../toml-table.ts';
import { readPoetry } from './poetry.ts';
import { readRequirementsFile } from './requirements-file.ts';

/**
 * pyproject.toml: `[project]` (PEP 621), what setuptools reads from files for it, poetry and flit. Undefined when it
 * declares no dependencies, as a file that only configures tools.
 */
export async function readPyproject(path: string, read: ReadText): Promise<Declared | undefined> {
  const file = await read(path);
  if (file === undefined) return undefined;
  const collector = new Collector();
  const parsed = parseToml(file.text);
  if ('problem' in parsed) {
    collector.ignore(path, parsed.problem, { file: path, line: parsed.line });
    return collector.result();
  }
  const content = parsed.table;
  const source = { path, text: file.text, read };
  const project = tableAt(content, 'project');
  const poetry = tableAt(content, 'tool', 'poetry');
  const flit = tableAt(content, 'tool', 'flit', 'metadata');
  leftOut(content, collector, source);
  if (project !== undefined && (await readProject(project, content, { collector, source })))
    return done(collector, path);
  if (poetry?.['dependencies'] !== undefined) {
    readPoetry(poetry, { collector, path, text: file.text });
    return done(collector, path);
  }
  if (flit === undefined) return undefined;
  addStrings(stringsOf(flit['requires']), { collector, source });
  addPython(flit['requires-python'], { collector, source });
  return done(collector, path);
}

interface Source {
  readonly path: string;
  readonly text: string;
  readonly read: ReadText;
}
interface Target {
  readonly collector: Collector;
  readonly source: Source;
}

function done(collector: Collector, path: string): Declared {
  if (!collector.files.includes(path)) collector.files.unshift(path);
  return collector.result();
}

/** True when `[project]` says what is needed, itself or through files that setuptools reads. */
async function readProject(project: Table, content: Table, target: Target): Promise<boolean> {
  addPython(project['requires-python'], target);
  const { collector, source } = target;
  if (project['dependencies'] !== undefined) {
    addStrings(stringsOf(project['dependencies']), target);
    return true;
  }
  if (!stringsOf(project['dynamic']).includes('dependencies')) return false;
  const dynamic = tableAt(content, 'tool', 'setuptools', 'dynamic', 'dependencies');
  const hatch = tableAt(content, 'tool', 'hatch', 'metadata', 'hooks', 'requirements_txt');
  const named = dynamic === undefined ? hatch?.['files'] : dynamic['file'];
  const files = typeof named === 'string' ? [named] : stringsOf(named);
  for (const file of files) {
    const path = insideRepository(folderOf(source.path), file);
    if (path !== undefined) collector.add(await readRequirementsFile(path, source.read));
  }
  return files.length > 0;
}

function addPython(value: unknown, { collector, source }: Target): void {
  if (typeof value !== 'string') return;
  const origin = { file: source.path, line: lineOf(source.text, value) };
  if (isSpecifier(value)) collector.requiresPython.push({ specifier: value.replace(/\s+/g, ''), origin });
  else collector.ignore(`requires-python = "${value}"`, 'it is not a version range', origin);
}

function addStrings(strings: readonly string[], { collector, source }: Target): void {
  const start = Math.max(0, source.text.search(/^\s*(dependencies|requires)\s*=/m));
  for (const text of strings) {
    const origin = { file: source.path, line: lineOf(source.text, text, start) };
    const parsed = parseRequirement(text, origin);
    if ('problem' in parsed) collector.ignore(text, `it cannot be read: ${parsed.problem}`, origin);
    else {
      if (parsed.note !== null) collector.ignore(text, parsed.note, origin);
      collector.requirements.push(parsed.requirement);
    }
  }
}

/** Groups that a benchmark does not need are named, so that a person can see them. */
function leftOut(content: Table, collector: Collector, { path, text }: Source): void {
  const groups: readonly (readonly [keys: readonly string[], why: string])[] = [
    [['project', 'optional-dependencies'], 'optional: nothing asks for it'],
    [['tool', 'poetry', 'extras'], 'optional: nothing asks for it'],
    [['dependency-groups'], 'for developing, testing or documents'],
    [['tool', 'poetry', 'group'], 'for developing, testing or documents'],
    [['tool', 'pdm', 'dev-dependencies'], 'for developing, testing or documents'],
    [['tool', 'hatch', 'envs'], 'environments of a tool for developing'],
  ];
  for (const [keys, why] of groups) {
    const table = tableAt(content, ...keys);
    for (const name of Object.keys(table ?? {}))
      collector.ignore(`[${keys.join('.')}] ${name}`, why, { file: path, line: lineOf(text, keys.join('.')) });
  }
  for (const keys of [
    ['tool', 'poetry', 'dev-dependencies'],
    ['tool', 'uv', 'dev-dependencies'],
  ]) {
    const [value, origin] = [valueAt(content, keys), { file: path, line: lineOf(text, keys.join('.')) }];
    if (value !== undefined) collector.ignore(`[${keys.join('.')}]`, 'for developing, testing or documents', origin);
  }
  const indexes = [
    ['tool', 'poetry', 'source'],
    ['tool', 'uv', 'index'],
  ].filter((keys) => valueAt(content, keys) !== undefined);
  for (const keys of indexes)
    collector.ignore(
      `[[${keys.join('.')}]]`,
      'packages come only from the index that this machine is configured for; a repository cannot name another',
      { file: path, line: lineOf(text, keys.join('.')) },
    );
}

function valueAt(content: Table, keys: readonly string[]): unknown {
  let value: unknown = content;
  for (const key of keys) value = isTable(value) ? value[key] : undefined;
  return value;
}
