import { Collector, folderOf, insideRepository, type Declared, type ReadText } from '../declared.ts';
import { isSpecifier } from '../specifiers.ts';
import { readRequirementLines, readRequirementsFile } from './requirements-file.ts';

interface Value {
  readonly lines: readonly { readonly text: string; readonly line: number }[];
}

/** setup.cfg: `install_requires` and `python_requires` of `[options]`. Undefined when it has neither. */
export async function readSetupCfg(path: string, read: ReadText): Promise<Declared | undefined> {
  const file = await read(path);
  if (file === undefined) return undefined;
  const sections = readIni(file.text);
  const options = sections.get('options');
  const requires = options?.get('install_requires');
  const python = options?.get('python_requires');
  if (requires === undefined && python === undefined) return undefined;
  const collector = new Collector();
  if (requires !== undefined) await addRequires(requires, { collector, path, read });
  const range = python?.lines
    .map(({ text }) => text)
    .join(',')
    .replace(/\s+/g, '');
  if (range !== undefined && isSpecifier(range))
    collector.requiresPython.push({ specifier: range, origin: { file: path, line: python?.lines[0]?.line ?? 1 } });
  for (const [name, value] of sections.get('options.extras_require') ?? [])
    collector.ignore(`[options.extras_require] ${name}`, 'optional: nothing asks for it', {
      file: path,
      line: value.lines[0]?.line ?? 1,
    });
  if (!collector.files.includes(path)) collector.files.unshift(path);
  // Without install_requires the needs may stand in setup.py beside it.
  return requires === undefined ? { ...collector.result(), files: [] } : collector.result();
}

async function addRequires(
  requires: Value,
  { collector, path, read }: { collector: Collector; path: string; read: ReadText },
): Promise<void> {
  const lines = requires.lines.map(({ text, line }) => ({ text, origin: { file: path, line } }));
  const [first] = lines;
  const named = first === undefined ? undefined : /^file:\s*(.+)$/.exec(first.text)?.[1];
  if (named === undefined) {
    collector.add(await readRequirementLines(lines.flatMap(splitSemicolons), read));
    return;
  }
  for (const file of named.split(',')) {
    const target = insideRepository(folderOf(path), file.trim());
    if (target !== undefined) collector.add(await readRequirementsFile(target, read));
  }
}

/** On one line the list is separated by semicolons, which also begin a marker: only a name begins a requirement. */
function splitSemicolons<T extends { readonly text: string }>(line: T): T[] {
  const parts = line.text.split(
    /;\s*(?![^;]*\b(?:python_version|sys_platform|platform_\w+|os_name|extra|implementation_name|python_full_version)\b)/,
  );
  return parts.map((text) => ({ ...line, text: text.trim() })).filter(({ text }) => text !== '');
}

/** The sections of a file of Python's configparser: values may go on in indented lines. */
function readIni(text: string): Map<string, Map<string, Value>> {
  const sections = new Map<string, Map<string, Value>>();
  let section: Map<string, Value> | undefined;
  let lines: { text: string; line: number }[] | undefined;
  for (const [index, raw] of text.split('\n').entries()) {
    const body = raw.replace(/(^|\s)[#;]\s.*$|^\s*[#;].*$/, '').trimEnd();
    if (body.trim() === '') continue;
    const heading = /^\[([^\]]+)\]/.exec(body);
    const entry = /^([^\s=:][^=:]*?)\s*[=:]\s*(.*)$/.exec(body);
    if (heading !== null) {
      section = sections.get(heading[1] ?? '') ?? new Map<string, Value>();
      sections.set(heading[1] ?? '', section);
      lines = undefined;
    } else if (/^\s/.test(body)) lines?.push({ text: body.trim(), line: index + 1 });
    else if (entry !== null && section !== undefined) {
      lines = entry[2] === '' ? [] : [{ text: entry[2] ?? '', line: index + 1 }];
      section.set((entry[1] ?? '').trim().toLowerCase().replaceAll('-', '_'), { lines });
    }
  }
  return sections;
}
