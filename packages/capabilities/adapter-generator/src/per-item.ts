import type { Candidate } from './candidate.ts';
import { isPredictionName, readCallName, speaksOf } from './call-names.ts';
import type { ResolvedClass } from './code-index.ts';
import { importCosts } from './import-costs.ts';
import { ownParams, readParam, requiredParams } from './infer-shape.ts';
import { goalOf, type JudgeContext } from './judge-entry-point.ts';
import { whyNotOffered } from './places.ts';
import { planInput } from './plan-input.ts';
import { workingFolder } from './repository-files.ts';
import type { FunctionFacts } from './scan-result.ts';

/** Classes that are made from one item and say the answer themselves: `Opinion(text).sentiment`. */
export function perItemCandidates(context: JudgeContext): Candidate[] {
  return context.index.modules
    .filter(({ path }) => whyNotOffered(path) === undefined)
    .flatMap((module) => module.classes.map((facts): ResolvedClass => ({ facts, module })))
    .filter(({ facts }) => !facts.name.startsWith('_'))
    .flatMap((owner) => ofClass(owner, context));
}

interface Answer {
  readonly name: string;
  readonly line: number;
}

function ofClass(owner: ResolvedClass, context: JudgeContext): Candidate[] {
  const init = context.index.methodsOf(owner).get('__init__');
  const params = init === undefined ? [] : requiredParams(init.method, true);
  const [param] = params;
  if (init === undefined || param === undefined || params.length > 1) return [];
  const site = { index: context.index, module: init.module, owner, facts: init.method };
  const reading = readParam(site, param);
  const plan = planInput(param, reading, { votes: reading.votes, dataset: context.dataset, needsTraining: false });
  // A frame or a list is what a class holds of all rows, not one item.
  if ('reason' in plan || !['text', 'bytes', 'row_dict', 'arguments'].includes(plan.ways[0]?.input ?? '')) return [];
  const { modules, thirdParty } = context.index.reach(owner.module);
  const costs = importCosts(modules);
  if (costs.reason !== undefined) return [];
  const [first, ...others] = plan.ways.filter(({ call }) => call === 'single');
  if (first === undefined) return [];
  return answersOf(owner, context).map(({ name, line }): Candidate => {
    const id = `${owner.module.module}:${owner.facts.name}.${name}`;
    return {
      kind: 'per_item',
      entrypoint: id,
      module: owner.module.module,
      owner: owner.facts.name,
      attribute: name,
      file: owner.module.path,
      line,
      importRoot: owner.module.importRoot,
      cwd: workingFolder(
        modules.flatMap(({ relativeFiles }) => relativeFiles),
        owner.module.importRoot,
      ),
      object: { from: 'type', name: owner.facts.name, paths: [] },
      input: first.input,
      columns: first.columns,
      call: 'single',
      ways: [first, ...others],
      modelFirst: false,
      loader: null,
      needsTraining: false,
      training: null,
      probabilities: null,
      thirdPartyImports: thirdParty,
      confidence: confidenceOf(owner, name, { ...context, certainty: plan.elementCertainty, penalty: costs.penalty }),
      evidence: [
        `${owner.module.path}:${owner.facts.line} ${owner.facts.name}(${param.name}) is made from one item, and its ${name} is the answer`,
        ...plan.evidence,
        ...costs.evidence,
      ],
      notes: plan.notes,
    };
  });
}

/** Properties, attributes and methods without arguments that are named like an answer. */
function answersOf(owner: ResolvedClass, { index, dataset, wanted }: JudgeContext): Answer[] {
  const goal = goalOf(dataset);
  const isOffered = (name: string) =>
    (isPredictionName(name, goal) && !('reason' in readCallName(name, goal))) ||
    wanted === `${owner.module.module}:${owner.facts.name}.${name}`;
  const methods = [...index.methodsOf(owner).values()]
    .filter(({ method }) => isAsked(method))
    .map(({ method }) => ({ name: method.name, line: method.line }));
  const known = new Set(methods.map(({ name }) => name));
  const attributes = index
    .lineage(owner)
    .flatMap(({ facts }) => facts.attributes.map((name) => ({ name, line: facts.line })))
    .filter(({ name }) => !known.has(name));
  return [...methods, ...attributes].filter(({ name }) => !name.startsWith('_') && isOffered(name));
}

function isAsked(method: FunctionFacts): boolean {
  const isPlain = method.decorators.every((text) => /^(property|(functools\.)?cached_property|cache)$/.test(text));
  return (
    isPlain &&
    !method.isStub &&
    !method.isAsync &&
    method.returns.length > 0 &&
    ownParams(method, true).every(({ hasDefault }) => hasDefault)
  );
}

function confidenceOf(
  owner: ResolvedClass,
  name: string,
  { dataset, readmeNames, certainty, penalty }: JudgeContext & { readonly certainty: number; readonly penalty: number },
): number {
  const read = readCallName(name, goalOf(dataset));
  const weight = 'reason' in read ? 0.25 : read.weight;
  const isAbout = speaksOf(owner.module.module, dataset.targetColumn) !== undefined;
  const sum = weight + 0.3 * certainty + 0.2 + (readmeNames.has(owner.facts.name) ? 0.1 : 0) + (isAbout ? 0.03 : 0);
  return Math.round(Math.min(1, Math.max(0, sum - penalty)) * 100) / 100;
}
