import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@assay/testkit';
import { chooseCandidate, parseScan, recogniseEntryPoints, writeAdapter, type Recognition } from '../../src/index.ts';
import type { Row, Table } from './tables.ts';

/** The real interpreter: a version manager's shim costs a third of a second a start. */
export const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();

export function asset(name: string): string {
  return fileURLToPath(new URL(`../../assets/python/${name}`, import.meta.url));
}

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
}

export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function runPython(args: readonly string[], cwd: string): Promise<Ended> {
  const env = { PATH: process.env['PATH'] ?? '', PYTHONHASHSEED: '17', PYTHONDONTWRITEBYTECODE: '1' };
  return new Promise((resolve, reject) => {
    execFile(python, [...args], { cwd, env, timeout: 60_000, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') reject(error);
      else resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

export async function scanFolder(folder: string): Promise<unknown> {
  const { exitCode, stdout, stderr } = await runPython(['-I', '-B', asset('scan.py'), folder], '/');
  if (exitCode !== 0) throw new Error(`scan.py ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as unknown;
}

export async function recogniseFolder(folder: string, table: Table): Promise<Recognition> {
  return recogniseEntryPoints(parseScan(await scanFolder(folder)), { manifest: table.shape });
}

export interface AdapterRun extends Ended {
  readonly predictions: readonly {
    readonly row_index: number;
    readonly prediction: unknown;
    readonly score?: unknown;
  }[];
  readonly manifest: Readonly<Record<string, unknown>> | undefined;
}

export interface RunOptions {
  readonly limit?: number;
  readonly seed?: number;
}

/** Recognises a folder, writes its adapter and runs it with the command of the specification on a copy. */
export async function runFolder(folder: string, table: Table, options: RunOptions = {}): Promise<AdapterRun> {
  const candidate = chooseCandidate(await recogniseFolder(folder, table));
  const { code } = writeAdapter(candidate, { manifest: table.shape, seed: 17 });
  await using temporary = await temporaryFolder('assay-adapter');
  const root = join(temporary.path, 'repository');
  const folderOfBenchmark = join(root, '.scholar', 'benchmark');
  await cp(folder, root, { recursive: true });
  await mkdir(folderOfBenchmark, { recursive: true });
  await writeFile(join(folderOfBenchmark, 'adapter.py'), code);
  const files = { dataset: join(temporary.path, 'data.jsonl'), train: join(temporary.path, 'train.jsonl') };
  await writeFile(files.dataset, lines(table.test, 0));
  await writeFile(files.train, lines(table.train, table.test.length));
  const output = '.scholar/benchmark/run';
  const limit = String(options.limit ?? table.test.length);
  const seed = String(options.seed ?? 17);
  const where = ['--dataset', files.dataset, '--output-dir', output, '--limit', limit, '--repo-root', root];
  const train = candidate.needsTraining ? ['--train', files.train] : [];
  const ended = await runPython(['.scholar/benchmark/adapter.py', ...where, '--seed', seed, ...train], root);
  const manifest = await readFile(join(root, output, 'run_manifest.json'), 'utf8').catch(() => undefined);
  const predictions = await readFile(join(root, output, 'predictions.jsonl'), 'utf8').catch(() => '');
  return {
    ...ended,
    manifest: manifest === undefined ? undefined : (JSON.parse(manifest) as Record<string, unknown>),
    predictions: predictions
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as AdapterRun['predictions'][number]),
  };
}

function lines(rows: readonly Row[], from: number): string {
  return rows.map((row, at) => `${JSON.stringify({ row_index: from + at, ...row })}\n`).join('');
}
