import { spawn } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder, verifies, type TemporaryFolder } from '@assay/testkit';
import { root, runCli } from './support/cli.ts';
import { guideBlocks, isPrinted, userPages } from './support/guide-pages.ts';

let folder: TemporaryFolder;
let env: Record<string, string | undefined>;
/** The id that the commands before have printed last: what a reader puts in for PLAN. */
let plan = 'PLAN';

beforeAll(async () => {
  folder = await temporaryFolder('assay-guide');
  const bin = join(folder.path, 'bin');
  await mkdir(bin);
  await mkdir(join(folder.path, 'empty'));
  await writeFile(join(bin, 'assay'), `#!/bin/sh\nexec '${process.execPath}' '${root}/bin/assay.mjs' "$@"\n`);
  await chmod(join(bin, 'assay'), 0o755);
  env = {
    PATH: `${bin}:${process.env['PATH']}`,
    HOME: process.env['HOME'],
    ASSAY_HOME: join(folder.path, 'home'),
    NO_COLOR: '1',
  };
});

afterAll(async () => {
  await runCli(['down'], env);
  await folder[Symbol.asyncDispose]();
});

/** Types the commands into a shell in the reader's folder. */
function typed(commands: string): Promise<{ exit: number | null; printed: string }> {
  const child = spawn('bash', ['-euc', commands.replaceAll(/\bPLAN\b/g, plan)], {
    cwd: join(folder.path, 'empty'),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, printed }));
  });
}

const blocks = guideBlocks(userPages().get('docs/guide/benchmark.md')!);

describe('the guide, typed in from its first line to its last', () => {
  test.each(blocks.map((block, at) => ({ ...block, at: at + 1 })))('block $at', async ({ commands, exit, shown }) => {
    verifies('guide.commands-run');
    const ran = await typed(commands);
    plan = [...ran.printed.matchAll(/plan_[0-9A-Z]{26}/g)].at(-1)?.[0] ?? plan;
    expect({ exit: ran.exit, printed: ran.exit === exit ? '' : ran.printed }).toEqual({ exit, printed: '' });
    for (const line of shown) expect(ran.printed, line).toSatisfy((printed: string) => isPrinted(line, printed));
  });
});
