import type { Candidate, DatasetShape, LabelSource, LookedAt, Recognition, RejectedEntryPoint } from './candidate.ts';
import { CodeIndex } from './code-index.ts';
import { commandCandidates } from './commands.ts';
import { entryPoints, type EntryPoint } from './entry-points.ts';
import { estimatorCandidates, savedModelCandidates } from './estimators.ts';
import { convincing } from './convincing.ts';
import { goalOf, judgeEntryPoint, type JudgeContext, type Judged } from './judge-entry-point.ts';
import { namedCommand } from './named-command.ts';
import { perItemCandidates } from './per-item.ts';
import { whyNotOffered } from './places.ts';
import type { ScanResult } from './scan-result.ts';
import { shownUses } from './shown-uses.ts';

/** Entry points that are judged; the rest of a very large repository is counted, not judged. */
const JUDGED = 2_000;
const REPORTED = 60;
const LABEL_SOURCES = 200;

export interface RecogniseOptions {
  readonly manifest: DatasetShape;
  /** What a person named with --entry: it is judged whatever it is called and wherever it stands. */
  readonly wanted?: string | undefined;
}

/**
 * Finds, by reading only, the functions, classes, saved models and command lines of a Python repository that can predict
 * the data set's target, with how they are called, how sure that is and why. Deterministic: the same scan and data give
 * the same answer.
 */
export function recogniseEntryPoints(scan: ScanResult, { manifest, wanted }: RecogniseOptions): Recognition {
  const index = new CodeIndex(scan);
  const shown = shownUses(scan.usages, index, manifest);
  const context: JudgeContext = { index, dataset: manifest, readmeNames: new Set(scan.readmeNames), shown, wanted };
  const commands = commandCandidates(scan, context);
  const named = wanted === undefined ? undefined : namedCommand(wanted, scan, context);
  const candidates: Candidate[] = [
    ...estimatorCandidates(context),
    ...savedModelCandidates(scan, context),
    ...perItemCandidates(context),
    ...commands.candidates,
    ...(named === undefined ? [] : [named]),
  ];
  const rejected: RejectedEntryPoint[] = [];
  const found: Judged[] = [];
  for (const point of entryPoints(index, goalOf(manifest), { wanted, shown }).slice(0, JUDGED)) {
    const place = point.id === wanted ? undefined : whyNotOffered(point.module.path);
    const judged = place === undefined ? judgeEntryPoint(point, context) : { reason: `${point.module.path} ${place}` };
    if ('reason' in judged) rejected.push({ entrypoint: point.id, reason: `${whereOf(point)} ${judged.reason}` });
    else found.push(judged);
  }
  candidates.push(...convincing(found, candidates));
  rejected.push(...commands.rejected);
  candidates.sort((a, b) => b.confidence - a.confidence || compare(a.entrypoint, b.entrypoint));
  const used = new Set(candidates.map(({ entrypoint }) => entrypoint));
  return {
    candidates: withoutDoubles(candidates),
    rejected: rejected.filter(({ entrypoint }) => !used.has(entrypoint)).slice(0, REPORTED),
    labelSources: labelSources(scan),
    lookedAt: lookedAt(scan, commands.count),
  };
}

/** The same method is reached in several ways; the surest stays. */
function withoutDoubles(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ entrypoint }) => !seen.has(entrypoint) && seen.add(entrypoint).size > 0);
}

function whereOf(point: EntryPoint): string {
  return `${point.definedIn.path}:${point.facts.line}`;
}

function labelSources(scan: ScanResult): LabelSource[] {
  const inCode = scan.modules
    .filter(({ path }) => whyNotOffered(path) === undefined)
    .flatMap((module) => module.labels);
  return [...inCode, ...scan.labelFiles].slice(0, LABEL_SOURCES);
}

function lookedAt(scan: ScanResult, commands: number): LookedAt {
  const unreadable = [
    ...scan.errors.map(({ path, line, message }) => ({ path, reason: `line ${line}: ${message}` })),
    ...scan.skipped,
  ];
  return {
    files: scan.modules.length,
    functions: scan.modules.reduce((sum, module) => sum + module.functions.length, 0),
    classes: scan.modules.reduce((sum, module) => sum + module.classes.length, 0),
    commands,
    savedModels: scan.savedModels.length,
    paths: scan.modules.slice(0, 30).map((module) => module.path),
    unreadable: unreadable.slice(0, 30),
    limit: scan.limit,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
