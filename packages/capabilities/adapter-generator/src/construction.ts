import type { CodeIndex, ResolvedClass } from './code-index.ts';
import { requiredParams } from './infer-shape.ts';
import { filesFor } from './repository-files.ts';

export interface Construction {
  /** Files of the repository that the constructor is given. */
  readonly paths: readonly string[];
  /** The method that loads what the object needs, and its files. */
  readonly prepare?: { readonly name: string; readonly paths: readonly string[] };
}

/** How an instance is made without knowing more than the repository: without arguments, or from its own files. */
export function constructionOf(index: CodeIndex, owner: ResolvedClass): Construction | { readonly reason: string } {
  const unfit = whyNoClass(index, owner);
  if (unfit !== undefined) return { reason: unfit };
  const methods = index.methodsOf(owner);
  const init = methods.get('__init__');
  if (init === undefined) {
    const needed = missingFields(index.lineage(owner));
    return needed.length === 0
      ? withLoading(index, owner, [])
      : { reason: `its constructor needs ${needed.join(', ')}` };
  }
  const files = filesFor(requiredParams(init.method, true), index);
  return 'missing' in files
    ? { reason: `its constructor needs ${files.missing.join(', ')}` }
    : withLoading(index, owner, files.paths);
}

const loadingNames = [
  'load',
  'load_model',
  'load_weights',
  'load_models',
  'restore',
  'initialize',
  'initialise',
  'warm_up',
];

/** An object that has a method to load what it learned, and none to learn. */
function withLoading(index: CodeIndex, owner: ResolvedClass, paths: readonly string[]): Construction {
  const methods = index.methodsOf(owner);
  const isLoadedByInit = paths.length > 0;
  if (isLoadedByInit || methods.has('fit') || methods.has('train') || methods.has('learn')) return { paths };
  for (const name of loadingNames) {
    const found = methods.get(name)?.method;
    if (found === undefined || found.isStub || found.decorators.length > 0) continue;
    const files = filesFor(requiredParams(found, true), index);
    if ('paths' in files) return { paths, prepare: { name, paths: files.paths } };
  }
  return { paths };
}

function whyNoClass(index: CodeIndex, owner: ResolvedClass): string | undefined {
  const { facts } = owner;
  if (facts.name.startsWith('_')) return 'its class is private';
  if (/^(Base|Abstract)|(Base|Abstract|Mixin|Interface|Protocol)$/.test(facts.name))
    return 'its class is a base for others';
  if (facts.bases.some((base) => /(Protocol|Enum|TypedDict|Exception|TestCase)$/.test(base)))
    return `its class is a ${facts.bases.join(', ')}`;
  for (const [name, { method }] of index.methodsOf(owner))
    if (method.decorators.some((text) => /abstract(method|property)/.test(text)))
      return `its class leaves ${name} to subclasses`;
  return undefined;
}

/** Dataclasses and named tuples are made from their fields. */
function missingFields(lineage: readonly ResolvedClass[]): string[] {
  const makesInit = ({ facts }: ResolvedClass) =>
    facts.decorators.some((text) => /^(dataclasses\.)?dataclass|^attrs?\.|^define/.test(text)) ||
    facts.bases.some((base) => base.endsWith('NamedTuple'));
  return lineage
    .filter(makesInit)
    .flatMap(({ facts }) => facts.fields)
    .filter((field) => !field.hasDefault)
    .map((field) => field.name);
}
