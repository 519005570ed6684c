import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { profileDataset } from '@assay/evaluation';
import type { BenchContext, BenchRow } from './bench-row.ts';

const suite = 'dataset profile';

/** Profiles a generated CSV of 1 GB and reads it with Python's csv module in the same run. */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  const path = join(context.dir, 'profile.csv');
  await writeTable(path, Math.max(1e6, 1e9 * context.scale));
  const megabytes = (await stat(path)).size / 1e6;
  context.log(`profiling ${megabytes.toFixed(0)} MB`);
  const ours = await profile(path);
  const python = await pythonCsv(path);
  if (python.rows !== ours.rows) throw new Error(`Python reads ${python.rows} rows, the profile ${ours.rows}`);
  const rate = megabytes / ours.seconds;
  const peerRate = megabytes / python.seconds;
  return [
    {
      suite,
      name: `throughput, ${megabytes.toFixed(0)} MB CSV with hash, types and distinct counts`,
      value: rate,
      unit: 'MB/s',
      target: '≥ 60 MB/s',
      met: rate >= 60,
      peer: { name: "Python's csv, rows counted only", value: peerRate, ratio: rate / peerRate },
    },
    {
      suite,
      name: 'peak resident memory above the start',
      value: ours.growth,
      unit: 'MB',
      target: '≤ 200 MB',
      met: ours.growth <= 200,
    },
  ];
}

interface Profiled {
  readonly rows: number;
  readonly seconds: number;
  /** Megabytes of resident memory at the peak, above those before. */
  readonly growth: number;
}

async function profile(path: string): Promise<Profiled> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  const start = performance.now();
  try {
    const manifest = await profileDataset(path);
    const seconds = (performance.now() - start) / 1000;
    return { rows: manifest.rowCount, seconds, growth: (Math.max(peak, process.memoryUsage.rss()) - before) / 1e6 };
  } finally {
    clearInterval(timer);
  }
}

/** Eight columns as in field data: id, measured numbers, a category, a free text with quotes, a flag, gaps, a label. */
async function writeTable(path: string, bytes: number): Promise<void> {
  const stream = createWriteStream(path);
  stream.write('id,length,width,site,note,flag,gap,label\n');
  let written = 0;
  for (let row = 0; written < bytes;) {
    let block = '';
    for (let i = 0; i < 4000; i += 1, row += 1) {
      const noise = Math.imul(row, 0x9e3779b1) >>> 0;
      const note = row % 5 === 0 ? `"seen at ${noise % 60} m, ""north"" side"` : `station ${noise % 5000}`;
      const gap = row % 7 === 0 ? '' : String(noise % 100);
      block += `${row},${(noise / 1e7).toFixed(4)},${noise % 977},site-${noise % 40},${note},${row % 2 === 0},${gap},class ${noise % 9}\n`;
    }
    written += block.length;
    if (!stream.write(block)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}

const PYTHON = `
import csv, sys, time
start = time.perf_counter()
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    rows = sum(1 for _ in csv.reader(file)) - 1
print(rows, time.perf_counter() - start)
`;

async function pythonCsv(path: string): Promise<{ readonly rows: number; readonly seconds: number }> {
  const child = spawn('python3', ['-c', PYTHON, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`python3 ended with ${code}`);
  const [rows, seconds] = output.trim().split(' ').map(Number);
  return { rows: rows!, seconds: seconds! };
}
