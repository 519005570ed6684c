import type { Candidate, ObjectSource, TrainingCall, Way } from './candidate.ts';
import { inputsOf, isNumeric, asInput, textColumn } from './column-matching.ts';
import { isLoadingName } from './entry-points.ts';
import { importCosts } from './import-costs.ts';
import type { JudgeContext } from './judge-entry-point.ts';
import { requiredParams } from './infer-shape.ts';
import { wayOf } from './plan-input.ts';
import { filesFor, workingFolder } from './repository-files.ts';
import { whyNotOffered } from './places.ts';
import type { ModuleFacts, ScanResult } from './scan-result.ts';

/** Calls of well-known libraries whose object has fit and predict, and those that read a trained one from a file. */
const estimators =
  /(^|\.)(make_pipeline|Pipeline|make_union|\w*(Classifier|Regressor|Regression|NB|SVC|SVR|Ridge|Lasso|ElasticNet))$/;
const readers = /^(joblib|pickle|cloudpickle|dill|skops\.io|sio|xgb|lightgbm|lgb)(\.\w+)*\.?(load|loads)$|^load$/;

/** What stands before a model and predicts nothing. */
const preparing =
  /vectori[sz]er|scaler|encoder|tokeni[sz]er|transformer|preprocess|normali[sz]er|vocab|embedd|imputer|binari[sz]er/i;

interface Found {
  readonly module: ModuleFacts;
  readonly label: string;
  readonly source: ObjectSource;
  readonly line: number;
  readonly isTrained: boolean;
  readonly why: string;
}

/** Objects of other libraries that the repository makes or loads: their class is not here, but they predict. */
export function estimatorCandidates(context: JudgeContext): Candidate[] {
  const found = context.index.modules
    .filter(({ path }) => whyNotOffered(path) === undefined)
    .flatMap((module) => ofModule(module, context));
  return found.map((one) => candidateOf(one, context)).filter((one) => one !== undefined);
}

function ofModule(module: ModuleFacts, { index }: JudgeContext): Found[] {
  const found: Found[] = [];
  const isOwn = (call: string) => index.resolveClass(module, call) !== undefined;
  for (const { name, line, call } of module.values) {
    const kind = isOwn(call) ? undefined : kindOf(call);
    // An estimator that only stands there is not trained; one that the module trains when it is imported is.
    const trains = module.atImport.some(({ what }) => what === 'trains');
    if (kind !== undefined && (kind === 'read' || trains) && !preparing.test(name))
      found.push({
        module,
        line,
        label: name,
        source: { from: 'value', name, paths: [] },
        isTrained: true,
        why: `${module.path}:${line} makes ${name} with ${call}()${kind === 'read' ? '' : ' and trains it'}`,
      });
  }
  for (const facts of module.functions) {
    const files = filesFor(requiredParams(facts, false), index);
    const call = facts.gives.find((name) => !isOwn(name) && kindOf(name) !== undefined);
    if ('missing' in files || call === undefined || facts.name === 'main') continue;
    found.push({
      module,
      line: facts.line,
      label: `${facts.name}()`,
      source: { from: 'call', name: facts.name, paths: files.paths },
      isTrained: kindOf(call) === 'read' || isLoadingName(facts.name) || facts.name.startsWith('train'),
      why: `${module.path}:${facts.line} ${facts.name}() gives what ${call}() made`,
    });
  }
  return found;
}

function kindOf(call: string): 'read' | 'made' | undefined {
  if (readers.test(call)) return 'read';
  return estimators.test(call) ? 'made' : undefined;
}

const fitting: TrainingCall = { attribute: 'fit', style: 'columns', labelsFirst: false };

function candidateOf(found: Found, { index, dataset, readmeNames }: JudgeContext): Candidate | undefined {
  const { module, source } = found;
  const { modules, thirdParty } = index.reach(module);
  const costs = importCosts(modules);
  const ways = openWays(dataset);
  const [first] = ways;
  if (costs.reason !== undefined || first === undefined) return undefined;
  const name = source.from === 'call' || source.from === 'value' ? source.name : '';
  const confidence = 0.7 + (found.isTrained ? 0.08 : 0) + (readmeNames.has(name) ? 0.05 : 0) - costs.penalty;
  return {
    ...blank(first, ways),
    kind: 'method',
    entrypoint: `${module.module}:${found.label}.predict`,
    module: module.module,
    owner: found.label,
    file: module.path,
    line: found.line,
    importRoot: module.importRoot,
    cwd: workingFolder(
      modules.flatMap(({ relativeFiles }) => relativeFiles),
      module.importRoot,
    ),
    object: source,
    needsTraining: !found.isTrained,
    training: found.isTrained ? null : fitting,
    thirdPartyImports: thirdParty,
    confidence: Math.round(Math.max(0, confidence) * 100) / 100,
    evidence: [found.why, ...costs.evidence],
  };
}

/** Models that the repository keeps as files. They are loaded in the sandbox only. */
export function savedModelCandidates(scan: ScanResult, { index, dataset }: JudgeContext): Candidate[] {
  const ways = openWays(dataset);
  const [first] = ways;
  if (first === undefined) return [];
  return scan.savedModels
    .filter(({ path }) => whyNotOffered(path.replace(/[^/]*$/, 'x.py')) === undefined)
    .filter(({ names, path, isPlainData }) => !isPlainData && isModel(names, path))
    .map((saved): Candidate => {
      const tops = new Set(saved.modules.map((name) => name.split('.')[0] ?? ''));
      const own = saved.modules.map((name) => index.moduleNamed(name)).filter((module) => module !== undefined);
      const needs = [...tops].filter(
        (top) =>
          isForeign(top, scan) &&
          index.moduleNamed(top) === undefined &&
          !own.some((module) => module.module.split('.')[0] === top),
      );
      const loader = saved.loader === 'pickle' ? [] : [saved.loader];
      return {
        ...blank(first, ways),
        kind: 'saved_model',
        entrypoint: `file:${saved.path}`,
        module: '',
        owner: null,
        file: saved.path,
        line: 0,
        importRoot: own[0]?.importRoot ?? '',
        object: { from: 'file', path: saved.path, loader: saved.loader },
        thirdPartyImports: [
          ...new Set([...needs, ...loader, ...own.flatMap((module) => index.reach(module).thirdParty)]),
        ].sort(),
        confidence: 0.66,
        evidence: [`${saved.path} is a saved model (${saved.names.slice(0, 4).join(', ') || saved.loader})`],
      };
    });
}

/** A pickle can hold anything: what its opcodes name must sound like something that predicts. */
function isModel(names: readonly string[], path: string): boolean {
  const sounds =
    /(Pipeline|Classifier|Regressor|Regression|NB|SV[CR]|Model|Predictor|Bayes|Tree|Forest|Perceptron|Ridge|Lasso|Knn|Tagger|Detector|Estimator)/i;
  return names.some((name) => sounds.test(name)) || (names.length === 0 && /model|clf|classifier|pipeline/i.test(path));
}

function isForeign(top: string, scan: ScanResult): boolean {
  return top !== '' && top !== 'builtins' && top !== '__main__' && !scan.standardLibrary.includes(top);
}

/** How an object of an unknown class may take rows, the likeliest first; the preflight decides. */
function openWays(dataset: JudgeContext['dataset']): Way[] {
  const columns = inputsOf(dataset);
  const all = columns.map((column) => asInput(column));
  const text = textColumn(columns);
  if (text !== undefined && columns.every((column) => column === text || !isNumeric(column)))
    return [
      wayOf('text', 'batch', [asInput(text)]),
      wayOf('text', 'single', [asInput(text)]),
      wayOf('frame', 'batch', all),
    ];
  if (columns.length > 0 && columns.every(isNumeric))
    return [
      wayOf('feature_vector', 'batch', all),
      wayOf('frame', 'batch', all),
      wayOf('feature_vector', 'single', all),
      wayOf('row_dict', 'batch', all),
      wayOf('row_dict', 'single', all),
    ];
  return columns.length === 0
    ? []
    : [wayOf('frame', 'batch', all), wayOf('row_dict', 'batch', all), wayOf('row_dict', 'single', all)];
}

function blank(first: Way, ways: readonly Way[]) {
  return {
    attribute: 'predict',
    cwd: '',
    input: first.input,
    columns: first.columns,
    call: first.call,
    ways,
    modelFirst: false,
    loader: null,
    needsTraining: false,
    training: null,
    probabilities: 'predict_proba',
    notes: ['the preflight found out how rows are handed over'],
  } as const;
}
