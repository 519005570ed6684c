import type { Candidate, DatasetShape } from './candidate.ts';
import type { CodeIndex } from './code-index.ts';
import { commandCandidate } from './command-candidate.ts';
import { optionName, optionRole, type OptionRole } from './command-options.ts';
import { commandWays, type Slot } from './command-ways.ts';
import { importCosts } from './import-costs.ts';
import type { JudgeContext } from './judge-entry-point.ts';
import { whyNotOffered } from './places.ts';
import { programsOf, shownProgram, type Program } from './programs.ts';
import type { CommandFacts, CommandOption, ModuleFacts, ScanResult } from './scan-result.ts';

const strong = /^(predict\w*|classify\w*|infer\w*|label|tag|recogni[sz]e|categori[sz]e|predictions?|预测|分类)$/;
const weak = /^(detect\w*|score|analy[sz]e|run|estimate|guess|identify|batch|apply|sentiment)$/;
const other =
  /^(train|fit|eval\w*|test|serve|server|web|download|install|version|list|info|build|export|plot|clean|init|demo|benchmark|convert|shell|repl)/;

export interface CommandVerdicts {
  readonly candidates: readonly Candidate[];
  readonly rejected: readonly { readonly entrypoint: string; readonly reason: string }[];
  readonly count: number;
}

/** The command lines of a repository that take rows and print or write predictions. */
export function commandCandidates(scan: ScanResult, context: JudgeContext): CommandVerdicts {
  const candidates: Candidate[] = [];
  const rejected: { entrypoint: string; reason: string }[] = [];
  const programs = programsOf(scan, context.index);
  const all = programs.flatMap((program) => program.definedIn.commands.map((command) => ({ program, command })));
  for (const { program, command } of all) {
    const judged = judgeCommand(program, command, context);
    if ('reason' in judged)
      rejected.push({
        entrypoint: commandId(program, command),
        reason: `${program.definedIn.path}:${command.line} ${judged.reason}`,
      });
    else candidates.push(judged);
  }
  return { candidates, rejected, count: all.length };
}

function judgeCommand(
  program: Program,
  command: CommandFacts,
  context: JudgeContext,
): Candidate | { readonly reason: string } {
  const { module, definedIn } = program;
  const place = whyNotOffered(module.path);
  if (place !== undefined) return { reason: place };
  if (other.test(command.name)) return { reason: `the command "${command.name}" is not about predicting` };
  if (command.name === '' && definedIn.commands.some(({ name }) => name !== ''))
    return { reason: 'has commands of its own' };
  const slots = slotsOf(command, context.dataset, context.index);
  if ('reason' in slots) return slots;
  const ways = commandWays({ slots, command, marks: definedIn.marks, dataset: context.dataset });
  const [first, ...others] = ways;
  if (first === undefined)
    return { reason: 'takes neither a file, nor a text, nor standard input that the data could fill' };
  const { modules } = context.index.reach(module);
  const costs = importCosts(modules.filter((one) => one !== module && !one.isProgram));
  if (costs.reason !== undefined) return { reason: costs.reason };
  const confidence = confidenceOf(program, command, context) - costs.penalty;
  const said = {
    entrypoint: commandId(program, command),
    attribute: command.name,
    line: command.line,
    confidence: Math.round(Math.min(0.75, Math.max(0, confidence)) * 100) / 100,
    evidence: [
      `${definedIn.path}:${command.line} is a command line (${command.kind})${command.name === '' ? '' : ` with the command "${command.name}"`}`,
      ...slots.flatMap(({ why }) => (why === '' ? [] : [`${definedIn.path}:${why}`])),
    ],
    notes: ['the preflight found out how rows are handed over and where the answers are'],
  };
  return commandCandidate(program, [first, ...others], { index: context.index, said });
}

function commandId({ source }: Program, { name }: CommandFacts): string {
  return `cli:${shownProgram(source)}${name === '' ? '' : ` ${name}`}`;
}

function slotsOf(command: CommandFacts, dataset: DatasetShape, index: CodeIndex): Slot[] | { readonly reason: string } {
  const roles = command.options.map((option) => ({ option, role: optionRole(option, dataset, index) }));
  const unknown = roles.filter(({ option, role }) => role.is === 'unknown' && option.required);
  if (unknown.length > 0) return { reason: `needs ${unknown.map(({ option }) => option.names[0] ?? '?').join(', ')}` };
  return roles
    .filter(({ role }) => role.is !== 'skip' && role.is !== 'unknown')
    .map(({ option, role }) => ({ option, role, why: whyOf(option, role) }));
}

function whyOf(option: CommandOption, role: OptionRole): string {
  const name = option.names[0] ?? optionName(option);
  if (role.is === 'input') return `${option.line} ${name} takes the rows as a file`;
  if (role.is === 'output') return `${option.line} ${name} names the file of the answers`;
  if (role.is === 'text') return `${option.line} ${name} takes one text`;
  return role.is === 'column' ? `${option.line} ${name} takes the column ${role.column}` : '';
}

/** How sure it is that a command predicts what the data asks for, before it was tried. */
function confidenceOf(
  { source, module, definedIn }: Program,
  { name }: CommandFacts,
  { dataset, readmeNames }: JudgeContext,
): number {
  const stem = name !== '' ? name : (source.program.replace(/\.py$/, '').split(/[/.]/).at(-1) ?? '');
  const words = stem.toLowerCase().split(/[_-]/);
  const text = `${definedIn.docstring} ${module.docstring} ${definedIn.functions.find(({ name: found }) => found === 'main')?.docstring ?? ''}`;
  const says =
    /\b(predict|classif|detect|label|estimat|recogni[sz]|categor|score|sentiment|analy[sz])|预测|分类|识别|情感/i.test(
      text,
    );
  const about = (dataset.targetColumn ?? '').toLowerCase();
  const verb = words.some((word) => strong.test(word)) ? 0.64 : words.some((word) => weak.test(word)) ? 0.58 : 0.46;
  const topic = about.length > 2 && `${text} ${stem}`.toLowerCase().includes(about) ? 0.04 : 0;
  return (
    verb +
    (says ? 0.06 : 0) +
    topic +
    (readmeNames.has(source.program) ? 0.06 : 0) +
    (source.from === 'function' ? 0.02 : 0) +
    (hasPredictor(definedIn) ? 0.06 : 0)
  );
}

/** The program calls something that is named like a prediction. */
function hasPredictor(module: ModuleFacts): boolean {
  const names = [
    ...module.imports.flatMap(({ names }) => names.map(([name]) => name)),
    ...module.functions.map(({ name }) => name),
    ...module.classes.map(({ name }) => name),
  ];
  return names.some((name) => /predict|classif|detector|recogni|sentiment|label/i.test(name));
}
