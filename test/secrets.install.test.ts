import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPython } from '@assay/sandbox';
import { temporaryFolder, verifies, type TemporaryFolder } from '@assay/testkit';
import { makePackages, serveIndex } from '../packages/capabilities/python-environments/test/support/packages.ts';
import {
  gitHttpServer,
  type GitHttpServer,
} from '../packages/capabilities/repositories/test/support/git-http-server.ts';
import { commitFiles } from '../packages/capabilities/repositories/test/support/git-repository.ts';
import { runCli, type CliRun } from './support/cli.ts';
import { pointsCsv } from './support/fixtures.ts';

const passwords = { git: 'cAnArY-git-5d21', index: 'cAnArY-index-8e02' };
/** Every form in which a program may carry them. */
const forms = [
  ...Object.values(passwords),
  ...[`git:${passwords.git}`, `ada:${passwords.index}`].map((text) =>
    Buffer.from(text).toString('base64').slice(0, 24),
  ),
];
let folder: TemporaryFolder;
let home: string;
let server: GitHttpServer;
let index: Awaited<ReturnType<typeof serveIndex>>;
let env: Readonly<Record<string, string | undefined>>;
const seen: CliRun[] = [];

beforeAll(async () => {
  folder = await temporaryFolder('assay-secrets');
  home = join(folder.path, 'home');
  writeFileSync(join(folder.path, 'points.csv'), pointsCsv());
  commitFiles(join(folder.path, 'served', 'private'), {
    'requirements.txt': 'spy==1.0\n',
    'model.py': 'import spy\n\n\ndef predict(row: dict) -> str:\n    return "high" if row["x"] > spy.HALF else "low"\n',
  });
  const packages = join(folder.path, 'packages');
  // Built from source: its program writes down all that it can see.
  await makePackages(await findPython(), packages, [
    {
      name: 'spy',
      version: '1.0',
      files: { 'spy.py': 'HALF = 5\n' },
      sdist: `seen = open("/environment/seen.txt", "w")
print("SEEN", dict(os.environ), file=seen)
for name in os.listdir("/proc"):
    for what in ("environ", "cmdline"):
        try:
            print("PROC", open("/proc/%s/%s" % (name, what)).read(), file=seen)
        except OSError:
            pass
seen.close()
import time
time.sleep(2)`,
    },
  ]);
  server = await gitHttpServer(join(folder.path, 'served'), { auth: { username: 'git', password: passwords.git } });
  index = await serveIndex(packages, { auth: `ada:${passwords.index}` });
  env = { ASSAY_HOME: home, PIP_INDEX_URL: index.url, PIP_CONFIG_FILE: '/dev/null', PIP_FIND_LINKS: '' };
}, 60_000);

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

test('two secrets open a repository and an index, and stand nowhere while they do and after', async () => {
  verifies('secrets.nowhere', 'secrets.one-store', 'environments.secrets');
  const data = join(folder.path, 'points.csv');
  const benchmark = ['benchmark', '--repo', `${server.url}/private`, '--data', data, '--target', 'label'];
  benchmark.push('--secret', 'team', '--json');
  const watched = watchProcesses();
  await assay(['secrets', 'set', 'team', '--host', server.host], `${passwords.git}\n`);
  const refused = await assay(benchmark);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    error: { hint: 'keep them (assay secrets set NAME --host 127.0.0.1 --for packages), then retry the task' },
  });
  await assay(
    ['secrets', 'set', 'index', '--for', 'packages', '--host', index.host, '--username', 'ada'],
    passwords.index,
  );
  const run = await assay(benchmark);
  const found = await watched.stop();
  expect(JSON.parse(run.stdout)).toMatchObject({ status: 'completed', verified: { ok: 13, total: 13 } });
  // The watcher saw what it has to see: git for the repository, pip in the sandbox.
  expect(found.commands.some((command) => /\bgit\b.*(?:fetch|ls-remote|remote-http)/.test(command))).toBe(true);
  expect(found.commands.some((command) => /pip.*install/.test(command))).toBe(true);
  expect(found.leaks).toEqual([]);
  for (const { stdout, stderr } of seen) expect(holds(Buffer.from(stdout + stderr))).toBe(false);
  const files = filesBelow(home);
  expect(files.filter((path) => path.endsWith('/seen.txt') && holdsText(path, 'PROC'))).toHaveLength(1);
  expect(files.filter((path) => path !== join(home, 'secrets.json') && holds(readFileSync(path)))).toEqual([]);
  for (const quest of readdirSync(join(home, 'quests')))
    expect(holds(execFileSync('git', ['-C', join(home, 'quests', quest), 'log', '--all', '--patch', '--text']))).toBe(
      false,
    );
}, 240_000);

function holds(content: Buffer): boolean {
  return forms.some((form) => content.includes(form));
}

function holdsText(path: string, text: string): boolean {
  return readFileSync(path).includes(text);
}

/** Looks at the command line and the environment of every process until it is told to stop. */
function watchProcesses() {
  const commands = new Set<string>();
  const leaks = new Set<string>();
  const ending = new AbortController();
  const work = (async () => {
    while (!ending.signal.aborted) {
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        const command = read(`/proc/${pid}/cmdline`);
        commands.add(command.toString('latin1'));
        if (holds(command) || holds(read(`/proc/${pid}/environ`))) leaks.add(command.toString('latin1'));
      }
      await new Promise((go) => setTimeout(go, 10));
    }
  })();
  return {
    async stop() {
      ending.abort();
      await work;
      return { commands: [...commands], leaks: [...leaks] };
    },
  };
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0); // it ended meanwhile
  }
}

/** Every regular file of the home: journals, records, logs, sessions, caches. */
function filesBelow(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) return filesBelow(inner);
    return entry.isFile() ? [inner] : [];
  });
}
