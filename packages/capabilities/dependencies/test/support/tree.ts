import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ReadText } from '../../src/declared.ts';
import { parseSetupFacts, type SetupFacts } from '../../src/readers/setup-py.ts';
import { resolveSpec } from '../../src/resolve.ts';
import { decodeText } from '../../src/text.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('../../assets/python/read_setup.py', import.meta.url));

export type Files = Readonly<Record<string, string | Uint8Array>>;

export function reader(files: Files): ReadText {
  return (path) => {
    const content = files[path];
    if (content === undefined) return Promise.resolve(undefined);
    return Promise.resolve(decodeText(typeof content === 'string' ? Buffer.from(content) : content));
  };
}

/** What the reader of setup.py prints about a file. */
export async function setupFactsOf(path: string): Promise<SetupFacts> {
  const { stdout } = await run('python3', ['-I', '-B', script, path]);
  return parseSetupFacts(JSON.parse(stdout));
}

export interface Request {
  readonly entryFile?: string;
  readonly imports?: readonly string[];
  readonly importers?: Readonly<Record<string, readonly string[]>>;
  readonly facts?: Readonly<Record<string, SetupFacts>>;
}

/** The specification of a repository that is only these files. */
export function specOf(files: Files, request: Request = {}) {
  return resolveSpec({
    files: Object.keys(files),
    read: reader(files),
    setupFacts: (path) => Promise.resolve(request.facts?.[path]),
    entryFile: request.entryFile ?? 'model.py',
    imports: request.imports ?? ['numpy'],
    importers: (module) => request.importers?.[module] ?? [],
  });
}

/** Requirements in one line each: `numpy>=1 ; marker @requirements.txt:3`. */
export function lines(
  requirements: readonly {
    readonly name: string;
    readonly specifier: string;
    readonly extras: readonly string[];
    readonly marker: string | null;
    readonly origin: { readonly file: string; readonly line: number };
  }[],
): string[] {
  return requirements.map(({ name, specifier, extras, marker, origin }) => {
    const extra = extras.length === 0 ? '' : `[${extras.join(',')}]`;
    return `${name}${extra}${specifier}${marker === null ? '' : ` ; ${marker}`} @${origin.file}:${origin.line}`;
  });
}
