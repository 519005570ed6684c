import type { Candidate, DatasetShape, LookedAt, Recognition, RejectedEntryPoint } from './candidate.ts';
import { CodeIndex } from './code-index.ts';
import { entryPoints, type EntryPoint } from './entry-points.ts';
import { judgeEntryPoint } from './judge-entry-point.ts';
import { whyNotOffered } from './places.ts';
import type { ScanResult } from './scan-result.ts';

/** Entry points that are judged; the rest of a very large repository is counted, not judged. */
const JUDGED = 2_000;
const REPORTED = 60;

/**
 * Finds, by reading only, the functions and classes of a Python repository that can predict the data set's target, with
 * how they are called, how sure that is and why. Deterministic: the same scan and data give the same answer.
 */
export function recogniseEntryPoints(scan: ScanResult, options: { readonly manifest: DatasetShape }): Recognition {
  const index = new CodeIndex(scan);
  const context = { index, dataset: options.manifest, readmeNames: new Set(scan.readmeNames) };
  const candidates: Candidate[] = [];
  const rejected: RejectedEntryPoint[] = [];
  for (const point of entryPoints(index).slice(0, JUDGED)) {
    const place = whyNotOffered(point.module.path);
    const judged = place === undefined ? judgeEntryPoint(point, context) : { reason: `${point.module.path} ${place}` };
    if ('reason' in judged) rejected.push({ entrypoint: point.id, reason: `${whereOf(point)} ${judged.reason}` });
    else candidates.push(judged);
  }
  candidates.sort((a, b) => b.confidence - a.confidence || compare(a.entrypoint, b.entrypoint));
  return { candidates, rejected: rejected.slice(0, REPORTED), lookedAt: lookedAt(scan) };
}

function whereOf(point: EntryPoint): string {
  return `${point.definedIn.path}:${point.facts.line}`;
}

function lookedAt(scan: ScanResult): LookedAt {
  const unreadable = [
    ...scan.errors.map(({ path, line, message }) => ({ path, reason: `line ${line}: ${message}` })),
    ...scan.skipped,
  ];
  return {
    files: scan.modules.length,
    functions: scan.modules.reduce((sum, module) => sum + module.functions.length, 0),
    classes: scan.modules.reduce((sum, module) => sum + module.classes.length, 0),
    paths: scan.modules.slice(0, 30).map((module) => module.path),
    unreadable: unreadable.slice(0, 30),
    limit: scan.limit,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
