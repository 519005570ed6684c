import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder, verifies, type TemporaryFolder } from '@assay/testkit';
import {
  gitHttpServer,
  type GitHttpServer,
} from '../packages/capabilities/repositories/test/support/git-http-server.ts';
import { commitFiles, git } from '../packages/capabilities/repositories/test/support/git-repository.ts';
import {
  packageIndexServer,
  tarGz,
  type PackageIndexServer,
} from '../packages/capabilities/repositories/test/support/package-index.ts';
import { runCli, type CliRun } from './support/cli.ts';
import { pointsCsv, thresholdRepo } from './support/fixtures.ts';

const password = 'cAnArY-91f2c7';
let folder: TemporaryFolder;
let home: string;
let data: string;
let commit: string;
let server: GitHttpServer;
let index: PackageIndexServer;
let env: Readonly<Record<string, string | undefined>>;
const seen: CliRun[] = [];

beforeAll(async () => {
  folder = await temporaryFolder('assay-repositories');
  home = join(folder.path, 'home');
  data = join(folder.path, 'points.csv');
  writeFileSync(data, pointsCsv());
  const repo = join(folder.path, 'served', 'threshold');
  commit = commitFiles(
    repo,
    Object.fromEntries(Object.entries(thresholdRepo).map(([path, text]) => [`pkg/${path}`, text])),
  );
  git(repo, 'tag', 'v1');
  server = await gitHttpServer(join(folder.path, 'served'), { auth: { username: 'git', password } });
  const entries = Object.entries(thresholdRepo).map(([path, content]) => ({ name: `threshold-1.0/${path}`, content }));
  index = await packageIndexServer({ threshold: { 'threshold-1.0.tar.gz': { content: await tarGz(entries) } } });
  env = { ASSAY_HOME: home, PIP_INDEX_URL: index.url, PIP_CONFIG_FILE: '/dev/null', PIP_FIND_LINKS: '' };
});

afterAll(async () => {
  await runCli(['down'], { ASSAY_HOME: home });
  await server[Symbol.asyncDispose]();
  await index[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function assay(words: readonly string[], input?: string): Promise<CliRun> {
  const run = await runCli(words, env, [], input);
  seen.push(run);
  return run;
}

async function benchmark(...options: string[]) {
  const run = await assay(['benchmark', '--data', data, '--target', 'label', ...options, '--json']);
  return {
    exit: run.exit,
    ...(JSON.parse(run.stdout) as {
      planId: string;
      status: string;
      report?: string;
      error?: { code: string; hint: string };
    }),
  };
}

describe('a benchmark of what lies elsewhere', () => {
  test('a private repository: refused without its secret, measured with it, and the secret stands nowhere', async () => {
    verifies('repository.secrets', 'repository.subfolder', 'repository.remote');
    const address = `${server.url}/threshold@v1#subdirectory=pkg`;
    const refused = await benchmark('--repo', address);
    expect(refused).toMatchObject({ exit: 3, status: 'failed', error: { code: 'repository_auth' } });
    const why = await assay(['why', refused.planId]);
    expect(why.stdout).toContain('asks for a password');
    const kept = await assay(['secrets', 'set', 'team', '--host', server.host], `${password}\n`);
    expect(kept).toMatchObject({ exit: 0, stdout: `team is kept for ${server.host}\n` });
    expect(statSync(join(home, 'secrets.json')).mode & 0o777).toBe(0o600);
    const measured = await benchmark('--repo', address, '--secret', 'team');
    expect(measured).toMatchObject({ exit: 0, status: 'completed', verified: { ok: 13, total: 13 } });
    const shown = await assay(['plan', 'show', measured.planId, '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      plan: { inputs: { repository: `${server.url}/threshold`, ref: 'v1', subfolder: 'pkg', secret: 'team' } },
    });
    const manifests = filesBelow(home).filter((path) => readFileSync(path).includes(`"commit": "${commit}"`));
    expect(manifests.length).toBeGreaterThan(0);
    const other = await benchmark('--repo', 'https://git.example.org/a.git', '--secret', 'team');
    expect(other).toMatchObject({ exit: 2, error: { code: 'secret_refused' } });
    const inside = await benchmark('--repo', `http://git:${password}@${server.host}/threshold`);
    expect(inside).toMatchObject({ exit: 2, error: { code: 'invalid_request' } });
    const header = Buffer.from(`git:${password}`).toString('base64').slice(0, 20);
    for (const { stdout, stderr } of seen) expect(stdout + stderr).not.toContain(password);
    for (const path of filesBelow(home)) {
      if (path === join(home, 'secrets.json')) continue;
      const content = readFileSync(path);
      expect(content.includes(password) || content.includes(header), path).toBe(false);
    }
  });

  test('a package of the index', async () => {
    verifies('repository.package');
    const measured = await benchmark('--repo', 'pypi:threshold==1.0');
    expect(measured).toMatchObject({ exit: 0, status: 'completed', verified: { ok: 13, total: 13 } });
    const report = readFileSync(measured.report ?? '', 'utf8');
    expect(report).toContain('version 1.0 of the package');
    expect(report).toContain('file `threshold-1.0.tar.gz` (sha256 `');
    expect(await benchmark('--repo', 'pypi:thresholt')).toMatchObject({
      exit: 2,
      error: { code: 'repository_missing' },
    });
  });

  test('a repository whose model is only a Git LFS pointer says so', async () => {
    verifies('repository.content-missing');
    const repo = join(folder.path, 'pointer');
    mkdirSync(repo);
    commitFiles(repo, {
      'model.pkl': `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`,
      'model.py': `import pathlib
import pickle


def predict(row: dict) -> str:
    model = pickle.loads((pathlib.Path(__file__).parent / "model.pkl").read_bytes())
    return model["high"] if row["x"] > 5 else model["low"]
`,
    });
    const failed = await benchmark('--repo', `file://${repo}`);
    expect(failed).toMatchObject({ exit: 1, error: { code: 'repository_content_missing' } });
    expect(failed.error?.hint).toContain('git lfs pull');
  });
});

/** Every regular file of the home: journals, records, git objects (inflated), logs, caches. */
function filesBelow(path: string): string[] {
  const own = readdirSync(path, { withFileTypes: true });
  return own.flatMap((entry) => {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) return filesBelow(inner);
    return entry.isFile() ? [inner] : [];
  });
}

test('what is searched for a password is searched in git objects too', () => {
  // Objects are compressed: what a quest committed is read through git.
  const quests = readdirSync(join(home, 'quests'));
  expect(quests.length).toBeGreaterThan(0);
  for (const quest of quests) {
    const all = execFileSync('git', ['-C', join(home, 'quests', quest), 'log', '--all', '--patch', '--text'], {
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    });
    expect(all).not.toContain(password);
  }
});
