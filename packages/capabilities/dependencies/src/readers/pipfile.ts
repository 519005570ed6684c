import { Collector, type Declared, type ReadText } from '../declared.ts';
import { lineOf } from '../text.ts';
import { parseToml, tableAt } from '../toml-table.ts';
import { addEntry } from './poetry.ts';

/** Pipfile: `[packages]` and the version of Python; `[dev-packages]` and `[[source]]` are named and left out. */
export async function readPipfile(path: string, read: ReadText): Promise<Declared | undefined> {
  const file = await read(path);
  if (file === undefined) return undefined;
  const collector = new Collector();
  collector.files.push(path);
  const parsed = parseToml(file.text);
  if ('problem' in parsed) {
    collector.ignore(path, parsed.problem, { file: path, line: parsed.line });
    return collector.result();
  }
  const content = parsed.table;
  const at = (needle: string) => ({ file: path, line: lineOf(file.text, needle) });
  const start = Math.max(0, file.text.indexOf('[packages]'));
  for (const [name, value] of Object.entries(tableAt(content, 'packages') ?? {}))
    addEntry(name, value, {
      target: { collector, path, text: file.text },
      origin: { file: path, line: lineOf(file.text, name, start) },
    });
  const python = tableAt(content, 'requires') ?? {};
  const full = python['python_full_version'] ?? python['python_version'];
  if (typeof full === 'string' && /^\d+(\.\d+)*$/.test(full))
    collector.requiresPython.push({
      specifier: full.split('.').length > 2 ? `==${full}` : `==${full}.*`,
      origin: at(full),
    });
  if (tableAt(content, 'dev-packages') !== undefined)
    collector.ignore('[dev-packages]', 'for developing, testing or documents', at('[dev-packages]'));
  return collector.result();
}
