import { readdirSync, readFileSync } from 'node:fs';
import { parseRequirement } from '../../src/parse-requirement.ts';
import { diagnose } from '../../src/repair/diagnose.ts';
import type { Diagnosis, Step } from '../../src/repair/diagnosis.ts';
import { changeText, type InstallState } from '../../src/repair/install-state.ts';
import { nextStep, withAnswer, type NextStep } from '../../src/repair/next-step.ts';

const folder = new URL('../recordings/', import.meta.url);

export interface Recording {
  readonly tool: string;
  readonly python: string;
  readonly step: Step;
  readonly requirements: string;
  readonly output: string;
}

/** Names of what was recorded, without the answers of the index. */
export function recordingNames(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt') && !name.endsWith('.probe.txt'))
    .map((name) => name.slice(0, -'.txt'.length))
    .sort();
}

export function recording(name: string): Recording {
  const text = readFileSync(new URL(`${name}.txt`, folder), 'utf8');
  const at = text.indexOf('----\n');
  const field = (key: string) => new RegExp(`^${key}: (.*)$`, 'm').exec(text.slice(0, at))?.[1] ?? '';
  const requirements = field('requirements')
    .slice(1, -1)
    .replaceAll(String.raw`\n`, '\n');
  return {
    tool: field('tool'),
    python: field('python'),
    step: field('step') as Step,
    requirements,
    output: text.slice(at + 5),
  };
}

export interface Setting {
  readonly imports?: readonly string[];
  readonly pythons?: readonly string[];
}

/** The state in which a recording was made, on a machine with several interpreters. */
export function stateOf({ requirements, python }: Recording, setting: Setting = {}): InstallState {
  const lines = requirements.split('\n');
  return {
    requirements: lines.flatMap((line, index) => {
      const [text = '', ...hashes] = line.split(' --hash=');
      const parsed = parseRequirement(text, { file: 'requirements.txt', line: index + 1 });
      return 'problem' in parsed ? [] : [{ ...parsed.requirement, hashes }];
    }),
    constraints: [],
    lockFile: null,
    python,
    pythons: setting.pythons ?? ['3.9.18', '3.11.7', '3.12.1'],
    demands: [],
    machine: 'x86_64',
    checksHashes: true,
    buildConstraints: [],
    buildEnv: {},
    imports: setting.imports ?? [],
    declared: [],
    unavailable: [],
    answers: {},
    attempts: [],
  };
}

/** The step after a recorded failure; questions to the index are answered by its recorded answer. */
export function stepAfter(name: string, state: InstallState): { diagnosis: Diagnosis; step: NextStep } {
  const { step, output } = recording(name);
  const diagnosis = diagnose({ step, output });
  const first = nextStep(state, diagnosis);
  if (first.kind !== 'probe') return { diagnosis, step: first };
  const answer = diagnose({ step: 'probe', output: recording(`${name}.probe`).output });
  const informed = withAnswer(state, first.requirement, answer);
  return { diagnosis, step: nextStep(informed, diagnosis.kind === 'not_found' ? answer : diagnosis) };
}

/** In words: what is changed and why, or the sentence with which it ends. */
export function inWords(step: NextStep): string {
  if (step.kind === 'probe') return `asks again about ${step.requirement}`;
  if (step.kind === 'stop') return `${step.stop.message} | ${step.stop.why} | ${step.stop.hint}`;
  const attempt = step.state.attempts.at(-1)!;
  return `repaired: ${changeText(attempt.change)} (${attempt.why})`;
}
