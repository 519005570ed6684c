import type { DatasetShape } from './candidate.ts';
import { isPredictionName, type Goal } from './call-names.ts';
import type { EntryPoint } from './entry-points.ts';
import { foldLabel } from './label-evidence.ts';
import type { UsageFacts } from './scan-result.ts';
import type { Vote } from './vote.ts';

/** What the README, tests, docstrings and the package's name say of an entry point. */
export interface Standing {
  /** How well it stands for what the repository offers, as the weight of a name would be: 0 … 0.25. */
  readonly weight: number;
  /** Added to the confidence; negative when what is shown to come of it is not what is asked for. */
  readonly points: number;
  readonly evidence: readonly string[];
  readonly votes: readonly Vote[];
  /** True when its name says nothing of predictions: only how it is used speaks for it. */
  readonly byUse: boolean;
  /** True when the README or a docstring calls it with something like the data. */
  readonly isShown: boolean;
}

const ORIGINS = { readme: 'the README', docstring: 'a docstring', test: 'a test' } as const;
const WEIGHTS = { readme: 0.22, docstring: 0.16, test: 0.12 } as const;

/** Reads the shown calls of one entry point. */
export function standingOf(
  point: EntryPoint,
  uses: readonly UsageFacts[],
  { goal, dataset }: { readonly goal: Goal; readonly dataset: DatasetShape },
): Standing {
  const byUse = !isPredictionName(point.facts.name, goal);
  const literal = uses.filter(({ given }) => given !== 'other');
  const [best] = [...literal, ...uses].sort((a, b) => weightOf(b) - weightOf(a));
  const evidence: string[] = [];
  let points = 0;
  let weight = best === undefined ? 0 : weightOf(best);
  if (best !== undefined) evidence.push(`${best.path}:${best.line} ${ORIGINS[best.origin]} calls it`);
  const like = packageName(point);
  if (like !== undefined) {
    weight = Math.max(weight, 0.12);
    points += 0.08;
    evidence.push(`${point.definedIn.path}:${point.facts.line} it is named like the package ${like}`);
  }
  const result = resultOf(uses, goal, dataset);
  if (result !== undefined) {
    points += result.points;
    evidence.push(result.why);
  }
  const isShown = uses.some(({ origin }) => origin !== 'test');
  return { weight, points, evidence, votes: votesOf(literal), byUse, isShown };
}

function weightOf({ origin, given }: UsageFacts): number {
  return given === 'other' ? WEIGHTS[origin] / 2 : WEIGHTS[origin];
}

/** A literal argument says what an item is and how many are handed over. */
function votesOf(uses: readonly UsageFacts[]): Vote[] {
  const votes: Vote[] = [];
  const seen = new Set<string>();
  for (const { given, path, line } of uses) {
    const why = `${path}:${line} hands it ${given === 'text' ? 'one text' : given}`;
    if (seen.has(given)) continue;
    seen.add(given);
    if (given === 'text') votes.push({ element: 'text', call: 'single', weight: 2.5, why });
    else if (given === 'texts') votes.push({ element: 'text', call: 'batch', weight: 1.2, why });
    else if (given === 'row') votes.push({ element: 'row', call: 'single', weight: 2.5, why });
    else if (given === 'number') votes.push({ element: 'number', call: 'single', weight: 1.5, why });
    else if (given === 'numbers') votes.push({ element: 'vector', call: 'single', weight: 1.5, why });
  }
  return votes;
}

/** The package that a name is like: `timeparse` of pytimeparse, `cn2an` of cn2an. */
function packageName({ module, facts, owner }: EntryPoint): string | undefined {
  const top = module.module.split('.')[0] ?? '';
  const fold = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const [whole, name] = [fold(top), fold(facts.name)];
  if (name.length < 4 || whole.length < 4 || owner?.facts.name.startsWith('_') === true) return undefined;
  return whole === name || (name.length >= 6 && whole.includes(name)) || name.includes(whole) ? top : undefined;
}

/** Whether what is shown to come of it is of the target's kind. */
function resultOf(
  uses: readonly UsageFacts[],
  { task }: Goal,
  { labels }: DatasetShape,
): { readonly points: number; readonly why: string } | undefined {
  const told = uses.filter(({ gives }) => gives !== null && gives !== 'none');
  const known = new Set((labels ?? []).map(({ label }) => foldLabel(label)));
  const said = told.find(({ answer }) => answer !== null && known.has(foldLabel(answer)));
  const at = ({ path, line }: UsageFacts) => `${path}:${line}`;
  if (task === 'classification' && said !== undefined)
    return { points: 0.15, why: `${at(said)} it gives ${JSON.stringify(said.answer)}, a label of the data` };
  const fitting = told.find(({ gives }) => fits(gives ?? '', task, known));
  if (fitting !== undefined) {
    const isExact = task === 'classification' && isYesOrNo(known);
    return { points: isExact ? 0.15 : 0.08, why: `${at(fitting)} it gives a ${fitting.gives}, as the target needs` };
  }
  const [other] = told;
  return other === undefined
    ? undefined
    : { points: -0.25, why: `${at(other)} it gives a ${other.gives}, which is not what the target is` };
}

function fits(gives: string, task: Goal['task'], labels: ReadonlySet<string>): boolean {
  if (task === 'regression') return gives === 'number';
  if (isYesOrNo(labels)) return gives === 'bool';
  if (gives === 'bool') return labels.size === 2;
  return gives === 'text' || gives === 'number' || gives === 'row';
}

function isYesOrNo(labels: ReadonlySet<string>): boolean {
  return labels.size === 2 && [...labels].every((label) => /^(true|false|yes|no|y|n)$/.test(label));
}
