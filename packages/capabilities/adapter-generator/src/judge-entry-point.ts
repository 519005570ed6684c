import type { Candidate, CandidateKind, DatasetShape, ObjectSource } from './candidate.ts';
import { isAnswerName, isModelName, probabilityNames, readCallName, type CallName, type Goal } from './call-names.ts';
import type { CodeIndex } from './code-index.ts';
import { scoreCandidate } from './confidence.ts';
import { constructionOf } from './construction.ts';
import type { EntryPoint } from './entry-points.ts';
import { importCosts } from './import-costs.ts';
import { functionVotes, ownParams, readParam, requiredParams, type Site } from './infer-shape.ts';
import { loaderBeside, preparationBeside, type Loader } from './loading.ts';
import { planArguments, planInput, planRest, type InputResult } from './plan-input.ts';
import { workingFolder } from './repository-files.ts';
import type { FunctionFacts, ParamFacts } from './scan-result.ts';
import type { ShownUses } from './shown-uses.ts';
import { standingOf, type Standing } from './standing.ts';
import { classTraining, functionTraining, moduleTraining, type Training } from './training.ts';
import type { Vote } from './vote.ts';

export interface JudgeContext {
  readonly index: CodeIndex;
  readonly dataset: DatasetShape;
  readonly readmeNames: ReadonlySet<string>;
  readonly shown: ShownUses;
  /** The entry point that a person named: its name need not sound like a prediction. */
  readonly wanted?: string | undefined;
}

type Refusal = { readonly reason: string };

export interface Judged {
  readonly candidate: Candidate;
  readonly standing: Standing;
}

/** What a prediction-like function or method takes and gives, as a candidate, or why it cannot be called. */
export function judgeEntryPoint(point: EntryPoint, context: JudgeContext): Judged | Refusal {
  const uses = context.shown.get(point.id) ?? [];
  const standing = standingOf(point, uses, { goal: goalOf(context.dataset), dataset: context.dataset });
  const name = nameOf(point, standing, context);
  if ('reason' in name) return name;
  const unfit = whyNotCallable(point.facts, standing, context.dataset);
  if (unfit !== undefined) return { reason: unfit };
  const { modules, thirdParty } = context.index.reach(point.module);
  const costs = importCosts(modules);
  if (costs.reason !== undefined) return { reason: costs.reason };
  const role = roleOf(point, uses.length > 0, context.index);
  if ('reason' in role) return role;
  const plan = planCall(point, role, { ...context, name, standing });
  if ('reason' in plan) return plan;
  const score = scoreCandidate({ point, role, plan, name, costs, standing, ...context });
  const [first] = plan.ways;
  if (first === undefined) return { reason: 'takes no data' };
  const needsPandas = plan.ways.some(({ input }) => input === 'frame') && !thirdParty.includes('pandas');
  const candidate: Candidate = {
    kind: role.kind,
    entrypoint: point.id,
    module: point.module.module,
    owner: point.owner?.facts.name ?? null,
    attribute: point.facts.name,
    file: point.module.path,
    line: point.facts.line,
    importRoot: point.module.importRoot,
    cwd: workingFolder(
      modules.flatMap(({ relativeFiles }) => relativeFiles),
      point.module.importRoot,
    ),
    object: role.object,
    input: first.input,
    columns: first.columns,
    call: first.call,
    ways: plan.ways,
    modelFirst: role.modelFirst,
    loader: role.loader === undefined ? null : { attribute: role.loader.attribute, paths: role.loader.paths },
    needsTraining: role.training !== undefined,
    training: role.training?.call ?? null,
    probabilities: context.dataset.suggestedTask === 'classification' ? companionOf(point, context.index) : null,
    thirdPartyImports: needsPandas ? [...thirdParty, 'pandas'].sort() : thirdParty,
    confidence: score.confidence,
    evidence: [
      ...plan.evidence,
      ...role.evidence,
      ...(role.training === undefined ? [] : [role.training.evidence]),
      ...score.evidence,
    ],
    notes: [...plan.notes, ...(plan.ways.length > 1 ? ['the preflight found out how rows are handed over'] : [])],
  };
  return { candidate, standing };
}

/** What the data asks to be predicted. */
export function goalOf({ suggestedTask, targetColumn, labels }: DatasetShape): Goal {
  return { task: suggestedTask, target: targetColumn, labels: labels?.length };
}

function nameOf(point: EntryPoint, standing: Standing, { dataset, wanted }: JudgeContext): CallName | Refusal {
  const name = readCallName(point.facts.name, goalOf(dataset));
  if (!('reason' in name)) return { ...name, weight: Math.max(name.weight, standing.weight) };
  if (point.id === wanted) return { weight: 0.25, call: undefined, isText: false };
  // A measure of a text is what a README may offer for labels: they are cut out of it by a mapping.
  const isOffered = standing.isShown && name.reason.startsWith('gives a measure');
  return isOffered ? { weight: standing.weight / 2, call: undefined, isText: false } : name;
}

/** Decorators that leave arguments and answers as they are. */
const transparent =
  /^(staticmethod|classmethod|(functools\.)?(lru_|ttl_)?cache|override|final|(torch\.)?(no_grad|inference_mode)|(numba\.)?(n?jit|vectorize)|tf\.function|timer|timed|timeit|log_\w+|trace|deprecated|typechecked|retry|overload)\b/;

/** What of an entry point itself speaks against calling it. */
function whyNotCallable(facts: FunctionFacts, { isShown }: Standing, dataset: DatasetShape): string | undefined {
  if (facts.isStub) return 'is not implemented';
  if (facts.decorators.some((text) => /abstract/.test(text))) return 'is abstract';
  const strange = facts.decorators.find((text) => !transparent.test(text));
  // What the README calls itself can be called, whatever wraps it.
  if (
    strange !== undefined &&
    !(isShown && !/route|command|task|fixture|property|setter|(^|\.)(get|post)\b/.test(strange))
  )
    return `is wrapped by @${strange}`;
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
  readonly object: ObjectSource;
  readonly loader: Loader | undefined;
  /** What was seen of how the object or model comes to be. */
  readonly evidence: readonly string[];
  /** True when it comes with what it has learned. */
  readonly isLoaded: boolean;
}

/** How the entry point comes to a model: from its object, from a training or loading function, or without one. */
function roleOf(point: EntryPoint, isUsed: boolean, index: CodeIndex): Role | Refusal {
  const params = dataParams(point, isUsed);
  const answer = params.find((param) => isAnswerName(param.name));
  if (answer !== undefined)
    return { reason: `needs the answer ("${answer.name}"), so it measures instead of predicting` };
  if (params.length === 0) return { reason: 'takes no data' };
  if (point.owner === undefined) return functionRole(point, params, index);
  const plain = { training: undefined, modelFirst: false, params, loader: undefined, evidence: [], isLoaded: false };
  const { name } = point.owner.facts;
  if (point.made !== undefined) {
    const { source, why, trainedBy } = point.made;
    const isLoaded = point.made.isLoaded && trainedBy === undefined;
    const training =
      trainedBy !== undefined
        ? functionTraining(index, point.module, trainedBy)
        : isLoaded
          ? undefined
          : classTraining(index, point.owner);
    if (training !== undefined && 'reason' in training) return training;
    return { ...plain, kind: 'method', training, object: source, evidence: [why], isLoaded };
  }
  const isStatic = point.facts.decorators.some((text) => text === 'staticmethod' || text === 'classmethod');
  if (isStatic) return { ...plain, kind: 'static', object: { from: 'type', name, paths: [] } };
  const made = constructionOf(index, point.owner);
  if ('reason' in made) return made;
  const { paths, prepare } = made;
  const isLoaded = paths.length > 0 || prepare !== undefined;
  const object: ObjectSource = {
    from: 'class',
    name,
    paths,
    ...(prepare === undefined ? {} : { prepare: prepare.name, preparePaths: prepare.paths }),
  };
  const evidence = [
    ...(paths.length > 0
      ? [`${point.module.path}:${point.owner.facts.line} ${name} is made from ${paths.join(', ')}`]
      : []),
    ...(prepare === undefined
      ? []
      : [`${point.module.path}:${point.owner.facts.line} ${name}.${prepare.name}() is called first`]),
  ];
  const training = isLoaded ? undefined : classTraining(index, point.owner);
  if (training !== undefined && 'reason' in training) return training;
  return { ...plain, kind: 'method', training, object, evidence, isLoaded };
}

/** What must be given, or `*values` and `**row` when nothing must; of a shown call also what may be given first. */
function dataParams(point: EntryPoint, isUsed: boolean): readonly ParamFacts[] {
  const isMethod = point.owner !== undefined;
  const required = requiredParams(point.facts, isMethod);
  if (required.length > 0) return required;
  const [first] = ownParams(point.facts, isMethod);
  if (isUsed && first?.kind === 'positional') return [first];
  const rest = ownParams(point.facts, isMethod).find(({ kind }) => kind === 'rest' || kind === 'keywords');
  return rest === undefined ? [] : [rest];
}

function functionRole(point: EntryPoint, params: readonly ParamFacts[], index: CodeIndex): Role | Refusal {
  const prepare = preparationBeside(point);
  const plain = {
    kind: 'function',
    training: undefined,
    loader: undefined,
    modelFirst: false,
    params,
    object: { from: 'module', ...(prepare === undefined ? {} : { prepare: prepare.name }) },
    evidence: prepare === undefined ? [] : [`${point.module.path}:${prepare.line} ${prepare.name}() is called first`],
    isLoaded: prepare !== undefined,
  } as const;
  const modelAt = params.length === 2 ? params.findIndex((param) => isModelName(param.name)) : -1;
  if (modelAt === -1) return plain;
  const model = {
    ...plain,
    kind: 'model_function',
    modelFirst: modelAt === 0,
    params: params.filter((_, at) => at !== modelAt),
  } as const;
  const loader = loaderBeside(index, point);
  if (loader !== undefined) return { ...model, loader, evidence: [loader.evidence], isLoaded: true };
  const training = moduleTraining(index, point.module);
  if (training === undefined)
    return { reason: `needs a model ("${params[modelAt]?.name}"), and no function beside it trains or loads one` };
  if ('reason' in training) return training;
  return { ...model, training };
}

function planCall(
  point: EntryPoint,
  role: Role,
  context: JudgeContext & { readonly name: CallName; readonly standing: Standing },
): InputResult {
  const [param] = role.params;
  if (param === undefined) return { reason: 'takes no data' };
  if (param.kind === 'rest' || param.kind === 'keywords') return planRest(param, context.dataset);
  if (role.params.length > 1) {
    if (role.training !== undefined) return { reason: `needs ${role.params.map(({ name }) => name).join(', ')}` };
    const areLists = role.params.every(({ annotation }) =>
      /^(typing\.)?(list|sequence|iterable|np\.ndarray)\b/i.test(annotation ?? ''),
    );
    return planArguments(role.params, context.dataset, areLists ? 'batch' : 'single');
  }
  const site: Site = { index: context.index, module: point.definedIn, owner: point.owner, facts: point.facts };
  const reading = readParam(site, param);
  const votes = [
    ...reading.votes,
    ...context.standing.votes,
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
