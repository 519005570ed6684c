import { parseDocument } from 'yaml';
import { Collector, type Declared, type ReadText } from '../declared.ts';
import { condaOnly, pipNameOfConda } from '../conda-names.ts';
import { indexRequirement, type Origin } from '../requirement.ts';
import { fromConda } from '../specifiers.ts';
import { lineOf } from '../text.ts';
import { isTable } from '../toml-table.ts';
import { readRequirementLines } from './requirements-file.ts';

/**
 * environment.yml of conda, read for names and versions: packages of conda are taken from the package index under the
 * name that they have there, its `pip:` part as it stands. Nothing of conda is run.
 */
export async function readConda(path: string, read: ReadText): Promise<Declared | undefined> {
  const file = await read(path);
  if (file === undefined) return undefined;
  const collector = new Collector();
  const document = parseDocument(file.text, { logLevel: 'silent' });
  const [error] = document.errors;
  if (error !== undefined) {
    const line = error.linePos?.[0].line ?? 1;
    collector.ignore(path, `it is not valid YAML: ${error.message.split('\n')[0]}`, { file: path, line });
    return collector.result();
  }
  const content: unknown = document.toJS({ maxAliasCount: 10 });
  if (!isTable(content) || !Array.isArray(content['dependencies'])) return undefined;
  collector.files.push(path);
  for (const entry of content['dependencies'] as unknown[]) {
    if (typeof entry === 'string')
      addConda(entry, { collector, origin: { file: path, line: lineOf(file.text, entry) } });
    else if (isTable(entry) && Array.isArray(entry['pip'])) {
      const start = file.text.search(/^\s*-\s*pip\s*:/m);
      const lines = (entry['pip'] as unknown[])
        .filter((item) => typeof item === 'string')
        .map((text) => ({ text, origin: { file: path, line: lineOf(file.text, text, Math.max(0, start)) } }));
      collector.add(await readRequirementLines(lines, (name) => read(name)));
    }
  }
  if (content['channels'] !== undefined)
    collector.ignore('channels', 'packages come from the package index, not from conda', {
      file: path,
      line: lineOf(file.text, 'channels'),
    });
  return collector.result();
}

function addConda(entry: string, { collector, origin }: { collector: Collector; origin: Origin }): void {
  const match = /^(?:[\w./-]+::)?([A-Za-z0-9_][\w.-]*)\s*(.*)$/.exec(entry.trim());
  const [, conda = '', rest = ''] = match ?? [];
  const specifier = fromConda(rest.replace(/^=(?!=)/, '').replace(/\s+/g, rest.includes('=') ? '' : '='));
  if (conda.toLowerCase() === 'python') {
    if (specifier === undefined) collector.ignore(entry, 'its range cannot be read', origin);
    else if (specifier !== '') collector.requiresPython.push({ specifier, origin });
    return;
  }
  const reason = condaOnly(conda);
  if (reason !== undefined) collector.ignore(entry, reason, origin);
  else if (specifier === undefined) {
    collector.ignore(entry, 'its range cannot be read: any version is taken', origin);
    collector.requirements.push(indexRequirement(pipNameOfConda(conda), origin));
  } else collector.requirements.push(indexRequirement(pipNameOfConda(conda), origin, specifier));
}
