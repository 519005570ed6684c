import { stripVTControlCharacters } from 'node:util';
import type { Diagnosis, Step } from './diagnosis.ts';
import type { Rule } from './rule.ts';
import { diskProblem, type Space } from './disk-space.ts';
import { readPipOutput } from './pip-output.ts';
import { buildRules } from './rules-build.ts';
import { fileRules } from './rules-files.ts';
import { indexRules } from './rules-index.ts';
import { machineRules } from './rules-machine.ts';
import { runRules } from './rules-run.ts';

export interface FailedStep {
  readonly step: Step;
  /** What it printed, or the end of it. */
  readonly output: string;
  /** How it ended, when not by itself. */
  readonly end?: 'timed_out' | 'out_of_memory' | 'output_limit';
  /** What the disk was like, for a command that may have failed for want of it. */
  readonly space?: Space;
}

/** Of a longer output the end counts. */
const MOST_CHARACTERS = 400_000;
const EVIDENCE = 300;

const rules: readonly Rule[] = [...machineRules, ...runRules, ...fileRules, ...buildRules, ...indexRules];

/**
 * What a failed install, question or first import means; `unknown` with its last line when no rule knows it. What the
 * programs of a package print can explain why that package was not built, and nothing else.
 */
export function diagnose({ step, output, end, space }: FailedStep): Diagnosis {
  const text = stripVTControlCharacters(output.slice(-MOST_CHARACTERS));
  // Only a build runs programs of packages beside pip.
  const { own, whole, said } = step === 'install' ? readPipOutput(text) : { own: text, whole: text, said: '' };
  if (end === 'out_of_memory')
    return found('out_of_memory', 'the sandbox ended it: it needed more memory than it may have');
  const full = diskProblem({ own, said, end, space });
  if (full !== undefined) return { ...found(full.kind, full.evidence), subject: full.subject };
  if (end === 'output_limit') return found('output_too_long', 'the sandbox ended it: it printed more than it may');
  for (const rule of rules) {
    if (rule.steps !== undefined && !rule.steps.includes(step)) continue;
    const searched = rule.where === 'whole' ? whole : own;
    const match = rule.pattern.exec(searched);
    const facts = match === null ? undefined : rule.read === undefined ? {} : rule.read(match, own);
    if (match !== null && facts !== undefined) return { ...found(rule.kind, lineOf(searched, match)), ...facts };
  }
  if (end === 'timed_out') return found('install_timed_out', 'it was ended after its time');
  return found('unknown', lastLine(text));
}

function found(kind: Diagnosis['kind'], evidence: string): Diagnosis {
  return { kind, package: null, requirement: null, subject: null, list: [], evidence: evidence.slice(0, EVIDENCE) };
}

/** The line on which a match ends: what was looked for stands there. */
function lineOf(text: string, match: RegExpExecArray): string {
  const end = match.index + match[0].trimEnd().length;
  const start = text.lastIndexOf('\n', end - 1) + 1;
  const stop = text.indexOf('\n', end);
  return text.slice(start, stop === -1 ? undefined : stop).trim();
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim() ?? '';
}
