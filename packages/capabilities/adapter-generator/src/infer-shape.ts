import { annotatedShape, type AnnotatedShape, type NameResolver } from './annotation.ts';
import type { CodeIndex, ResolvedClass } from './code-index.ts';
import { docVotes, nameVotes } from './name-votes.ts';
import type { FunctionFacts, ModuleFacts, ParamFacts, ParamUses } from './scan-result.ts';
import { useVotes } from './use-votes.ts';
import type { Vote } from './vote.ts';

/** A function where it stands, with what its names can refer to. */
export interface Site {
  readonly index: CodeIndex;
  readonly module: ModuleFacts;
  readonly owner: ResolvedClass | undefined;
  readonly facts: FunctionFacts;
}

export interface ParamReading {
  readonly votes: readonly Vote[];
  /** Keys that are read without a default, here and in the functions that it is handed to. */
  readonly keys: readonly string[];
  readonly optionalKeys: readonly string[];
  /** How many parts it is unpacked into, when it is. */
  readonly parts: number | undefined;
  /** True when the last value of each element is read: rows that end with their label. */
  readonly readsLast: boolean;
  /** Set when the annotation or the use names something that no row can be. */
  readonly unsupported: string | undefined;
  /** What says that a text is handed over as bytes; undefined when nothing does. */
  readonly bytes: string | undefined;
  /** What says that it is a table of the data-frame library; undefined when nothing does. */
  readonly frame: string | undefined;
}

const PASS_DEPTH = 3;
const PASS_WEIGHT = 0.8;

/** The first parameter is `self` or `cls` unless the method is static. */
export function ownParams(facts: FunctionFacts, isMethod: boolean): readonly ParamFacts[] {
  return isMethod && !facts.decorators.includes('staticmethod') ? facts.params.slice(1) : facts.params;
}

/** Parameters that a caller must give. */
export function requiredParams(facts: FunctionFacts, isMethod: boolean): readonly ParamFacts[] {
  return ownParams(facts, isMethod).filter(
    (param) => !param.hasDefault && (param.kind === 'positional' || param.kind === 'keyword'),
  );
}

/** Everything that speaks for what a parameter is: annotation, uses, name, and the functions that it is passed to. */
export function readParam(site: Site, param: ParamFacts, depth = 0): ParamReading {
  const where = `${site.module.path}:${site.facts.line}`;
  const annotated = param.annotation === null ? undefined : annotatedShape(param.annotation, namesIn(site));
  const votes: Vote[] =
    annotated === undefined
      ? []
      : annotationVotes(annotated, `${where} annotates ${param.name} as ${param.annotation}`);
  if (depth === 0) votes.push(...nameVotes(param.name, where));
  const uses = param.uses ?? {};
  const isArray = annotated?.kind === 'array';
  // Arithmetic goes through an array element by element: it makes no number of it.
  votes.push(...useVotes(uses, param.name, where).filter((vote) => !isArray || vote.element !== 'number'));
  const passed = depth < PASS_DEPTH ? passedReadings(site, uses, depth) : [];
  for (const { reading, lift } of passed)
    for (const vote of reading.votes) {
      const lifted = lift(vote);
      if (lifted !== undefined) votes.push({ ...lifted, weight: vote.weight * PASS_WEIGHT });
    }
  const merged = [uses, uses.element ?? {}];
  return {
    votes,
    keys: unique([...merged.flatMap((use) => use.keys ?? []), ...passed.flatMap(({ reading }) => reading.keys)]),
    optionalKeys: unique([
      ...merged.flatMap((use) => use.optionalKeys ?? []),
      ...passed.flatMap(({ reading }) => reading.optionalKeys),
    ]),
    readsLast: uses.element?.marks?.includes('last') === true || passed.some(({ reading }) => reading.readsLast),
    parts: merged.map(unpackedParts).find((parts) => parts !== undefined),
    unsupported: annotated === undefined ? undefined : unsupportedIn(annotated),
    bytes:
      bytesIn(annotated, uses, `${where} ${param.name}`) ??
      passed.map(({ reading }) => reading.bytes).find((why) => why !== undefined),
    frame:
      (annotated?.kind === 'frame' ? `${where} annotates ${param.name} as ${param.annotation}` : undefined) ??
      tableLibraryUse(uses, `${where} uses ${param.name}`) ??
      passed.map(({ reading }) => reading.frame).find((why) => why !== undefined),
  };
}

/** An annotation, or a use that only bytes have. */
function bytesIn(shape: AnnotatedShape | undefined, uses: ParamUses, what: string): string | undefined {
  if (shape?.kind === 'bytes' || (shape?.kind === 'list' && shape.of.kind === 'bytes'))
    return `${what} is annotated as bytes`;
  const calls = (one: ParamUses | undefined) => one?.methods?.includes('decode') === true;
  return shape === undefined && (calls(uses) || calls(uses.element)) ? `${what} is decoded, so it is bytes` : undefined;
}

function annotationVotes(shape: AnnotatedShape, why: string): Vote[] {
  const weight = 3;
  if (shape.kind === 'bytes') return [{ element: 'text', call: 'single', weight, why }];
  if (shape.kind === 'text' || shape.kind === 'row') return [{ element: shape.kind, call: 'single', weight, why }];
  if (shape.kind === 'number') return [{ element: 'number', call: 'single', weight, why }];
  // Arrays mostly hold numbers, and sometimes texts: what is done with it weighs more.
  if (shape.kind === 'array') return [{ element: 'vector', weight: 0.7, why }];
  if (shape.kind !== 'list') return [];
  const of = shape.of;
  if (of.kind === 'bytes') return [{ element: 'text', call: 'batch', weight, why }];
  if (of.kind === 'text' || of.kind === 'row') return [{ element: of.kind, call: 'batch', weight, why }];
  if (of.kind === 'number') return [{ element: 'vector', call: 'single', weight, why }];
  if (of.kind === 'list' && of.of.kind === 'number') return [{ element: 'vector', call: 'batch', weight, why }];
  return of.kind === 'list' ? [{ element: 'vector', call: 'batch', weight: 1, why }] : [];
}

function unsupportedIn(shape: AnnotatedShape): string | undefined {
  if (shape.kind === 'unsupported') return shape.what;
  return shape.kind === 'list' ? unsupportedIn(shape.of) : undefined;
}

/** Members that only tables of a data-frame library have. */
function tableLibraryUse(uses: ParamUses, where: string): string | undefined {
  const member = uses.methods?.find((name) =>
    /^(iloc|loc|iterrows|itertuples|columns|to_numpy|drop|groupby|fillna|dtypes)$/.test(name),
  );
  return member === undefined ? undefined : `${where} as a table (.${member})`;
}

interface Passed {
  readonly reading: ParamReading;
  /** Turns a vote about the callee's parameter into one about ours. */
  readonly lift: (vote: Vote) => Vote | undefined;
}

function passedReadings(site: Site, uses: ParamUses, depth: number): Passed[] {
  const whole = (uses.passedTo ?? []).map((passed) => ({ passed, lift: (vote: Vote) => vote }));
  const parts = (uses.element?.passedTo ?? []).map((passed) => ({ passed, lift: elementVote }));
  return [...whole, ...parts].flatMap(({ passed, lift }) => {
    const callee = calleeOf(site, passed.to);
    if (callee === undefined) return [];
    const params = ownParams(callee.facts, callee.owner !== undefined);
    const param = typeof passed.at === 'number' ? params[passed.at] : params.find(({ name }) => name === passed.at);
    return param === undefined ? [] : [{ reading: readParam(callee, param, depth + 1), lift }];
  });
}

/** Each element is handed on, so a single item there is a batch here, and a number there a vector here. */
function elementVote(vote: Vote): Vote | undefined {
  if (vote.call === 'batch' || vote.element === undefined) return undefined;
  if (vote.element === 'number') return { ...vote, element: 'vector', call: 'single' };
  return { ...vote, call: 'batch' };
}

/** `self.helper` is a method of the same class, a bare name a function of the same module. */
function calleeOf(site: Site, name: string): Site | undefined {
  const method = /^(?:self|cls)\.(\w+)$/.exec(name)?.[1];
  if (method === undefined) {
    const facts = site.module.functions.find((found) => found.name === name);
    return facts === undefined || facts === site.facts ? undefined : { ...site, owner: undefined, facts };
  }
  const found = site.owner === undefined ? undefined : site.index.methodsOf(site.owner).get(method);
  return found === undefined || found.method === site.facts
    ? undefined
    : { ...site, module: found.module, facts: found.method };
}

function namesIn(site: Site): NameResolver {
  return {
    alias: (name) => site.index.resolveAlias(site.module, name),
    classKind: (name) => {
      const found = site.index.resolveClass(site.module, name);
      if (found === undefined) return undefined;
      const bases = site.index.lineage(found).flatMap(({ facts }) => facts.bases);
      return bases.some((base) => /(TypedDict|Mapping|\bdict|UserDict)$/.test(base)) ? 'mapping' : 'object';
    },
  };
}

/** Votes from the function as a whole, for one that has a single parameter of interest. */
export function functionVotes(site: Site): Vote[] {
  const { facts } = site;
  const where = `${site.module.path}:${facts.line}`;
  const votes = docVotes(facts.docstring, where);
  const returned = facts.returnAnnotation === null ? undefined : annotatedShape(facts.returnAnnotation, namesIn(site));
  const declared = `${where} declares to return ${facts.returnAnnotation}`;
  if (returned?.kind === 'list' || returned?.kind === 'array')
    votes.push({ call: 'batch', weight: 1.5, why: declared });
  else if (returned?.kind === 'text' || returned?.kind === 'number')
    votes.push({ call: 'single', weight: 1.5, why: declared });
  else if (facts.returns.includes('list') || facts.returns.includes('generator'))
    votes.push({ call: 'batch', weight: 0.8, why: `${where} returns a list` });
  else if (facts.returns.some((kind) => kind === 'str' || kind === 'bool' || kind === 'number'))
    votes.push({ call: 'single', weight: 0.8, why: `${where} returns one value` });
  return votes;
}

function unpackedParts(uses: ParamUses): number | undefined {
  const mark = uses.marks?.find((name) => /^unpacked\d+$/.test(name));
  return mark === undefined ? undefined : Number(mark.slice('unpacked'.length));
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
