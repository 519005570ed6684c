import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { readLockFile } from '../src/readers/lock-file.ts';
import { reader, specOf } from './support/tree.ts';

const fixture = (name: string) => readFileSync(new URL(`locks/${name}`, import.meta.url), 'utf8');
const pyproject = fixture('pyproject.toml');

const pinsOf = async (name: string, text: string) => {
  const read = await readLockFile(name, reader({ [name]: text }));
  if ('problem' in read) return read.problem;
  return read.pins.map(({ name: of, specifier, marker, hashes }) => [`${of}${specifier}`, marker, hashes.length]);
};

const flat = [
  ['python-dateutil==3.0.0', null, 2],
  ['six==1.17.0', null, 2],
  ['tomli==2.5.0', '(python_version < "3.11")', 2],
  ['tzdata==2026.6', null, 2],
];

test.each([
  ['poetry/poetry.lock', flat],
  ['pdm/pdm.lock', flat],
  [
    'uv/uv.lock',
    [
      ['python-dateutil==3.0.0', "(python_full_version < '3.11')", 2],
      ['python-dateutil==4.0.0', "(python_full_version >= '3.11')", 2],
      ['six==1.17.0', null, 2],
      ['tomli==2.5.0', null, 2],
      ['tzdata==2026.6', null, 2],
    ],
  ],
  [
    'pipenv/Pipfile.lock',
    [
      ['python-dateutil==4.0.0', "(python_version >= '3.11')", 2],
      ['tzdata==2026.6', "(python_version >= '2')", 2],
    ],
  ],
])('%s gives exact versions with conditions and hashes', async (name, pins) => {
  verifies('dependency.lock-files');
  expect(await pinsOf(name.split('/').at(-1)!, fixture(name))).toEqual(pins);
});

test.each([
  ['uv.lock', 'pyproject.toml', { 'pyproject.toml': pyproject, 'uv.lock': fixture('uv/uv.lock') }],
  ['poetry.lock', 'pyproject.toml', { 'pyproject.toml': pyproject, 'poetry.lock': fixture('poetry/poetry.lock') }],
  ['pdm.lock', 'pyproject.toml', { 'pyproject.toml': pyproject, 'pdm.lock': fixture('pdm/pdm.lock') }],
  ['Pipfile.lock', 'Pipfile', { Pipfile: fixture('pipenv/Pipfile'), 'Pipfile.lock': fixture('pipenv/Pipfile.lock') }],
])('%s constrains what its declaration asks for, and a stale one is said and not followed', async (lock, of, files) => {
  verifies('dependency.lock-files', 'dependency.lock-stale');
  const spec = await specOf(files, { imports: ['dateutil'] });
  expect(spec.lock).toEqual({ file: lock, whyNot: null });
  const pin = spec.constraints.find(({ name }) => name === 'python-dateutil');
  expect(pin).toMatchObject({ specifier: expect.stringMatching(/^==[34]\.0\.0$/) as string, origin: { file: lock } });
  expect(pin?.origin.line).toBeGreaterThan(1);

  const text = (files as Readonly<Record<string, string>>)[of]!;
  const newer = await specOf({ ...files, [of]: text.replace('>=2.8', '>=9') }, { imports: ['dateutil'] });
  expect(newer.constraints).toEqual([]);
  expect(newer.lock?.whyNot).toMatch(
    /^it is stale: \S+:\d asks for python-dateutil>=9, and it has python-dateutil [34]\.0\.0/,
  );
  expect(newer.ignored.some(({ what, why }) => what === lock && why.includes('it is stale'))).toBe(true);

  const more = await specOf({ ...files, [of]: text.replace(/python-dateutil(?=>| =)/, 'scipy') });
  expect(more.lock?.whyNot).toMatch(/and it has no scipy; the ranges of \S+ count$/);
});

test('a lock file that another declaration stands before, or that cannot be read, is named', async () => {
  verifies('dependency.lock-stale');
  const lock = fixture('uv/uv.lock');
  const listed = await specOf({ 'requirements.txt': 'numpy\n', 'pyproject.toml': pyproject, 'uv.lock': lock });
  expect([listed.lock, listed.constraints]).toEqual([null, []]);
  expect(listed.ignored).toContainEqual({
    what: 'uv.lock',
    why: 'requirements.txt stands before it',
    origin: { file: 'uv.lock', line: 1 },
  });
  const both = await specOf(
    { 'pyproject.toml': pyproject, 'uv.lock': 'version = [\n', 'poetry.lock': fixture('poetry/poetry.lock') },
    { imports: ['dateutil'] },
  );
  expect(both.lock).toEqual({ file: 'poetry.lock', whyNot: null });
  expect(both.ignored.find(({ what }) => what === 'uv.lock')?.why).toContain('it is not valid TOML');
});

test('what does not come from the index, is no version, or stands there twice without a condition pins nothing', async () => {
  verifies('dependency.lock-files');
  const hash = `sha256:${'a'.repeat(64)}`;
  const uv = [
    { name: 'here', source: '{ virtual = "." }' },
    { name: 'from-git', source: '{ git = "https://git.example/x" }' },
    { name: 'from-path', source: '{ path = "x.whl" }' },
    { name: 'good', source: '{ registry = "https://index.example/simple" }' },
  ].map(({ name, source }) => `[[package]]\nname = "${name}"\nversion = "1.0"\nsource = ${source}\n`);
  const twice = ['1.0', '2.0'].map((version) => `[[package]]\nname = "twice"\nversion = "${version}"\n`);
  const poetry = `[[package]]\nname = "legacy"\nversion = "1"\n[package.source]\ntype = "legacy"\nurl = "https://i.example"\n[[package]]\nname = "git"\nversion = "1"\n[package.source]\ntype = "git"\nurl = "https://g.example"\n`;
  const odd = '[[package]]\nname = "--index-url"\nversion = "1"\n[[package]]\nname = "odd"\nversion = "1 --pre"\n';
  const older = `[[package]]\nname = "old"\nversion = "1.0"\n[metadata.files]\nold = [{file = "o.whl", hash = "${hash}"}]\n`;
  expect(await pinsOf('uv.lock', [...uv, ...twice].join('\n'))).toEqual([['good==1.0', null, 0]]);
  expect(await pinsOf('poetry.lock', poetry)).toEqual([['legacy==1', null, 0]]);
  expect(await pinsOf('uv.lock', odd)).toEqual([]);
  expect(await pinsOf('poetry.lock', older)).toEqual([['old==1.0', null, 1]]);
  const evil = JSON.stringify({
    default: { p: { path: '.', version: '==1' }, g: { git: 'x' }, __proto__: null, n: 7 },
  });
  expect(await pinsOf('Pipfile.lock', evil)).toEqual([]);
  expect(await pinsOf('Pipfile.lock', '[]')).toBe('it is not a JSON object');
  expect(await pinsOf('Pipfile.lock', '{}')).toBe('it has no list of packages');
});
