import type { CodeIndex } from './code-index.ts';
import type { EntryPoint } from './entry-points.ts';
import { requiredParams } from './infer-shape.ts';
import { filesFor } from './repository-files.ts';
import type { FunctionFacts } from './scan-result.ts';

/** The function of a module that gives the model which its prediction functions take. */
export interface Loader {
  readonly attribute: string;
  /** Files of the repository that it is given. */
  readonly paths: readonly string[];
  readonly evidence: string;
}

const loaderNames =
  /^(load|read|restore|get|open|init|create|build|make)_?(\w*_)?(model|classifier|weights|state|rules|lexicon|parameters|params)?s?$/i;
const preparationNames =
  /^(load|load_\w+|init|init_\w+|initiali[sz]e\w*|setup|set_up|prepare|warm_?up|train|train_model|train_classifier|fit|build_index|build_model)$/;

/** A function beside the entry point that loads or makes a model without being given data. */
export function loaderBeside(index: CodeIndex, point: EntryPoint): Loader | undefined {
  const fitting = point.module.functions.filter(
    (facts) =>
      (loaderNames.test(facts.name) || /^train(_\w+)?$/.test(facts.name)) && facts.returns.length > 0 && !facts.isStub,
  );
  fitting.sort((a, b) => Number(b.name.startsWith('load')) - Number(a.name.startsWith('load')));
  for (const facts of fitting) {
    const files = filesFor(requiredParams(facts, false), index);
    if ('missing' in files) continue;
    const given = files.paths.length === 0 ? '' : ` from ${files.paths.join(', ')}`;
    return {
      attribute: facts.name,
      paths: files.paths,
      evidence: `${point.module.path}:${facts.line} ${facts.name}() gives the model${given}`,
    };
  }
  return undefined;
}

/** A function that sets the names of the module which predictions need, and takes nothing itself. */
export function preparationBeside(point: EntryPoint): FunctionFacts | undefined {
  return point.module.functions.find(
    (facts) =>
      preparationNames.test(facts.name) &&
      facts.globals.length > 0 &&
      facts !== point.facts &&
      requiredParams(facts, false).length === 0,
  );
}
