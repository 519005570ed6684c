import { isPredictionName } from './call-names.ts';
import type { CodeIndex, ResolvedClass } from './code-index.ts';
import type { FunctionFacts, ModuleFacts } from './scan-result.ts';

/** A prediction-like function or method, before anything is known of it. */
export interface EntryPoint {
  readonly id: string;
  /** Module to import. */
  readonly module: ModuleFacts;
  readonly owner: ResolvedClass | undefined;
  readonly facts: FunctionFacts;
  /** Where the code stands; another module when it is inherited. */
  readonly definedIn: ModuleFacts;
}

/** Every function and method whose public name starts like a prediction, in the order of the files. */
export function entryPoints(index: CodeIndex): EntryPoint[] {
  return index.modules.flatMap((module) => [
    ...module.functions.filter((facts) => isPredictionName(facts.name)).map((facts) => functionPoint(module, facts)),
    ...module.classes.flatMap((facts) => methodPoints(index, { facts, module })),
  ]);
}

function functionPoint(module: ModuleFacts, facts: FunctionFacts): EntryPoint {
  return { id: `${module.module}:${facts.name}`, module, owner: undefined, facts, definedIn: module };
}

function methodPoints(index: CodeIndex, owner: ResolvedClass): EntryPoint[] {
  return [...index.methodsOf(owner).values()]
    .filter(({ method }) => isPredictionName(method.name))
    .map(({ method, module }) => ({
      id: `${owner.module.module}:${owner.facts.name}.${method.name}`,
      module: owner.module,
      owner,
      facts: method,
      definedIn: module,
    }));
}
