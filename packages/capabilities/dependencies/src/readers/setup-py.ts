import * as z from 'zod';
import { AssayError } from '@assay/foundation';
import { Collector, folderOf, insideRepository, type Declared, type ReadText } from '../declared.ts';
import { isSpecifier } from '../specifiers.ts';
import { readRequirementLines, readRequirementsFile } from './requirements-file.ts';

const place = z.object({ what: z.string(), line: z.number() });

/** What `assets/python/read_setup.py` prints about one setup.py. */
const setupFacts = z.object({
  v: z.literal(1),
  /** True when it calls `setup(…)`. */
  found: z.boolean(),
  requires: z.array(z.object({ text: z.string(), line: z.number() })).nullable(),
  python: z.object({ text: z.string(), line: z.number() }).nullable(),
  extras: z.array(z.object({ name: z.string(), line: z.number() })),
  computed: z.array(place),
  files: z.array(z.object({ file: z.string(), line: z.number() })),
  extensions: place.nullable(),
  packageDir: z.string().nullable(),
  error: z.object({ message: z.string(), line: z.number() }).nullable(),
});
export type SetupFacts = z.infer<typeof setupFacts>;

/** Checks what the reader of setup.py printed. Throws `internal` when it is something else. */
export function parseSetupFacts(printed: unknown): SetupFacts {
  const parsed = setupFacts.safeParse(printed);
  if (parsed.success) return parsed.data;
  throw new AssayError('internal', 'the reader of setup.py printed something unexpected', { cause: parsed.error });
}

/** setup.py as its syntax tree says it; undefined when it declares nothing. */
export async function readSetupPy(path: string, facts: SetupFacts, read: ReadText): Promise<Declared | undefined> {
  const collector = new Collector();
  const at = (line: number) => ({ file: path, line });
  if (facts.error !== null) collector.ignore(path, `it cannot be parsed: ${facts.error.message}`, at(facts.error.line));
  for (const { what, line } of facts.computed)
    collector.ignore(what, 'it is computed when setup.py runs, and setup.py is not run to find out', at(line));
  for (const { name, line } of facts.extras)
    collector.ignore(`extras_require ${name}`, 'optional: nothing asks for it', at(line));
  if (facts.python !== null && isSpecifier(facts.python.text))
    collector.requiresPython.push({ specifier: facts.python.text.replace(/\s+/g, ''), origin: at(facts.python.line) });
  const lines = (facts.requires ?? []).map(({ text, line }) => ({ text, origin: at(line) }));
  collector.add(await readRequirementLines(lines, read));
  for (const { file } of facts.files) {
    const target = insideRepository(folderOf(path), file);
    if (target !== undefined) collector.add(await readRequirementsFile(target, read));
  }
  if (facts.requires === null && facts.python === null && collector.ignored.length === 0) return undefined;
  if (facts.requires !== null && !collector.files.includes(path)) collector.files.unshift(path);
  return collector.result();
}
