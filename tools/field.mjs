// npm run field: measures packages that nobody prepared, with plain commands, records what came out and writes
// docs/field-tests.md. It needs the package index that pip is configured with.
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cases, commandOf } from './field/cases.mjs';
import { renderPage, renderShort } from './field/render.mjs';
import { judge } from './field/verdict.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const results = join(root, 'test/field/results.jsonl');
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = names.filter((name) => !cases.some((one) => one.name === name));
if (unknown.length > 0 || process.argv.includes('--help')) {
  console.error(`npm run field [-- NAME …] [--render]\nnames: ${cases.map(({ name }) => name).join(', ')}`);
  process.exit(process.argv.includes('--help') ? 0 : 2);
}
if (!process.argv.includes('--render')) await measureAll();
const recorded = readFileSync(results, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
writeFileSync(join(root, 'docs/field-tests.md'), renderPage(cases, recorded));
writeFileSync(join(root, 'docs/field-tests.zh-CN.md'), renderShort(cases, recorded));

async function measureAll() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-field-'));
  const home = process.env.ASSAY_FIELD_HOME ?? join(folder, 'home');
  const run = { at: new Date().toISOString(), commit: commit(), machine: machine() };
  try {
    for (const one of cases.filter(({ name }) => names.length === 0 || names.includes(name))) {
      const line = { ...run, name: one.name, version: one.version, ...judge(one, await measure(one, home)) };
      appendFileSync(results, `${JSON.stringify(line)}\n`);
      console.log(
        `${line.verdict}: ${one.name} ${line.entrypoint ?? ''} ${line.metric ?? line.reason} (${line.seconds} s)`,
      );
    }
  } finally {
    await assay(['down'], home);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(one, home) {
  const began = Date.now();
  const { stdout } = await assay([...commandOf(one), '--json'], home);
  return { result: JSON.parse(stdout), seconds: Math.round((Date.now() - began) / 1000) };
}

function assay(args, home) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['bin/assay.mjs', ...args], {
      cwd: root,
      env: { ...process.env, ASSAY_HOME: home },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, stdout }));
  });
}

/** The commit, with a plus when there are changes on top of it. */
function commit() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  return (
    git('rev-parse', '--short=12', 'HEAD') + (git('status', '--porcelain', '--', 'packages', 'apps') === '' ? '' : '+')
  );
}

function machine() {
  return `${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}, ${Math.round(totalmem() / 1024 ** 3)} GiB, Linux, Node ${process.versions.node}`;
}
