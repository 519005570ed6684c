import type { EvaluationTask } from '@assay/contracts';
import { speaksOf, type CallName } from './call-names.ts';
import type { DatasetShape } from './candidate.ts';
import type { CodeIndex } from './code-index.ts';
import type { EntryPoint } from './entry-points.ts';
import type { ImportCosts } from './import-costs.ts';
import type { Role } from './judge-entry-point.ts';
import type { Standing } from './standing.ts';
import type { InputPlan } from './plan-input.ts';

export interface ScoreInput {
  readonly point: EntryPoint;
  readonly role: Role;
  readonly plan: InputPlan;
  readonly name: CallName;
  readonly costs: ImportCosts;
  readonly standing: Standing;
  readonly index: CodeIndex;
  readonly dataset: DatasetShape;
  readonly readmeNames: ReadonlySet<string>;
}

/**
 * How sure it is that the entry point is what the repository offers for this task and is called as planned, 0 … 1:
 * the verb (up to 0.25), what an item is (up to 0.3), one or many (up to 0.2), and what else points to it.
 */
export function scoreCandidate(input: ScoreInput): {
  readonly confidence: number;
  readonly evidence: readonly string[];
} {
  const evidence: string[] = [];
  let score = input.name.weight + 0.3 * input.plan.elementCertainty + 0.2 * input.plan.callCertainty;
  const add = (points: number, sentence: string) => {
    score += points;
    evidence.push(sentence);
  };
  const { point, role, readmeNames } = input;
  const where = `${point.definedIn.path}:${point.facts.line}`;
  const publicName = point.owner?.facts.name ?? point.facts.name;
  if (role.training !== undefined) score += 0.1;
  // What the repository has trained itself is what it offers.
  if (role.isLoaded) score += 0.12;
  if (readmeNames.has(publicName)) add(0.1, `README mentions ${publicName}`);
  if (isExported(point, input.index)) add(0.05, `${publicName} is exported by its package`);
  const place = [point.module.module, point.owner?.facts.name ?? ''].join('.');
  const about = speaksOf(place, input.dataset.targetColumn);
  if (about !== undefined) add(about === 'same' ? 0.06 : 0.03, `${place} speaks of the target`);
  const fit = nameFit(publicName, point.owner !== undefined, input.dataset.suggestedTask);
  if (fit !== 0) add(fit, `${where} its name ${publicName} ${fit > 0 ? 'fits' : 'does not fit'} the task`);
  if (input.plan.ways[0]?.input === 'feature_vector' && !role.isLoaded && role.training === undefined) score -= 0.1;
  score += input.standing.points - input.costs.penalty;
  evidence.push(...input.standing.evidence);
  evidence.push(...input.costs.evidence);
  return { confidence: Math.round(Math.min(1, Math.max(0, score)) * 100) / 100, evidence };
}

function isExported(point: EntryPoint, index: CodeIndex): boolean {
  const name = point.owner?.facts.name ?? point.facts.name;
  if (point.module.exports.includes(name)) return true;
  return index.modules.some(
    (module) =>
      module.path.endsWith('__init__.py') &&
      module.imports.some(
        (entry) => entry.module === point.module.module && entry.names.some(([found]) => found === name),
      ),
  );
}

function nameFit(name: string, isClass: boolean, task: EvaluationTask): number {
  if (name.startsWith('_') || /(Dummy|Mock|Fake|Random|Baseline|Majority|Constant|Naive(?!_?Bayes)|Null)/i.test(name))
    return -0.2;
  if (!isClass) return 0;
  const isClassifier = /classif|logistic/i.test(name);
  const isRegressor = /regress/i.test(name) && !/logistic/i.test(name);
  if (isClassifier) return task === 'classification' ? 0.1 : -0.3;
  if (isRegressor) return task === 'regression' ? 0.1 : -0.3;
  return 0;
}
