import type { DatasetShape } from './candidate.ts';
import { inputsOf, isNumeric, textColumn } from './column-matching.ts';
import type { CodeIndex } from './code-index.ts';
import type { ModuleFacts, UsageFacts } from './scan-result.ts';

const DEPTH = 8;

/** By the id of an entry point: the calls of it that the README, tests and docstrings show. */
export type ShownUses = ReadonlyMap<string, readonly UsageFacts[]>;

/** Finds what the shown calls call, and keeps those whose first argument is like the data. */
export function shownUses(usages: readonly UsageFacts[], index: CodeIndex, dataset: DatasetShape): ShownUses {
  const ids = new Map<string, string | undefined>();
  const found = new Map<string, UsageFacts[]>();
  for (const usage of usages) {
    if (!isLikeTheData(usage.given, dataset)) continue;
    const key = `${usage.name}\n${usage.origin === 'docstring' ? usage.path : ''}`;
    if (!ids.has(key)) ids.set(key, calledId(usage, index));
    const id = ids.get(key);
    if (id !== undefined) found.set(id, [...(found.get(id) ?? []), usage]);
  }
  return found;
}

/** A variable can be anything. */
function isLikeTheData(given: string, dataset: DatasetShape): boolean {
  const columns = inputsOf(dataset);
  if (given === 'other') return true;
  if (given === 'text' || given === 'texts') return textColumn(columns) !== undefined || columns.length === 1;
  if (given === 'row') return true;
  return (given === 'number' || given === 'numbers') && columns.some(isNumeric);
}

/** `module:function` or `module:Class.method` of what a call calls; undefined when it is not the repository's. */
export function calledId({ name, origin, path }: UsageFacts, index: CodeIndex): string | undefined {
  const parts = name.split('.');
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const prefix = parts.slice(0, length).join('.');
    const module = index.moduleNamed(prefix) ?? relatively(prefix, index);
    const id = module === undefined ? undefined : idIn(module, parts.slice(length), index, 0);
    if (id !== undefined) return id;
  }
  // A docstring need not import its own module.
  const own = origin === 'docstring' ? index.modules.find((module) => module.path === path) : undefined;
  return own === undefined ? undefined : idIn(own, parts.slice(-2), index, 0);
}

/** Tests inside a package import it by `from . import` or `from ..`. */
function relatively(name: string, index: CodeIndex): ModuleFacts | undefined {
  return index.modules.find((module) => module.module.endsWith(`.${name}`));
}

function idIn(module: ModuleFacts, parts: readonly string[], index: CodeIndex, depth: number): string | undefined {
  const [head = '', ...rest] = parts;
  if (depth > DEPTH || head === '') return undefined;
  if (rest.length === 0 && module.functions.some((facts) => facts.name === head)) return `${module.module}:${head}`;
  const plain = head.replace(/\(\)$/, '');
  const owner = rest.length === 1 ? index.resolveClass(module, plain) : undefined;
  if (owner !== undefined) {
    const name = index.lineage(owner).reduce((found, { facts }) => facts.aliases[found] ?? found, rest[0] ?? '');
    return index.methodsOf(owner).has(name) ? `${owner.module.module}:${owner.facts.name}.${name}` : undefined;
  }
  const made = module.values.find((value) => value.name === head);
  if (made !== undefined) return idIn(module, [...`${made.call}()`.split('.'), ...rest], index, depth + 1);
  const alias = module.aliases[head];
  if (alias !== undefined && /^[\w.()]+$/.test(alias))
    return idIn(module, [...alias.replaceAll(/\([^)]*\)/g, '()').split('.'), ...rest], index, depth + 1);
  const origin = index.originOf(module, plain);
  if (origin !== undefined && (origin.module !== module || origin.name !== plain))
    return idIn(origin.module, [head.replace(plain, origin.name), ...rest], index, depth + 1);
  const inner = index.moduleNamed(`${module.module}.${head}`);
  return inner === undefined || inner === module ? undefined : idIn(inner, rest, index, depth + 1);
}
