import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import type { AssayError } from '@assay/foundation';
import { exportRepository, inspectRepository, repoManifest, type Credential } from '../src/index.ts';
import { exportOf, filesIn } from './support/export-of.ts';
import { gitHttpServer } from './support/git-http-server.ts';
import { commitFiles, commitMore, git, put } from './support/git-repository.ts';

const code = { 'model.py': 'x = 1\n' };

async function failure(work: Promise<unknown>): Promise<AssayError> {
  return work.then(
    () => expect.fail('it was not refused'),
    (error: AssayError) => error,
  );
}

describe('a repository behind an address', () => {
  it('is fetched as one commit and exported, by branch, tag, full and short id', async () => {
    verifies('repository.remote');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'served', 'repo');
    const first = commitFiles(repo, code);
    git(repo, 'tag', '--annotate', '--message', 'one', 'v1');
    const second = commitMore(repo, { 'two.py': '' });
    git(repo, 'checkout', '--quiet', '-b', 'feature/x');
    const third = commitMore(repo, { 'three.py': '' });
    git(repo, 'checkout', '--quiet', 'main');
    await using server = await gitHttpServer(join(folder.path, 'served'));
    const url = `${server.url}/repo`;
    const at = async (given: string, ref?: string) => {
      const name = `e${readdirSync(folder.path).length}`;
      return exportOf(given, folder.path, { name, ...(ref === undefined ? {} : { ref }) });
    };
    expect(await at(url)).toMatchObject({ commit: second, dirty: false, files: 2 });
    expect(await at(url, 'v1')).toMatchObject({ commit: first, files: 1 });
    expect(await at(url, 'feature/x')).toMatchObject({ commit: third, files: 3 });
    expect(await at(`git+${url}@v1`)).toMatchObject({ commit: first });
    expect(await at(url, first)).toMatchObject({ commit: first });
    expect(await at(url, first.slice(0, 8))).toMatchObject({ commit: first });
    const manifest = await repoManifest(await at(url, 'v1'), { signal: AbortSignal.timeout(60_000) });
    expect(manifest).toMatchObject({ commit: first, refName: 'refs/tags/v1', source: { kind: 'remote', url } });
    const [cache = ''] = readdirSync(join(folder.path, 'cache'));
    expect(
      git(join(folder.path, 'cache', cache), 'rev-list', '--all')
        .split('\n')
        .sort(),
    ).toEqual([first, second, third].sort());
  });

  it('is exported from a folder inside it; a folder that is not there is answered with near names', async () => {
    verifies('repository.subfolder');
    await using folder = await temporaryFolder();
    commitFiles(join(folder.path, 'served', 'repo'), { 'packages/model/a.py': '', 'packages/other/b.py': '' });
    await using server = await gitHttpServer(join(folder.path, 'served'));
    const exported = await exportOf(`${server.url}/repo#subdirectory=packages/model`, folder.path);
    expect(await filesIn(exported.path)).toEqual(['a.py']);
    const missing = await failure(
      exportOf(`${server.url}/repo#subdirectory=packages/modle`, folder.path, { name: 'm' }),
    );
    expect(missing).toMatchObject({
      code: 'repository_missing',
      message: `${server.url}/repo has no folder packages/modle`,
    });
    expect(missing.why).toContain('packages/model');
    expect(await failure(exportOf(`${server.url}/repo#subdirectory=../x`, folder.path, { name: 'n' }))).toMatchObject({
      code: 'invalid_request',
    });
  });

  it('is fetched whole from a server that gives files alone, and that is said', async () => {
    verifies('repository.remote');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'work');
    const commit = commitFiles(repo, code);
    git(folder.path, 'clone', '--quiet', '--bare', repo, 'served/repo.git');
    git(join(folder.path, 'served', 'repo.git'), 'update-server-info');
    await using server = await gitHttpServer(join(folder.path, 'served'), { dumb: true });
    const exported = await exportOf(`${server.url}/repo.git`, folder.path);
    expect(exported.commit).toBe(commit);
    expect(exported.notes).toContain(
      `${server.url}/repo.git does not serve single commits: its whole history was fetched`,
    );
  });

  it('is taken from the cache without a network only for a commit that is given in full, and that is said', async () => {
    verifies('repository.remote-cache');
    await using folder = await temporaryFolder();
    const commit = commitFiles(join(folder.path, 'served', 'repo'), code);
    const server = await gitHttpServer(join(folder.path, 'served'));
    const url = `${server.url}/repo`;
    await exportOf(url, folder.path, { name: 'one' });
    await server[Symbol.asyncDispose]();
    expect(await failure(exportOf(url, folder.path, { name: 'two' }))).toMatchObject({
      code: 'repository_unreachable',
    });
    const again = await exportOf(url, folder.path, { name: 'three', ref: commit });
    expect(again.notes).toContain(
      `commit ${commit.slice(0, 12)} was taken from the cache; ${url} was not asked for its files`,
    );
  });

  it('leaves a cache that holds no more than it may, the longest unused first', async () => {
    verifies('repository.remote-cache');
    await using folder = await temporaryFolder();
    for (const name of ['a', 'b', 'c']) commitFiles(join(folder.path, 'served', name), { 'a.py': `${name}\n` });
    await using server = await gitHttpServer(join(folder.path, 'served'));
    await exportOf(`${server.url}/a`, folder.path, { name: '1' });
    const [first = ''] = readdirSync(join(folder.path, 'cache'));
    utimesSync(join(folder.path, 'cache', first, 'assay-used'), 1, 1);
    await exportOf(`${server.url}/b`, folder.path, { name: '2' });
    expect(readdirSync(join(folder.path, 'cache'))).toHaveLength(2);
    await exportOf(`${server.url}/c`, folder.path, { name: '3', cacheBytes: 0 });
    const left = readdirSync(join(folder.path, 'cache'));
    expect(left).toHaveLength(1); // the one in use stays
    expect(left).not.toContain(first);
  });

  it('is read through ssh with the person’s keys and without questions', async () => {
    verifies('repository.ssh');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    const commit = commitFiles(repo, code);
    const log = join(folder.path, 'ssh.log');
    const bin = join(folder.path, 'bin');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'ssh'),
      `#!/bin/sh\nprintf '%s\\n' "$@" "agent=$SSH_AUTH_SOCK" >> '${log}'\nfor last; do :; done\nexec sh -c "$last"\n`,
    );
    chmodSync(join(bin, 'ssh'), 0o755);
    const { PATH = '' } = process.env;
    process.env['PATH'] = `${bin}:${PATH}`;
    process.env['SSH_AUTH_SOCK'] = '/run/agent';
    try {
      const url = `ssh://git@git.example.org:2222${repo}`;
      expect(await exportOf(url, folder.path, { name: 'one' })).toMatchObject({ commit });
      expect(await exportOf(`git@git.example.org:${repo}`, folder.path, { name: 'two' })).toMatchObject({ commit });
    } finally {
      process.env['PATH'] = PATH;
      delete process.env['SSH_AUTH_SOCK'];
    }
    const said = readFileSync(log, 'utf8').split('\n');
    for (const option of [
      'BatchMode=yes',
      'StrictHostKeyChecking=yes',
      'ForwardAgent=no',
      'git@git.example.org',
      '2222',
    ])
      expect(said).toContain(option);
    expect(said).toContain('agent=/run/agent');
  });
});

const secret = 'cAnArY-7f3e/with+signs=&"quote';

describe('a private repository', () => {
  const auth = { username: 'ada', password: secret };
  const credentialFor = (host: string, value = secret): Credential => ({ name: 'team', host, username: 'ada', value });

  it('opens with the secret for its host, which stands nowhere afterwards', async () => {
    verifies('repository.secrets');
    await using folder = await temporaryFolder();
    const commit = commitFiles(join(folder.path, 'served', 'repo'), code);
    await using server = await gitHttpServer(join(folder.path, 'served'), { auth });
    const credential = credentialFor(server.host);
    const signal = AbortSignal.timeout(60_000);
    const ref = await inspectRepository(`${server.url}/repo`, { credential, signal });
    expect(ref.commit).toBe(commit);
    const lines: string[] = [];
    const exported = await exportOf(`${server.url}/repo`, folder.path, {
      credential,
      onProgress: (line) => lines.push(line),
    }).catch((error: AssayError) => error);
    expect(exported).toMatchObject({ code: 'repository_auth' }); // exportOf inspects without it
    const made = await exportRepository(ref, join(folder.path, 'made'), {
      cacheDir: join(folder.path, 'cache'),
      credential,
      signal,
      onProgress: (line) => lines.push(line),
    });
    expect(made.commit).toBe(commit);
    expect(JSON.stringify([ref, made, lines])).not.toContain('cAnArY');
    for (const file of await filesIn(join(folder.path, 'cache')))
      expect(readFileSync(join(folder.path, 'cache', file)).includes('cAnArY'), file).toBe(false);
  });

  it('that is refused says so, and does not repeat what the server echoes', async () => {
    verifies('repository.secrets');
    verifies('repository.remote-failures');
    await using folder = await temporaryFolder();
    commitFiles(join(folder.path, 'served', 'repo'), code);
    await using server = await gitHttpServer(join(folder.path, 'served'), { auth });
    const signal = AbortSignal.timeout(60_000);
    const none = await failure(inspectRepository(`${server.url}/repo`, { signal }));
    expect(none).toMatchObject({ code: 'repository_auth', message: `${server.url}/repo asks for a password` });
    expect(none.hint).toContain(`assay secrets set NAME --host ${server.host}`);
    const credential = credentialFor(server.host, 'wrong-cAnArY');
    const wrong = await failure(inspectRepository(`${server.url}/repo`, { credential, signal }));
    expect(wrong).toMatchObject({ code: 'repository_auth', message: `${server.host} refuses the secret team` });
    const shown = JSON.stringify([wrong.message, wrong.why, wrong.hint, wrong.details]);
    expect(shown).not.toContain('cAnArY');
    expect(shown).not.toContain(Buffer.from('ada:wrong-cAnArY').toString('base64').slice(0, 12));
  });

  it('does not send its secret to the host that it is redirected to', async () => {
    verifies('repository.secrets');
    await using folder = await temporaryFolder();
    commitFiles(join(folder.path, 'served', 'repo'), code);
    await using thief = await gitHttpServer(join(folder.path, 'served'), { auth });
    await using server = await gitHttpServer(join(folder.path, 'served'), {
      before: (request, response) => {
        response.writeHead(302, { location: `${thief.url}${request.url ?? ''}` }).end();
        return true;
      },
    });
    const signal = AbortSignal.timeout(60_000);
    const options = { credential: credentialFor(server.host), signal };
    expect(await failure(inspectRepository(`${server.url}/repo`, options))).toMatchObject({ code: 'repository_auth' });
    expect(thief.authorizations).toEqual([]);
    expect(thief.asked.length).toBeGreaterThan(0);
  });
});

describe('a repository that cannot be read', () => {
  const signal = () => AbortSignal.timeout(60_000);

  it.each<readonly [string, string]>([
    ['http://127.0.0.1:1/a.git', 'repository_unreachable'],
    ['https://127.0.0.1:1/a.git', 'repository_unreachable'],
    ['https://no-such-host.invalid/a.git', 'repository_unreachable'],
  ])('%s is %s', async (url, expected) => {
    verifies('repository.remote-failures');
    const error = await failure(inspectRepository(url, { signal: signal() }));
    expect(error.code).toBe(expected);
    expect(error.hint).not.toBe('');
  });

  it('missing, empty, without such a revision, behind a wrong certificate, not git at all', async () => {
    verifies('repository.remote-failures');
    await using folder = await temporaryFolder();
    const served = join(folder.path, 'served');
    commitFiles(join(served, 'repo'), code);
    git(join(served, 'repo'), 'branch', 'experiment');
    mkdirSync(join(served, 'empty'));
    git(join(served, 'empty'), 'init', '--quiet');
    await using server = await gitHttpServer(served);
    const inspect = (path: string, ref?: string) =>
      failure(inspectRepository(`${server.url}${path}`, { ref, signal: signal() }));
    expect(await inspect('/gone')).toMatchObject({ code: 'repository_missing', details: { kind: 'not_found' } });
    expect(await inspect('/empty')).toMatchObject({ code: 'repository_no_code' });
    const unknown = await inspect('/repo', 'experimnt');
    expect(unknown).toMatchObject({ code: 'repository_missing' });
    expect(unknown.why).toBe('it has refs/heads/experiment, refs/heads/main');
    expect(await inspect('/repo', 'abcdef0')).toMatchObject({ code: 'repository_missing' });
    const absent = await failure(exportOf(`${server.url}/repo`, folder.path, { ref: 'a'.repeat(40) }));
    expect(absent.message).toBe(`${server.url}/repo does not hold the commit ${'a'.repeat(40)}`);
    const tls = await failure(inspectRepository(`${server.url.replace('http', 'https')}/repo`, { signal: signal() }));
    expect(tls).toMatchObject({ code: 'repository_unreachable', details: { kind: 'certificate' } });
    await using page = await gitHttpServer(served, {
      before: (_request, response) => (response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), true),
    });
    expect(await failure(inspectRepository(`${page.url}/repo`, { signal: signal() }))).toMatchObject({
      code: 'repository_no_code',
      why: 'the repository is empty, or the address is that of a web page',
    });
  });

  it('ends at the time-out and at once when it is canceled', async () => {
    verifies('repository.bounded');
    const silent = createServer(() => undefined);
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/a.git`;
    try {
      expect(await failure(inspectRepository(url, { signal: signal(), timeoutSeconds: 0.3 }))).toMatchObject({
        code: 'task_timeout',
      });
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error('canceled')), 100);
      const started = performance.now();
      await expect(inspectRepository(url, { signal: controller.signal })).rejects.toThrow('canceled');
      expect(performance.now() - started).toBeLessThan(20_000);
    } finally {
      silent.close();
    }
  });
});

describe('a hostile server or clone', () => {
  it('opens no other way in: submodule addresses, alternates, redirects to files, hooks and filters of the commit', async () => {
    verifies('repository.hostile-harmless');
    await using folder = await temporaryFolder();
    const ran = join(folder.path, 'ran');
    const repo = join(folder.path, 'served', 'repo');
    commitFiles(repo, {
      ...code,
      '.gitattributes': '*.py filter=evil ident text eol=crlf export-ignore\n',
      '.gitmodules': `[submodule "s"]\n\tpath = s\n\turl = ext::sh -c 'touch ${ran}'\n\tupdate = !touch ${ran}\n`,
      '.lfsconfig': `[lfs]\n\turl = file:///etc\n`,
      'hooks/post-checkout': `#!/bin/sh\ntouch ${ran}\n`,
    });
    git(repo, 'update-index', '--add', '--cacheinfo', `160000,${'a'.repeat(40)},s`);
    git(repo, 'commit', '--quiet', '--message', 'gitlink');
    await using server = await gitHttpServer(join(folder.path, 'served'));
    const exported = await exportOf(`${server.url}/repo`, folder.path);
    expect(existsSync(ran)).toBe(false);
    expect(exported.submodules).toEqual(['s']);
    expect(readFileSync(join(exported.path, 'model.py'), 'utf8')).toBe('x = 1\r\n'); // text attributes are data
  });

  it('is not followed to a file', async () => {
    verifies('repository.hostile-harmless');
    await using folder = await temporaryFolder();
    commitFiles(join(folder.path, 'repo'), code);
    await using server = await gitHttpServer(folder.path, {
      before: (_request, response) => {
        response.writeHead(302, { location: `file://${folder.path}/repo/.git/info/refs` }).end();
        return true;
      },
    });
    const error = await failure(inspectRepository(`${server.url}/x`, { signal: AbortSignal.timeout(60_000) }));
    expect(error.code).toBe('repository_unsupported');
  });

  it('whose names hold line ends, control characters and bytes that are no text is exported name by name', async () => {
    verifies('repository.hostile-harmless');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'served', 'repo');
    commitFiles(repo, {
      ...code,
      'new\nline.py': '',
      'tab\tand\u001b[31m.py': '',
      '-rf.py': '',
      'UPPER.py': '',
      'upper.py': '',
    });
    put(repo, {});
    await using server = await gitHttpServer(join(folder.path, 'served'));
    const exported = await exportOf(`${server.url}/repo`, folder.path);
    expect(await filesIn(exported.path)).toEqual(
      ['-rf.py', 'UPPER.py', 'model.py', 'new\nline.py', 'tab\tand\u001b[31m.py', 'upper.py'].sort(),
    );
  });
});
