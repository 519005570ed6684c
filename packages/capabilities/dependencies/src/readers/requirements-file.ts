import { Collector, folderOf, insideRepository, type Declared, type ReadText } from '../declared.ts';
import { parseRequirement } from '../parse-requirement.ts';
import type { Origin, Requirement } from '../requirement.ts';

const MOST_FILES = 50;
const MOST_LINES = 5_000;

/** Options of pip that choose where packages come from or how they are built: the machine's own configuration decides. */
const sources = /^(-i|--index-url|--extra-index-url|-f|--find-links|--no-index|--trusted-host)$/;

/**
 * A requirements file with all files that it includes (`-r`) and constrains by (`-c`). Includes that go round in a
 * circle, leave the repository or are missing are reported; so is every line that is not used.
 */
export async function readRequirementsFile(path: string, read: ReadText): Promise<Declared> {
  const state: State = { collector: new Collector(), read, seen: new Set() };
  await readFile(state, path, { constraints: false });
  return state.collector.result();
}

/** Lines of requirements that stand in another file: `pip:` of a conda environment, `install_requires` of setup.cfg. */
export async function readRequirementLines(
  lines: readonly { readonly text: string; readonly origin: Origin }[],
  read: ReadText,
): Promise<Declared> {
  const state: State = { collector: new Collector(), read, seen: new Set() };
  for (const line of lines) await readLine(state, line, { constraints: false });
  return state.collector.result();
}

interface State {
  readonly collector: Collector;
  readonly read: ReadText;
  readonly seen: Set<string>;
}
interface Mode {
  readonly constraints: boolean;
}
interface Line {
  readonly text: string;
  readonly origin: Origin;
}

async function readFile(state: State, path: string, mode: Mode, from?: Origin): Promise<void> {
  const where = from ?? { file: path, line: 1 };
  if (state.seen.has(path)) {
    state.collector.ignore(`-r ${path}`, 'it was read already; files that include each other are read once', where);
    return;
  }
  if (state.seen.size >= MOST_FILES) {
    state.collector.ignore(`-r ${path}`, `more than ${MOST_FILES} files are included`, where);
    return;
  }
  state.seen.add(path);
  const file = await state.read(path);
  if (file === undefined) {
    state.collector.ignore(`-r ${path}`, 'the repository has no such file', where);
    return;
  }
  state.collector.files.push(path);
  if (file.note !== null) state.collector.ignore('its encoding', file.note, { file: path, line: 1 });
  for (const line of logicalLines(file.text, path)) await readLine(state, line, mode);
}

/** Lines without comments, continued ones joined, with the number of the first. */
function logicalLines(text: string, file: string): Line[] {
  const found: Line[] = [];
  let pending: { text: string; line: number } | undefined;
  for (const [index, raw] of text.split('\n').slice(0, MOST_LINES).entries()) {
    const continues = raw.endsWith('\\') && !/^\s*#/.test(raw);
    const body = (continues ? raw.slice(0, -1) : raw).replace(/(^|\s)#.*$/, '');
    pending = pending === undefined ? { text: body, line: index + 1 } : { ...pending, text: `${pending.text} ${body}` };
    if (continues) continue;
    if (pending.text.trim() !== '') found.push({ text: pending.text.trim(), origin: { file, line: pending.line } });
    pending = undefined;
  }
  if (pending !== undefined && pending.text.trim() !== '')
    found.push({ text: pending.text.trim(), origin: { file, line: pending.line } });
  return found;
}

async function readLine(state: State, line: Line, mode: Mode): Promise<void> {
  const option = /^(--?[a-z][\w-]*)(?:\s*=\s*|\s+)?(.*)$/i.exec(line.text);
  if (option === null) return addRequirement(state, line, { mode, editable: false });
  const [name, value] = [option[1] ?? '', unquoted(option[2] ?? '')];
  if (name === '-r' || name === '--requirement') return include(state, value, { line, mode });
  if (name === '-c' || name === '--constraint') return include(state, value, { line, mode: { constraints: true } });
  if (name === '-e' || name === '--editable')
    return addRequirement(state, { ...line, text: value }, { mode, editable: true });
  // `-rbase.txt` is what pip allows too.
  const glued = /^-([rc])(.+)$/.exec(line.text);
  if (glued !== null && !line.text.startsWith('--'))
    return include(state, glued[2] ?? '', { line, mode: { constraints: glued[1] === 'c' || mode.constraints } });
  state.collector.ignore(line.text, whyIgnored(name), line.origin);
}

function whyIgnored(option: string): string {
  if (sources.test(option))
    return 'packages come only from the index that this machine is configured for; a repository cannot name another';
  if (/^--(no-binary|only-binary|prefer-binary|pre|require-hashes|use-feature)$/.test(option))
    return 'wheels are taken first and sources only when there is no wheel';
  return 'this option of pip is not used';
}

async function include(state: State, value: string, { line, mode }: { line: Line; mode: Mode }): Promise<void> {
  if (/^[a-z]+:\/\//i.test(value)) {
    state.collector.ignore(line.text, 'a list of requirements is not fetched from an address', line.origin);
    return;
  }
  const path = insideRepository(folderOf(line.origin.file), value);
  if (path === undefined) state.collector.ignore(line.text, 'it leads out of the repository', line.origin);
  else await readFile(state, path, mode, line.origin);
}

function addRequirement(state: State, line: Line, { mode, editable }: { mode: Mode; editable: boolean }): void {
  const [text = '', ...options] = line.text.split(/\s+(?=--(?:hash|config-settings?|global-option|install-option)\b)/);
  const parsed = parseRequirement(unquoted(text), line.origin);
  if ('problem' in parsed) {
    state.collector.ignore(line.text, `it cannot be read: ${parsed.problem}`, line.origin);
    return;
  }
  if (parsed.note !== null) state.collector.ignore(line.text, parsed.note, line.origin);
  const place = parsed.requirement.place;
  const hashes = options.map((option) => /^--hash[= ]\s*(\S+)/.exec(option)?.[1]).filter((hash) => hash !== undefined);
  const requirement: Requirement = { ...parsed.requirement, editable, hashes };
  if (place.kind === 'path') {
    addLocal(state, { ...requirement, place }, line);
    return;
  }
  (mode.constraints ? state.collector.constraints : state.collector.requirements).push(requirement);
}

/** Paths in a requirements file are relative to the folder in which pip is called: the repository's root or the file's. */
function addLocal(state: State, requirement: Requirement & { place: { path: string } }, line: Line): void {
  const path = insideRepository(folderOf(line.origin.file), requirement.place.path);
  if (path === undefined) state.collector.ignore(line.text, 'it leads out of the repository', line.origin);
  else state.collector.requirements.push({ ...requirement, place: { kind: 'path', path: path === '' ? '.' : path } });
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/s, '$2');
}
