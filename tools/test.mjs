// npm test: installs what is missing, then types, lint, format, layers and the suites, each within its time budget.
// The last line is the count of all tests. With ASSAY_TEST_REQUIRE=all a skipped test is a failure.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkNode, ensurePackages, ensureTools } from './bootstrap.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const requireAll = process.env.ASSAY_TEST_REQUIRE === 'all';

const checks = {
  types: [
    ['npx', 'tsc', '-p', 'tsconfig.json'],
    ['npx', 'tsc', '-p', 'tsconfig.neutral.json'],
    ['npx', 'tsc', '-p', 'tsconfig.web.json'],
  ],
  lint: [['npx', 'oxlint', '--type-aware', '--deny-warnings']],
  format: [['npx', 'prettier', '--check', '--log-level', 'warn', '.']],
  layers: [['node', 'tools/check-layers.mjs']],
};

/** Minutes that a suite may take. */
const suites = { unit: 3, property: 5, integration: 8, install: 12, hostile: 12, crash: 8, e2e: 8, page: 12 };

const only = optionOf('--only')?.split(',');
const extra = process.argv.includes('--long') ? { ASSAY_TEST_LONG: '1' } : {};
const budgetFactor = process.argv.includes('--long') ? 10 : 1;

checkNode();
await ensurePackages(root);
await ensureTools();
const failures = [];
for (const [name, commands] of Object.entries(checks))
  if (wanted(name)) for (const command of commands) runCheck(name, command);
const totals = { passed: 0, failed: 0, skipped: 0 };
const skips = [];
for (const [name, minutes] of Object.entries(suites)) if (wanted(name)) await runSuite(name, minutes * budgetFactor);
report();

function wanted(name) {
  return only === undefined || only.includes(name);
}

function optionOf(flag) {
  const at = process.argv.indexOf(flag);
  return at < 0 ? undefined : process.argv[at + 1];
}

function runCheck(name, [command, ...args]) {
  const started = Date.now();
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${result.status === 0 ? 'ok' : 'FAILED'}  ${name}: ${args.join(' ')} (${seconds} s)`);
  if (result.status !== 0) failures.push(`${name} (${args.join(' ')})`);
}

async function runSuite(name, minutes) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-suite-'));
  const output = join(folder, 'result.json');
  const started = Date.now();
  const args = [
    'vitest',
    'run',
    '--project',
    name,
    '--passWithNoTests',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${output}`,
  ];
  const child = spawn('npx', args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...extra, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined }) },
    detached: true,
  });
  const timer = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), minutes * 60_000);
  const code = await new Promise((resolve) => child.on('exit', (status) => resolve(status)));
  clearTimeout(timer);
  const seconds = (Date.now() - started) / 1000;
  const verdict = code === 0 ? 'ok' : code === null ? 'OUT OF TIME' : 'FAILED';
  console.log(`${verdict}  suite ${name}: ${seconds.toFixed(0)} s of ${minutes * 60} s`);
  if (code !== 0) failures.push(`suite ${name}`);
  count(name, output);
  rmSync(folder, { recursive: true, force: true });
}

function count(name, output) {
  let result;
  try {
    result = JSON.parse(readFileSync(output, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return; // the runner ended before it could write
  }
  totals.passed += result.numPassedTests;
  totals.failed += result.numFailedTests;
  totals.skipped += result.numPendingTests + result.numTodoTests;
  for (const file of result.testResults)
    for (const test of file.assertionResults)
      if (test.status === 'pending' || test.status === 'skipped') skips.push(`${name}: ${test.fullName}`);
}

function report() {
  if (skips.length > 0) console.log(`\nnot run on this machine:\n${skips.map((skip) => `  ${skip}`).join('\n')}`);
  if (requireAll && skips.length > 0) failures.push(`${skips.length} skipped tests, and everything is required`);
  for (const failure of failures) console.log(`FAILED: ${failure}`);
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  process.exit(failures.length === 0 && totals.failed === 0 ? 0 : 1);
}
