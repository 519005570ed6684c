import type { ProgramSource } from './candidate.ts';
import type { CodeIndex } from './code-index.ts';
import { requiredParams } from './infer-shape.ts';
import type { ModuleFacts, ScanResult } from './scan-result.ts';

/** Something of a repository that is started with words. */
export interface Program {
  readonly module: ModuleFacts;
  readonly source: ProgramSource;
  /** The module that says its options; another one when `__main__` only calls it. */
  readonly definedIn: ModuleFacts;
}

/** How a person starts it; `readProgram` reads these words. */
export function shownProgram({ from, name, program }: ProgramSource): string {
  if (from === 'function') return program;
  return from === 'program' ? `python -m ${name}` : `python ${name}`;
}

/**
 * The program that the words of a command line start, and the words that are left for it; why there is none otherwise.
 * What the programs of a repository are called is found by the same rules when they are offered and when they are named.
 */
export function readProgram(
  words: readonly string[],
  scan: ScanResult,
  index: CodeIndex,
):
  { readonly program: Program; readonly rest: readonly string[] } | { readonly what: string; readonly reason: string } {
  const [first = '', ...rest] = words;
  if (!/^python(3(\.\d+)?)?$/.test(first)) {
    const program = programsOf(scan, index).find(({ source }) => shownProgram(source) === first);
    return program === undefined
      ? { what: first, reason: 'the repository installs no program of this name' }
      : { program, rest };
  }
  const isModule = rest[0] === '-m';
  const name = isModule ? (rest[1] ?? '') : (rest[0] ?? '').replace(/^\.\//, '');
  const module = isModule
    ? (index.moduleNamed(`${name}.__main__`) ?? index.moduleNamed(name))
    : index.modules.find((found) => found.path === name);
  if (module === undefined)
    return { what: words.join(' '), reason: `the repository has no ${isModule ? 'module' : 'file'} ${name}` };
  const source = startedAs(isModule ? 'program' : 'path', name);
  return { program: { module, source, definedIn: withOptions(module, index) }, rest: rest.slice(isModule ? 2 : 1) };
}

/** Installed scripts, packages with `__main__`, and files that are programs, each once. */
export function programsOf(scan: ScanResult, index: CodeIndex): Program[] {
  const programs: Program[] = [];
  const taken = new Set<ModuleFacts>();
  const add = (program: Program) => {
    if (taken.has(program.definedIn) || program.definedIn.commands.length === 0) return;
    taken.add(program.definedIn);
    programs.push(program);
  };
  for (const { name, target } of scan.scripts) {
    const [moduleName = '', attribute = 'main'] = target.split(':');
    const module = index.moduleNamed(moduleName);
    if (module === undefined) continue;
    const passArgv = needsArgv(module, attribute);
    const source: ProgramSource = { from: 'function', name: module.module, attribute, passArgv, program: name };
    add({ module, source, definedIn: withOptions(module, index) });
  }
  for (const module of index.modules) {
    const isMain = /(^|\/)__main__\.py$/.test(module.path);
    if (!isMain && !module.isProgram) continue;
    const name = isMain ? module.module.replace(/\.?__main__$/, '') : module.module;
    const isInPackage = module.module.includes('.') && name !== '';
    const source = isInPackage ? startedAs('program', name) : startedAs('path', module.path);
    add({ module, source, definedIn: withOptions(module, index) });
  }
  return programs;
}

function startedAs(from: 'program' | 'path', name: string): ProgramSource {
  return { from, name, attribute: '', passArgv: false, program: name };
}

/** The module itself when it says options, else the first one that it imports from the repository and that does. */
function withOptions(module: ModuleFacts, index: CodeIndex): ModuleFacts {
  if (module.commands.some(({ kind, options }) => kind !== 'argv' || options.length > 0)) return module;
  const reached = index
    .reach(module)
    .modules.filter((found) => found !== module && found.commands.some(({ options }) => options.length > 0));
  return reached[0] ?? module;
}

function needsArgv(module: ModuleFacts, attribute: string): boolean {
  const facts = module.functions.find(({ name }) => name === attribute);
  return facts !== undefined && requiredParams(facts, false).length === 1 && facts.decorators.length === 0;
}
