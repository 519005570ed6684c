import type { TrainingCall } from './candidate.ts';
import type { CodeIndex, ResolvedClass } from './code-index.ts';
import { isAnswerName } from './call-names.ts';
import { ownParams, readParam, requiredParams, type Site } from './infer-shape.ts';
import { nameVotes } from './name-votes.ts';
import type { FunctionFacts, ModuleFacts, ParamFacts } from './scan-result.ts';
import type { Vote } from './vote.ts';

export interface Training {
  readonly call: TrainingCall;
  readonly site: Site;
  /** The name of the parameter that takes the items. */
  readonly itemsName: string;
  /** What training says of the items: their kind, not how prediction is called. */
  readonly votes: readonly Vote[];
  readonly keys: readonly string[];
  readonly evidence: string;
}

const trainingNames =
  /^(fit|train|learn|fit_model|train_model|fit_all|train_all|build|build_model|update|add_example|add|observe)$/;
const preferred = ['fit', 'train', 'learn', 'fit_model', 'train_model'];
const functionNames =
  /^(fit|train|learn|build)(_(model|classifier|regressor|tree|forest|network|weights|knn|bayes|naive_bayes|[a-z]+))?$/;

/** The training method of a class, or why its training cannot be called; undefined when it has none. */
export function classTraining(
  index: CodeIndex,
  owner: ResolvedClass,
): Training | { readonly reason: string } | undefined {
  const methods = [...index.methodsOf(owner).values()].filter(({ method }) => trainingNames.test(method.name));
  const rank = (name: string) => (preferred.includes(name) ? preferred.indexOf(name) : preferred.length);
  methods.sort((a, b) => rank(a.method.name) - rank(b.method.name));
  let reason: string | undefined;
  for (const { method, module } of methods) {
    const training = readTraining({ index, module, owner, facts: method });
    if (!('reason' in training)) return training;
    reason ??= training.reason;
  }
  return reason === undefined ? undefined : { reason };
}

/** The function of a module that makes the model which its prediction functions take. */
export function moduleTraining(
  index: CodeIndex,
  module: ModuleFacts,
): Training | { readonly reason: string } | undefined {
  const found = module.functions.filter(isTrainingFunction);
  let reason: string | undefined;
  for (const facts of found) {
    const training = readTraining({ index, module, owner: undefined, facts });
    if (!('reason' in training)) return training;
    reason ??= training.reason;
  }
  return reason === undefined ? undefined : { reason };
}

/** The training that one function of a module does; undefined for one that is named otherwise. */
export function functionTraining(
  index: CodeIndex,
  module: ModuleFacts,
  facts: FunctionFacts,
): Training | { readonly reason: string } | undefined {
  return isTrainingFunction(facts) ? readTraining({ index, module, owner: undefined, facts }) : undefined;
}

/** True for a function that is named like training and returns what came of it. */
export function isTrainingFunction(facts: FunctionFacts): boolean {
  return functionNames.test(facts.name) && facts.returns.length > 0 && !facts.isAsync;
}

function readTraining(site: Site): Training | { readonly reason: string } {
  const isMethod = site.owner !== undefined;
  const where = `${site.module.path}:${site.facts.line}`;
  const params = withOptionalLabels(site.facts, isMethod);
  const [first, second] = params;
  if (first === undefined) return { reason: `${where} trains without data` };
  if (second === undefined) return pairTraining(site, first);
  if (params.length > 2) return { reason: `${where} needs ${params.map((param) => param.name).join(', ')} to train` };
  if (isKeyParam(site, first, second)) return training(site, { style: 'rows', labelsFirst: false, items: first });
  const labelsFirst = isLabelWord(first.name) && !isLabelWord(second.name);
  const [items, labels] = labelsFirst ? [second, first] : [first, second];
  // `train(negative, positive)` takes two piles, not items and their labels.
  if (!isLabelWord(labels.name) && !isValueWord(labels.name))
    return { reason: `${where} trains on "${first.name}" and "${second.name}": neither is named like labels` };
  const isTable = readParam(site, items).frame !== undefined;
  const style = !isTable && isOneByOne(items, labels) ? 'each' : 'columns';
  return training(site, { style, labelsFirst, items });
}

/** `fit(X, y=None)` takes labels too. */
function withOptionalLabels(facts: FunctionFacts, isMethod: boolean): readonly ParamFacts[] {
  const required = requiredParams(facts, isMethod);
  if (required.length !== 1) return required;
  const second = ownParams(facts, isMethod).find((param) => param.hasDefault && param.kind === 'positional');
  return second !== undefined && isAnswerName(second.name) ? [...required, second] : required;
}

/** One argument that holds items and labels: pairs, or rows whose last value is the label. */
function pairTraining(site: Site, param: ParamFacts): Training | { readonly reason: string } {
  const element = param.uses?.element;
  if (element?.marks?.includes('unpacked2') === true) {
    const [a = '', b = ''] = element.pairNames ?? [];
    const labelsFirst = isLabelWord(a) && !isLabelWord(b);
    return training(site, { style: 'pairs', labelsFirst, items: param });
  }
  if (readParam(site, param).readsLast) return training(site, { style: 'last', labelsFirst: false, items: param });
  const where = `${site.module.path}:${site.facts.line}`;
  return { reason: `${where} trains on "${param.name}" alone: where the labels are is not clear` };
}

/** `fit(rows, target)` where the second names the key of the label in each row. */
function isKeyParam(site: Site, items: ParamFacts, key: ParamFacts): boolean {
  if (/^(target|label|class|outcome|y)_?(name|column|col|key|field|attribute)$/i.test(key.name)) return true;
  const isSaid = new RegExp(`\\b${key.name}\\b\\s*[:(]\\s*\\(?str\\b`).test(site.facts.docstring);
  const isText = key.annotation === 'str' || isSaid || key.uses?.marks?.includes('key') === true;
  const isSpread = key.uses?.marks?.some((mark) => mark === 'iterated' || mark === 'sized') === true;
  const reading = readParam(site, items);
  const rows =
    reading.frame !== undefined || reading.votes.some((vote) => vote.element === 'row' || vote.call === 'batch');
  return isText && !isSpread && rows && /^(target|label|outcome|class_?attr|y)$/i.test(key.name);
}

/** `train(text, label)`: one text and one label, and nothing that goes through them as a list. */
function isOneByOne(items: ParamFacts, labels: ParamFacts): boolean {
  if (labels.annotation !== null && /^(str|int|bool|float|Hashable)$/.test(labels.annotation)) return true;
  if (/^(typing\.)?(list|sequence|iterable|tuple)\b/i.test(labels.annotation ?? '')) return false;
  if (!/^(label|category|cls|class_|klass|target|tag|outcome)$/i.test(labels.name)) return false;
  if (labels.uses?.marks?.some((mark) => ['iterated', 'sized', 'looked up', 'indexed'].includes(mark))) return false;
  return nameVotes(items.name, '')[0]?.call !== 'batch';
}

/** Names of quantities that are learned. */
function isValueWord(name: string): boolean {
  return /^(y\w*|t|ts|b|z|d|out|outputs?|values?|responses?|categories|tags|outcomes?|classes|prices?|results?|dependent\w*|desired)$|label|target|class/i.test(
    name,
  );
}

function isLabelWord(name: string): boolean {
  return isAnswerName(name) || /^(label|category|cls|class_|klass|class_?name|tag|outcome|c)$/i.test(name);
}

function training(
  site: Site,
  found: { readonly style: TrainingCall['style']; readonly labelsFirst: boolean; readonly items: ParamFacts },
): Training {
  const where = `${site.module.path}:${site.facts.line}`;
  const reading = readParam(site, found.items);
  const name = site.owner === undefined ? site.facts.name : `${site.owner.facts.name}.${site.facts.name}`;
  return {
    call: { attribute: site.facts.name, style: found.style, labelsFirst: found.labelsFirst },
    site,
    itemsName: found.items.name,
    votes: itemVotes(reading.votes, found.style, where),
    keys: found.style === 'pairs' || found.style === 'last' ? [] : reading.keys,
    evidence: `${where} ${name} learns from ${describeStyle(found.style)}`,
  };
}

/** How the training data is handed over says what an item is, not how prediction is called. */
function itemVotes(votes: readonly Vote[], style: TrainingCall['style'], where: string): Vote[] {
  if (style === 'rows') return [{ element: 'row', weight: 4, why: `${where} learns from rows that hold the label` }];
  if (style === 'pairs') return [];
  if (style === 'last')
    return [{ element: 'vector', weight: 4, why: `${where} learns from lists that end with the label` }];
  return votes.flatMap((vote) => {
    const element = elementIn(vote, style);
    return element === undefined ? [] : [{ element, weight: vote.weight * 0.6, why: vote.why }];
  });
}

/** Training data is a list of items, so a vote for one vector there is a list of numbers here. */
function elementIn(vote: Vote, style: TrainingCall['style']): Vote['element'] {
  if (style === 'each' || vote.call === 'batch') return vote.element;
  return vote.element === 'vector' ? 'number' : undefined;
}

function describeStyle(style: TrainingCall['style']): string {
  if (style === 'columns') return 'items and their labels';
  if (style === 'pairs') return 'pairs of item and label';
  if (style === 'last') return 'lists that end with the label';
  return style === 'rows' ? 'rows that hold the label' : 'one item and its label at a time';
}
