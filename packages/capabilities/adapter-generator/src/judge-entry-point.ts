import type { Candidate, CandidateKind, DatasetShape } from './candidate.ts';
import { isAnswerName, isModelName, probabilityNames, readCallName, type CallName } from './call-names.ts';
import type { CodeIndex } from './code-index.ts';
import { scoreCandidate } from './confidence.ts';
import { whyNotConstructible } from './construction.ts';
import type { EntryPoint } from './entry-points.ts';
import { importCosts } from './import-costs.ts';
import { functionVotes, readParam, requiredParams, type Site } from './infer-shape.ts';
import { planArguments, planInput, type InputResult } from './plan-input.ts';
import type { FunctionFacts, ParamFacts } from './scan-result.ts';
import { classTraining, moduleTraining, type Training } from './training.ts';
import type { Vote } from './vote.ts';

export interface JudgeContext {
  readonly index: CodeIndex;
  readonly dataset: DatasetShape;
  readonly readmeNames: ReadonlySet<string>;
}

type Refusal = { readonly reason: string };

/** What a prediction-like function or method takes and gives, as a candidate, or why it cannot be called. */
export function judgeEntryPoint(point: EntryPoint, context: JudgeContext): Candidate | Refusal {
  const name = readCallName(point.facts.name, {
    task: context.dataset.suggestedTask,
    target: context.dataset.targetColumn,
  });
  if ('reason' in name) return name;
  const unfit = whyNotCallable(point.facts, context.dataset);
  if (unfit !== undefined) return { reason: unfit };
  const { modules, thirdParty } = context.index.reach(point.module);
  const costs = importCosts(modules);
  if (costs.reason !== undefined) return { reason: costs.reason };
  const role = roleOf(point, context.index);
  if ('reason' in role) return role;
  const plan = planCall(point, role, { ...context, name });
  if ('reason' in plan) return plan;
  const score = scoreCandidate({ point, role, plan, name, costs, ...context });
  return {
    kind: role.kind,
    entrypoint: point.id,
    module: point.module.module,
    owner: point.owner?.facts.name ?? null,
    attribute: point.facts.name,
    file: point.module.path,
    line: point.facts.line,
    importRoot: point.module.importRoot,
    input: plan.input,
    columns: plan.columns,
    call: plan.call,
    modelFirst: role.modelFirst,
    needsTraining: role.training !== undefined,
    training: role.training?.call ?? null,
    probabilities: context.dataset.suggestedTask === 'classification' ? companionOf(point, context.index) : null,
    thirdPartyImports: thirdParty,
    confidence: score.confidence,
    evidence: [...plan.evidence, ...(role.training === undefined ? [] : [role.training.evidence]), ...score.evidence],
    notes: plan.notes,
  };
}

/** What of an entry point itself speaks against calling it. */
function whyNotCallable(facts: FunctionFacts, dataset: DatasetShape): string | undefined {
  if (facts.isAsync) return 'is asynchronous';
  if (facts.isStub) return 'is not implemented';
  if (facts.decorators.some((text) => /abstract/.test(text))) return 'is abstract';
  const strange = facts.decorators.find(
    (text) => !/^(staticmethod|classmethod|(functools\.)?(lru_)?cache|override)\b/.test(text),
  );
  if (strange !== undefined) return `is wrapped by @${strange}`;
  if (facts.returns.length === 0 || facts.returnAnnotation === 'None') return 'returns nothing';
  if (facts.returns.every((kind) => kind === 'self' || kind === 'NoneType')) return 'returns no prediction';
  const isText = dataset.suggestedTask === 'regression' && facts.returnAnnotation === 'str';
  return isText ? 'returns a text, and the target is a number' : undefined;
}

export interface Role {
  readonly kind: CandidateKind;
  readonly training: Training | undefined;
  /** Of a model function: whether the model is its first argument. */
  readonly modelFirst: boolean;
  /** The parameters that carry the data. */
  readonly params: readonly ParamFacts[];
}

/** How the entry point comes to a model: from its object, from a training function, or without one. */
function roleOf(point: EntryPoint, index: CodeIndex): Role | Refusal {
  const params = requiredParams(point.facts, point.owner !== undefined);
  const answer = params.find((param) => isAnswerName(param.name));
  if (answer !== undefined)
    return { reason: `needs the answer ("${answer.name}"), so it measures instead of predicting` };
  if (params.length === 0) return { reason: 'takes no data' };
  if (point.owner === undefined) return functionRole(point, params, index);
  const isStatic = point.facts.decorators.some((text) => text === 'staticmethod' || text === 'classmethod');
  if (isStatic) return { kind: 'static', training: undefined, modelFirst: false, params };
  const unmade = whyNotConstructible(index, point.owner);
  if (unmade !== undefined) return { reason: unmade };
  const training = classTraining(index, point.owner);
  if (training !== undefined && 'reason' in training) return training;
  return { kind: 'method', training, modelFirst: false, params };
}

function functionRole(point: EntryPoint, params: readonly ParamFacts[], index: CodeIndex): Role | Refusal {
  const modelAt = params.length === 2 ? params.findIndex((param) => isModelName(param.name)) : -1;
  if (modelAt === -1) return { kind: 'function', training: undefined, modelFirst: false, params };
  const training = moduleTraining(index, point.module);
  if (training === undefined)
    return { reason: `needs a model ("${params[modelAt]?.name}"), and no function beside it trains one` };
  if ('reason' in training) return training;
  const rest = params.filter((_, at) => at !== modelAt);
  return { kind: 'model_function', training, modelFirst: modelAt === 0, params: rest };
}

function planCall(point: EntryPoint, role: Role, context: JudgeContext & { readonly name: CallName }): InputResult {
  const [param] = role.params;
  if (param === undefined) return { reason: 'takes no data' };
  if (role.params.length > 1) {
    if (role.training !== undefined) return { reason: `needs ${role.params.map(({ name }) => name).join(', ')}` };
    return planArguments(role.params, context.dataset);
  }
  const site: Site = { index: context.index, module: point.definedIn, owner: point.owner, facts: point.facts };
  const reading = readParam(site, param);
  const votes = [
    ...reading.votes,
    ...functionVotes(site),
    ...nameOfCall(context.name, point),
    ...trainingVotes(role, param),
  ];
  const keys = [...new Set([...reading.keys, ...(role.training?.keys ?? [])])].filter(
    (key) => key !== context.dataset.targetColumn,
  );
  return planInput(
    param,
    { ...reading, keys },
    {
      votes,
      dataset: context.dataset,
      needsTraining: role.training !== undefined,
    },
  );
}

function nameOfCall(name: CallName, point: EntryPoint): Vote[] {
  const why = `${point.definedIn.path}:${point.facts.line} is called ${point.facts.name}`;
  return [
    ...(name.call === undefined ? [] : [{ call: name.call, weight: 1.5, why }]),
    ...(name.isText ? [{ element: 'text' as const, weight: 1, why }] : []),
  ];
}

/** fit(X, y) and predict(X) take the same thing. */
function trainingVotes(role: Role, param: ParamFacts): readonly Vote[] {
  const { training } = role;
  if (training === undefined) return [];
  const isSame = training.itemsName === param.name && training.call.style === 'columns';
  const why = `${training.site.module.path}:${training.site.facts.line} trains on "${param.name}" too`;
  return [...training.votes, ...(isSame ? [{ call: 'batch' as const, weight: 1.5, why }] : [])];
}

/** The method beside it that gives probabilities for the same parameter. */
function companionOf(point: EntryPoint, index: CodeIndex): string | null {
  if (point.owner === undefined) return null;
  const methods = index.methodsOf(point.owner);
  const wanted = requiredParams(point.facts, true).map((param) => param.name);
  for (const name of probabilityNames) {
    const facts = methods.get(name)?.method;
    if (facts === undefined || facts.isStub || facts.isAsync) continue;
    const names = requiredParams(facts, true).map((param) => param.name);
    if (names.length === wanted.length && names.every((found, at) => found === wanted[at])) return name;
  }
  return null;
}
