import { isPredictionName, type Goal } from './call-names.ts';
import type { ObjectSource } from './candidate.ts';
import type { CodeIndex, ResolvedClass } from './code-index.ts';
import { constructionOf } from './construction.ts';
import { requiredParams } from './infer-shape.ts';
import { filesFor } from './repository-files.ts';
import type { FunctionFacts, ModuleFacts } from './scan-result.ts';
import type { ShownUses } from './shown-uses.ts';
import { isTrainingFunction } from './training.ts';

/** A prediction-like function or method, before anything is known of it. */
export interface EntryPoint {
  readonly id: string;
  /** Module to import. */
  readonly module: ModuleFacts;
  readonly owner: ResolvedClass | undefined;
  readonly facts: FunctionFacts;
  /** Where the code stands; another module when it is inherited. */
  readonly definedIn: ModuleFacts;
  /** How the object comes to be when it is not made from its class; with what was seen of it. */
  readonly made?: {
    readonly source: ObjectSource;
    readonly why: string;
    readonly isLoaded: boolean;
    /** The function that gives it when it is handed the training rows. */
    readonly trainedBy?: FunctionFacts;
  };
}

/**
 * Every function and method whose public name starts like a prediction, in the order of the files, `wanted`, and what the
 * README, a test or a docstring calls with something like the data.
 */
export function entryPoints(
  index: CodeIndex,
  goal: Goal,
  { wanted, shown }: { readonly wanted?: string | undefined; readonly shown?: ShownUses } = {},
): EntryPoint[] {
  const isOffered = (id: string, name: string) =>
    isPredictionName(name, goal) || id === wanted || (shown?.has(id) === true && isPublicCall(name));
  return index.modules.flatMap((module) => [
    ...module.functions
      .map((facts) => functionPoint(module, facts))
      .filter(({ id, facts }) => isOffered(id, facts.name)),
    ...module.classes
      .flatMap((facts) => methodPoints(index, { facts, module }))
      .filter(({ id, facts }) => isOffered(id, facts.name)),
    ...madePoints(index, module, goal).filter(({ id, facts }) => isOffered(id, facts.name)),
  ]);
}

/** Constructors are no predictions, and private helpers are not offered. */
function isPublicCall(name: string): boolean {
  return !name.startsWith('_') && !notAsking.test(name);
}

const notAsking =
  /^(set|add|save|load|train|fit|partial_fit|learn|plot|show|print|log|init|setup|update|remove|delete|write|register|read|open|clean|cleanup|tokeni[sz]e|normali[sz]e|preprocess|main)(_|[A-Z]|$)/;

function functionPoint(module: ModuleFacts, facts: FunctionFacts): EntryPoint {
  return { id: `${module.module}:${facts.name}`, module, owner: undefined, facts, definedIn: module };
}

function methodPoints(index: CodeIndex, owner: ResolvedClass): EntryPoint[] {
  return [...index.methodsOf(owner).values()].map(({ method, module }) => ({
    id: `${owner.module.module}:${owner.facts.name}.${method.name}`,
    module: owner.module,
    owner,
    facts: method,
    definedIn: module,
  }));
}

/** True for a function that gives something that is ready, not something to be trained. */
export function isLoadingName(name: string): boolean {
  return /^(load|restore|from|get_trained|get_pretrained|open|read)(_|$)|pretrained|trained/.test(name);
}

/** Objects of the repository's classes that the code makes itself: a name of the module, a factory, a loading method. */
function madePoints(index: CodeIndex, module: ModuleFacts, goal: Goal): EntryPoint[] {
  const points: EntryPoint[] = [];
  const add = (call: string, made: NonNullable<EntryPoint['made']>, label: string) => {
    const owner = index.resolveClass(module, call) ?? loadedClass(index, module, call);
    if (owner === undefined) return;
    // What can be made without arguments is offered as its class already.
    if (!made.isLoaded && !('reason' in constructionOf(index, owner))) return;
    for (const point of methodPoints(index, owner))
      points.push({ ...point, id: `${module.module}:${label}.${point.facts.name}`, module, made });
  };
  for (const { name, line, call } of module.values) {
    const source = { from: 'value', name, paths: [] } as const;
    const isLoaded = call.includes('.') && isLoadingName(call.split('.').at(-1) ?? '');
    add(call, { source, why: `${module.path}:${line} makes ${name} with ${call}()`, isLoaded }, name);
  }
  for (const facts of module.functions) {
    if (isTrainingFunction(facts)) {
      const source = { from: 'trained', name: facts.name } as const;
      const why = `${module.path}:${facts.line} ${facts.name}() gives the trained object`;
      for (const call of facts.gives) add(call, { source, why, isLoaded: true, trainedBy: facts }, `${facts.name}()`);
    }
    if (isPredictionName(facts.name, goal) || facts.name === 'main') continue;
    const files = filesFor(requiredParams(facts, false), index);
    if ('missing' in files) continue;
    const source = { from: 'call', name: facts.name, paths: files.paths } as const;
    const why = `${module.path}:${facts.line} ${facts.name}() gives the object`;
    for (const call of facts.gives) add(call, { source, why, isLoaded: isLoadingName(facts.name) }, `${facts.name}()`);
  }
  for (const facts of module.classes) points.push(...loadedPoints(index, { facts, module }));
  return points;
}

/** `Model.load(…)` is a Model. */
function loadedClass(index: CodeIndex, module: ModuleFacts, call: string): ResolvedClass | undefined {
  const [name, attribute] = [call.split('.').slice(0, -1).join('.'), call.split('.').at(-1) ?? ''];
  return name !== '' && isLoadingName(attribute) ? index.resolveClass(module, name) : undefined;
}

/** Class methods that give a ready object, from a file of the repository or without one. */
function loadedPoints(index: CodeIndex, owner: ResolvedClass): EntryPoint[] {
  const points: EntryPoint[] = [];
  for (const { method, module } of index.methodsOf(owner).values()) {
    const isClassMethod = method.decorators.some((text) => text === 'classmethod' || text === 'staticmethod');
    if (!isClassMethod || !isLoadingName(method.name) || method.isStub) continue;
    const files = filesFor(requiredParams(method, true), index);
    if ('missing' in files) continue;
    const { name } = owner.facts;
    const source: ObjectSource = { from: 'loaded', name, attribute: method.name, paths: files.paths };
    const given = files.paths.length === 0 ? '' : ` from ${files.paths.join(', ')}`;
    const why = `${module.path}:${method.line} ${name}.${method.name}() gives a ready object${given}`;
    for (const point of methodPoints(index, owner))
      points.push({
        ...point,
        id: `${owner.module.module}:${name}.${method.name}().${point.facts.name}`,
        made: { source, why, isLoaded: true },
      });
  }
  return points;
}
