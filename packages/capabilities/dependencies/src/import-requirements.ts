import type { Declared, ReadText } from './declared.ts';
import { packageOfModule, wellKnownPackages } from './import-names.ts';
import { indexRequirement, normaliseName, type Origin, type Requirement } from './requirement.ts';

export interface ImportOptions {
  readonly imports: readonly string[];
  readonly importers: (module: string) => readonly string[];
  readonly read: ReadText;
}

/**
 * Packages for imports that no declaration covers. When nothing is declared every import counts; when something is,
 * only well-known names are added, because another one may come with a declared package.
 */
export async function importRequirements(options: ImportOptions, declared: Declared): Promise<Requirement[]> {
  const names = new Set(declared.requirements.map(({ name }) => name));
  const known = new Set(wellKnownPackages().map(normaliseName));
  const found: Requirement[] = [];
  for (const module of options.imports) {
    const { name } = packageOfModule(module);
    const normal = normaliseName(name);
    if (names.has(normal) || names.has(normaliseName(module)) || isCovered(module, names)) continue;
    if (names.size > 0 && !known.has(normal)) continue;
    found.push(indexRequirement(name, await originOf(module, options)));
  }
  return found;
}

/** Packages that bring the same modules under another name. */
const variants: readonly (readonly string[])[] = [
  ['opencv-python', 'opencv-python-headless', 'opencv-contrib-python', 'opencv-contrib-python-headless'],
  ['psycopg2', 'psycopg2-binary'],
  ['tensorflow', 'tensorflow-cpu', 'tensorflow-gpu'],
  ['faiss-cpu', 'faiss-gpu'],
  ['pycryptodome', 'pycrypto'],
  ['pytorch-lightning', 'lightning'],
  ['fasttext', 'fasttext-wheel'],
  ['python-louvain', 'community'],
  ['keras', 'tensorflow'],
  ['sklearn', 'scikit-learn'],
];

function isCovered(module: string, names: ReadonlySet<string>): boolean {
  const wanted = normaliseName(packageOfModule(module).name);
  return variants.some((group) => group.includes(wanted) && group.some((name) => names.has(name)));
}

/** The first line that imports a module. */
async function originOf(module: string, { importers, read }: ImportOptions): Promise<Origin> {
  const [file] = importers(module);
  if (file === undefined) return { file: '', line: 0 };
  const text = (await read(file))?.text ?? '';
  const pattern = new RegExp(`^\\s*(?:import|from)\\s+${module}\\b|^\\s*import\\s+[^#\\n]*\\b${module}\\b`, 'm');
  const at = text.search(pattern);
  return { file, line: at === -1 ? 1 : text.slice(0, at).split('\n').length + (/^\s*\n/.test(text.slice(at)) ? 1 : 0) };
}
