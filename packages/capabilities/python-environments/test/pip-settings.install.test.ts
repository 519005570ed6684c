import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPython } from '@assay/sandbox';
import { temporaryFolder, verifies } from '@assay/testkit';
import { describeInstaller, indexAccess, pipSettings, type PipFacts } from '../src/index.ts';

const facts = (settings: Record<string, string>): PipFacts => ({
  platform: 'linux-x86_64',
  abi: 'cpython-311-x86_64-linux-gnu',
  installed: null,
  bundled: null,
  defaultIndex: 'https://default.example/simple',
  defaultFileHost: 'files.example',
  settings,
});
const access = (settings: Record<string, string>, env: Record<string, string> = {}) =>
  indexAccess({ settings: pipSettings(facts(settings), env), grants: [], env, defaultFileHost: 'files.example' });

test('without settings it is the index that pip brings, and the host its files come from', () => {
  verifies('environments.person-settings');
  const { policy, env, notes } = access({});
  expect(policy).toEqual({
    allow: ['default.example:443', 'files.example:443'],
    privateHosts: ['default.example:443', 'files.example:443'],
    credentials: [],
  });
  expect(env).toMatchObject({ PIP_INDEX_URL: 'https://default.example/simple', PIP_CONFIG_FILE: '/dev/null' });
  expect(notes).toEqual([]);
});

test('the environment wins over the section install, and that over global; what is not taken over is said', () => {
  verifies('environments.person-settings');
  const { policy, env, notes } = access({
    'global.index-url': 'https://a.example/simple',
    'install.index-url': 'https://b.example/simple',
    ':env:.index-url': 'http://c.example:8080/simple',
    'global.extra-index-url': 'https://d.example/simple\nhttps://e.example:444/simple',
    'global.trusted-host': 'c.example',
    'global.timeout': '99',
    'install.no-build-isolation': 'yes',
    'global.progress-bar': 'off',
  });
  expect(policy?.allow).toEqual(['c.example:8080', 'd.example:443', 'e.example:444']);
  expect(env).toMatchObject({
    PIP_INDEX_URL: 'http://c.example:8080/simple',
    PIP_EXTRA_INDEX_URL: 'https://d.example/simple https://e.example:444/simple',
    PIP_TRUSTED_HOST: 'c.example',
    PIP_TIMEOUT: '99',
  });
  expect(notes).toEqual(['the pip setting "no-build-isolation" is not taken over']);
});

test('folders and files are shown read-only at places of their own; what is missing is said', async () => {
  verifies('environments.person-settings', 'environments.offline');
  await using folder = await temporaryFolder();
  const [links, cert, constraint] = [
    join(folder.path, 'links'),
    join(folder.path, 'ca.pem'),
    join(folder.path, 'c.txt'),
  ];
  mkdirSync(links);
  writeFileSync(cert, '');
  writeFileSync(constraint, '');
  const { policy, env, mounts, notes } = access(
    { 'global.no-index': 'true', 'global.find-links': `${links} /missing/links`, ':env:.constraint': constraint },
    { REQUESTS_CA_BUNDLE: cert },
  );
  expect(policy).toBeUndefined();
  expect(mounts).toEqual([
    { source: links, target: '/pip/find-links-0', mode: 'ro' },
    { source: constraint, target: '/pip/constraint-1.txt', mode: 'ro' },
    { source: cert, target: '/pip/cert-2.pem', mode: 'ro' },
  ]);
  expect(env).toMatchObject({
    PIP_NO_INDEX: '1',
    PIP_FIND_LINKS: '/pip/find-links-0',
    PIP_CONSTRAINT: '/pip/constraint-1.txt',
    PIP_CERT: '/pip/cert-2.pem',
  });
  expect(env).not.toHaveProperty('PIP_INDEX_URL');
  expect(notes).toEqual(["the find-links /missing/links of pip's settings does not exist"]);
});

test('a granted secret goes to the proxy alone, for plain HTTP and for TLS; none is shown elsewhere', () => {
  verifies('environments.secrets');
  const settings = pipSettings(
    facts({
      'global.index-url': 'https://old:gone@tls.example/simple',
      'global.extra-index-url': 'http://x:y@plain.example/simple',
    }),
    {},
  );
  const hosts = ['tls.example:443', 'plain.example:80'];
  const grants = [{ name: 'both', hosts, user: 'me', password: 'a b/c' }];
  const granted = indexAccess({ settings, grants, env: {}, defaultFileHost: null });
  expect(granted.env).toMatchObject({
    PIP_INDEX_URL: 'http://tls.example:59080/simple',
    PIP_TRUSTED_HOST: 'tls.example:59080',
    PIP_EXTRA_INDEX_URL: 'http://plain.example/simple',
  });
  const secret = { user: 'me', password: 'a b/c' };
  expect(granted.policy?.credentials).toEqual([
    { host: 'tls.example:59080', ...secret, tls: { to: 'tls.example:443' } },
    { host: 'plain.example:80', ...secret },
  ]);
  expect(granted.notes).toEqual(['the secret both goes to plain.example:80 over plain HTTP']);
  expect(JSON.stringify([granted.env, granted.indexes, granted.notes])).not.toContain('a b');
  expect(granted.indexes).toEqual(['https://tls.example/simple', 'http://plain.example/simple']);
  const without = indexAccess({ settings, grants: [], env: {}, defaultFileHost: null });
  expect(without.env['PIP_INDEX_URL']).toBe('https://tls.example/simple');
  expect(without.notes).toHaveLength(2);
});

test('the proxy of the machine: pip’s own setting, else the variables', () => {
  verifies('network.upstream-proxy');
  expect(
    access({}, { HTTPS_PROXY: 'http://p.example:3128', no_proxy: 'a.example, .b.example' }).policy?.upstream,
  ).toEqual({
    https: 'http://p.example:3128',
    noProxy: ['a.example', '.b.example'],
  });
  expect(
    access({ 'global.proxy': 'http://q.example:1' }, { HTTPS_PROXY: 'http://p.example:3128' }).policy?.upstream,
  ).toEqual({
    http: 'http://q.example:1',
    https: 'http://q.example:1',
    noProxy: [],
  });
});

test('what would be used is said in words', async () => {
  verifies('environments.doctor');
  await using folder = await temporaryFolder();
  const env = {
    PATH: process.env['PATH'],
    PIP_CONFIG_FILE: '/dev/null',
    PIP_INDEX_URL: 'https://index.example/simple',
    PIP_FIND_LINKS: folder.path,
    HTTPS_PROXY: 'http://proxy.example:3128',
  };
  const { found, notes } = await describeInstaller(await findPython(), env);
  expect(found.replace(/^pip [\d.]+(?: \(bundled\))?/, 'pip')).toBe(
    `pip; installs may reach index.example:443 and the hosts that their pages name; folders: ${folder.path}; through the proxy of this machine`,
  );
  expect(notes).toEqual([]);
});
