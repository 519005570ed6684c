import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { BenchContext, BenchRow } from './bench-row.ts';
import { run as appends } from './appends.ts';
import { run as daemonStart } from './daemon-start.ts';
import { run as dispatch } from './dispatch.ts';
import { run as millionEvents } from './million-events.ts';
import { run as profile } from './profile.ts';
import { renderTable, type Recorded } from './render-table.ts';
import { run as sandboxExec } from './sandbox-exec.ts';
import { run as sessionOutput } from './session-output.ts';

const suites: Readonly<Record<string, (context: BenchContext) => Promise<BenchRow[]>>> = {
  appends,
  'million-events': millionEvents,
  dispatch,
  'sandbox-exec': sandboxExec,
  'session-output': sessionOutput,
  profile,
  'daemon-start': daemonStart,
};

const USAGE = `npm run bench -- [suite …] [--quick]
Runs the benchmarks with their peers and appends the figures to bench/results/results.jsonl.
--quick  a short run to see that it works; nothing is recorded
suites   ${Object.keys(suites).join(', ')}
`;

/** Measures, records, and renders docs/benchmarks.md. Exit code 1 when a target was missed. */
async function main(root: string, args: readonly string[]): Promise<number> {
  const chosen = args.filter((arg) => !arg.startsWith('--'));
  const unknown = chosen.filter((name) => !(name in suites));
  if (args.includes('--help') || unknown.length > 0) {
    process.stderr.write(unknown.length > 0 ? `unknown suite: ${unknown.join(', ')}\n${USAGE}` : USAGE);
    return unknown.length > 0 ? 2 : 0;
  }
  const quick = args.includes('--quick');
  const rows: BenchRow[] = [];
  for (const name of chosen.length > 0 ? chosen : Object.keys(suites)) rows.push(...(await measure(root, name, quick)));
  for (const row of rows) process.stdout.write(`${line(row)}\n`);
  if (!quick) await record(root, rows);
  return rows.some((row) => row.met === false) && !quick ? 1 : 0;
}

async function measure(root: string, name: string, quick: boolean): Promise<BenchRow[]> {
  const base = join(root, 'node_modules/.cache/assay-bench');
  await mkdir(base, { recursive: true });
  const dir = await mkdtemp(join(base, `${name}-`));
  try {
    process.stderr.write(`— ${name}\n`);
    return await suites[name]!({ dir, scale: quick ? 0.1 : 1, log: (text) => process.stderr.write(`  ${text}\n`) });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function line(row: BenchRow): string {
  const peer = row.peer === undefined ? '' : `, ${row.peer.ratio.toFixed(2)} × ${row.peer.name}`;
  const verdict = row.met === undefined ? '' : row.met ? ' ✓' : ' ✗';
  return `${row.suite}: ${row.name}: ${row.value.toFixed(2)} ${row.unit}${peer}${row.target === undefined ? '' : ` (${row.target})`}${verdict}`;
}

async function record(root: string, rows: readonly BenchRow[]): Promise<void> {
  const file = join(root, 'bench/results/results.jsonl');
  await mkdir(join(root, 'bench/results'), { recursive: true });
  const run = { at: new Date().toISOString(), commit: commitOf(root), machine: machine() };
  await appendFile(file, rows.map((row) => `${JSON.stringify({ ...run, ...row })}\n`).join(''));
  const recorded = (await readFile(file, 'utf8')).trim().split('\n');
  const table = renderTable(recorded.map((text) => JSON.parse(text) as Recorded));
  await writeFile(join(root, 'docs/benchmarks.md'), table);
}

function commitOf(root: string): string {
  return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
}

function machine(): string {
  const [first] = cpus();
  return `${cpus().length} × ${first?.model ?? 'unknown CPU'}, ${Math.round(totalmem() / 1024 ** 3)} GiB, Linux, Node ${process.versions.node}`;
}

process.exitCode = await main(process.cwd(), process.argv.slice(2));
