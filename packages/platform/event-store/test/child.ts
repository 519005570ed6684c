import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** One line of `append-child.ts`. */
export interface Said {
  readonly opened?: number;
  readonly problem?: string | null;
  readonly acknowledged?: string;
  readonly seq?: number;
  readonly failed?: string;
  readonly code?: string;
  readonly gaveUp?: string;
  readonly done?: number;
  readonly generation?: number;
}

export interface Child {
  readonly process: ChildProcess;
  /** Everything it has said so far. */
  readonly said: readonly Said[];
  /** Resolves when it has ended and all it said was read. */
  readonly ended: Promise<void>;
}

/** Bundles a program that lies beside this file into `folder` and gives its path. */
export async function bundleChild(folder: string, name = 'append-child'): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" },
  });
  return outfile;
}

/** Starts `command` with the child's arguments behind it. */
export function startChild(command: readonly string[], args: readonly (string | number)[]): Child {
  const [program, ...first] = command;
  const child = spawn(program!, [...first, ...args.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: Said[] = [];
  const lines = createInterface(child.stdout);
  // A killed child may leave half a line: it was never said.
  lines.on('line', (line) => line.endsWith('}') && said.push(JSON.parse(line) as Said));
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(() => undefined);
  return { process: child, said, ended };
}
