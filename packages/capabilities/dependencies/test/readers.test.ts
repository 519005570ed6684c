import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { readConda } from '../src/readers/conda.ts';
import { readPipfile } from '../src/readers/pipfile.ts';
import { readPyproject } from '../src/readers/pyproject.ts';
import { readRequirementsFile } from '../src/readers/requirements-file.ts';
import { readSetupCfg } from '../src/readers/setup-cfg.ts';
import type { Declared } from '../src/declared.ts';
import { lines, reader, type Files } from './support/tree.ts';

const ignored = (declared: Declared | undefined) =>
  declared?.ignored.map(({ what, why, origin }) => `${what} | ${why} @${origin.file}:${origin.line}`);

test('a requirements file: continuations, comments, options, hashes, includes, constraints', async () => {
  verifies('dependency.reads-declarations');
  const files: Files = {
    'requirements.txt': `# what it needs
-r base/common.txt   # shared
-c constraints.txt
--index-url https://packages.example/simple
--extra-index-url=https://other.example/simple
numpy==1.26.4 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
pandas >= 2 ; python_version >= "3.9" # frames
"scipy"
--only-binary :all:
`,
    'base/common.txt': 'joblib\n-r ../extra.txt\n',
    'extra.txt': 'tqdm~=4.0\n',
    'constraints.txt': 'joblib<2\n',
  };
  const found = await readRequirementsFile('requirements.txt', reader(files));
  expect(lines(found.requirements)).toEqual([
    'joblib @base/common.txt:1',
    'tqdm~=4.0 @extra.txt:1',
    'numpy==1.26.4 @requirements.txt:6',
    'pandas>=2 ; python_version >= "3.9" @requirements.txt:9',
    'scipy @requirements.txt:10',
  ]);
  expect(found.requirements[2]?.hashes).toEqual(['sha256:aa', 'sha256:bb']);
  expect(lines(found.constraints)).toEqual(['joblib<2 @constraints.txt:1']);
  expect(found.files).toEqual(['requirements.txt', 'base/common.txt', 'extra.txt', 'constraints.txt']);
  expect(ignored(found)).toEqual([
    '--index-url https://packages.example/simple | packages come only from the index that this machine is configured for; a repository cannot name another @requirements.txt:4',
    '--extra-index-url=https://other.example/simple | packages come only from the index that this machine is configured for; a repository cannot name another @requirements.txt:5',
    '--only-binary :all: | wheels are taken first and sources only when there is no wheel @requirements.txt:11',
  ]);
});

test('circles, missing files, ways out of the repository and broken lines are named, and the rest is read', async () => {
  verifies('dependency.encodings');
  const files: Files = {
    'a/requirements.txt':
      '-r more.txt\n-r gone.txt\n-r ../../etc/list.txt\n-r https://host/list.txt\nnumpy pandas\nsix\n',
    'a/more.txt': '-r requirements.txt\ntqdm\n',
  };
  const found = await readRequirementsFile('a/requirements.txt', reader(files));
  expect(lines(found.requirements)).toEqual(['tqdm @a/more.txt:2', 'six @a/requirements.txt:6']);
  expect(ignored(found)).toEqual([
    '-r a/requirements.txt | it was read already; files that include each other are read once @a/more.txt:1',
    '-r a/gone.txt | the repository has no such file @a/requirements.txt:2',
    '-r ../../etc/list.txt | it leads out of the repository @a/requirements.txt:3',
    '-r https://host/list.txt | a list of requirements is not fetched from an address @a/requirements.txt:4',
    'numpy pandas | it cannot be read: "pandas" is not a version range @a/requirements.txt:5',
  ]);
});

test.each([
  [
    'UTF-16 with a mark',
    Buffer.from('\ufeffnumpy==1.26.4\r\ntqdm\r\n', 'utf16le'),
    'it is written in UTF-16 and was read as such',
  ],
  [
    'UTF-16 without a mark',
    Buffer.from('numpy==1.26.4\ntqdm\n', 'utf16le'),
    'it is written in UTF-16 and was read as such',
  ],
  [
    'UTF-16 of the other order',
    Buffer.from('\ufeffnumpy==1.26.4\ntqdm\n', 'utf16le').swap16(),
    'it is written in UTF-16 and was read as such',
  ],
  ['Latin-1', Buffer.from('# modèle\nnumpy==1.26.4\ntqdm\n', 'latin1'), 'it is not UTF-8 and was read as Latin-1'],
])('a requirements file in %s', async (_, bytes, note) => {
  verifies('dependency.encodings');
  const found = await readRequirementsFile('requirements.txt', reader({ 'requirements.txt': bytes }));
  expect(found.requirements.map(({ name, specifier }) => name + specifier)).toEqual(['numpy==1.26.4', 'tqdm']);
  expect(found.ignored.map(({ why }) => why)).toEqual([note]);
});

test('a byte order mark of UTF-8 and old line ends are nothing unusual', async () => {
  const found = await readRequirementsFile('r.txt', reader({ 'r.txt': Buffer.from('\ufeffnumpy\r\ntqdm\rsix') }));
  expect(lines(found.requirements)).toEqual(['numpy @r.txt:1', 'tqdm @r.txt:2', 'six @r.txt:3']);
  expect(found.ignored).toEqual([]);
});

test('pyproject.toml with [project]', async () => {
  verifies('dependency.reads-declarations');
  const text = `[project]
name = "model"
requires-python = ">=3.9, <3.13"
dependencies = [
  "numpy>=1.24",
  "torch[opt]>=2 ; sys_platform == 'linux'",
]

[project.optional-dependencies]
dev = ["pytest"]

[dependency-groups]
docs = ["sphinx"]
`;
  const found = await readPyproject('pyproject.toml', reader({ 'pyproject.toml': text }));
  expect(lines(found?.requirements ?? [])).toEqual([
    'numpy>=1.24 @pyproject.toml:5',
    "torch[opt]>=2 ; sys_platform == 'linux' @pyproject.toml:6",
  ]);
  expect(found?.requiresPython).toEqual([{ specifier: '>=3.9,<3.13', origin: { file: 'pyproject.toml', line: 3 } }]);
  expect(ignored(found)).toEqual([
    '[project.optional-dependencies] dev | optional: nothing asks for it @pyproject.toml:9',
    '[dependency-groups] docs | for developing, testing or documents @pyproject.toml:12',
  ]);
});

test('dependencies that setuptools and hatch read from files', async () => {
  const setuptools = `[project]\nname = "m"\ndynamic = ["version", "dependencies"]\n[tool.setuptools.dynamic]\ndependencies = {file = ["requirements.in"]}\n`;
  const hatch = `[project]\nname = "m"\ndynamic = ["dependencies"]\n[tool.hatch.metadata.hooks.requirements_txt]\nfiles = ["requirements.in"]\n`;
  for (const text of [setuptools, hatch]) {
    const found = await readPyproject(
      'p/pyproject.toml',
      reader({ 'p/pyproject.toml': text, 'p/requirements.in': 'numpy\n' }),
    );
    expect(lines(found?.requirements ?? [])).toEqual(['numpy @p/requirements.in:1']);
  }
});

test('pyproject.toml of poetry', async () => {
  const text = `[tool.poetry]
name = "model"
[tool.poetry.dependencies]
python = "^3.9"
numpy = "^1.24"
torch = { version = "~2.1", extras = ["opt"], markers = "sys_platform == 'linux'" }
fast = { version = "*", optional = true }
old = [{ version = "1.0", python = "<3.10" }, { version = "^2", python = ">=3.10" }]
clip = { git = "https://host/clip.git", rev = "abc" }
libs = { path = "./libs", develop = true }
odd = "latest"
[tool.poetry.group.dev.dependencies]
pytest = "*"
[[tool.poetry.source]]
name = "other"
url = "https://other.example/simple"
`;
  const found = await readPyproject('pyproject.toml', reader({ 'pyproject.toml': text }));
  expect(lines(found?.requirements ?? [])).toEqual([
    'numpy>=1.24,<2 @pyproject.toml:5',
    "torch[opt]>=2.1,<2.2 ; (sys_platform == 'linux') @pyproject.toml:6",
    "old==1.0 ; python_version < '3.10' @pyproject.toml:8",
    "old>=2,<3 ; python_version >= '3.10' @pyproject.toml:8",
    'clip @pyproject.toml:9',
    'libs @pyproject.toml:10',
  ]);
  expect(found?.requirements[4]?.place).toEqual({ kind: 'vcs', url: 'git+https://host/clip.git' });
  expect(found?.requirements[5]?.place).toEqual({ kind: 'path', path: 'libs' });
  expect(found?.requiresPython[0]?.specifier).toBe('>=3.9,<4');
  expect(ignored(found)).toEqual([
    '[tool.poetry.group] dev | for developing, testing or documents @pyproject.toml:12',
    '[[tool.poetry.source]] | packages come only from the index that this machine is configured for; a repository cannot name another @pyproject.toml:14',
    'fast | optional: nothing asks for it @pyproject.toml:7',
    'odd = "latest" | its range cannot be read @pyproject.toml:11',
  ]);
});

test('a pyproject.toml that only configures tools declares nothing; a broken one is named', async () => {
  expect(
    await readPyproject('pyproject.toml', reader({ 'pyproject.toml': '[tool.black]\nline-length = 100\n' })),
  ).toBeUndefined();
  const broken = await readPyproject('pyproject.toml', reader({ 'pyproject.toml': '[project]\nname = \n' }));
  expect(broken?.ignored[0]?.why).toMatch(/^it is not valid TOML/);
  expect(broken?.ignored[0]?.origin.line).toBe(2);
});

test('setup.cfg', async () => {
  const text = `[metadata]
name = model

[options]
python_requires = >=3.8
install_requires =
    numpy>=1.20
    # frames
    pandas; python_version >= "3.8"

[options.extras_require]
dev = pytest
`;
  const found = await readSetupCfg('setup.cfg', reader({ 'setup.cfg': text }));
  expect(lines(found?.requirements ?? [])).toEqual([
    'numpy>=1.20 @setup.cfg:7',
    'pandas ; python_version >= "3.8" @setup.cfg:9',
  ]);
  expect(found?.requiresPython).toEqual([{ specifier: '>=3.8', origin: { file: 'setup.cfg', line: 5 } }]);
  expect(ignored(found)).toEqual(['[options.extras_require] dev | optional: nothing asks for it @setup.cfg:12']);
  const inline = await readSetupCfg(
    'setup.cfg',
    reader({ 'setup.cfg': '[options]\ninstall_requires = numpy; pandas>=1; tqdm; python_version < "4"\n' }),
  );
  expect(lines(inline?.requirements ?? [])).toEqual([
    'numpy @setup.cfg:2',
    'pandas>=1 @setup.cfg:2',
    'tqdm ; python_version < "4" @setup.cfg:2',
  ]);
  const file = await readSetupCfg(
    'setup.cfg',
    reader({ 'setup.cfg': '[options]\ninstall_requires = file: r.txt\n', 'r.txt': 'numpy\n' }),
  );
  expect(lines(file?.requirements ?? [])).toEqual(['numpy @r.txt:1']);
});

test('Pipfile', async () => {
  const text = `[[source]]
url = "https://other.example/simple"
[packages]
numpy = "*"
pandas = {version = ">=1.5", extras = ["excel"], sys_platform = "== 'linux'"}
tool = {git = "https://host/tool.git"}
[dev-packages]
pytest = "*"
[requires]
python_version = "3.9"
`;
  const found = await readPipfile('Pipfile', reader({ Pipfile: text }));
  expect(lines(found?.requirements ?? [])).toEqual([
    'numpy @Pipfile:4',
    "pandas[excel]>=1.5 ; sys_platform == 'linux' @Pipfile:5",
    'tool @Pipfile:6',
  ]);
  expect(found?.requiresPython).toEqual([{ specifier: '==3.9.*', origin: { file: 'Pipfile', line: 10 } }]);
  expect(ignored(found)).toEqual(['[dev-packages] | for developing, testing or documents @Pipfile:7']);
});

test('environment.yml of conda', async () => {
  const text = `name: paper
channels: [conda-forge, defaults]
dependencies:
  - python=3.8
  - numpy=1.21
  - conda-forge::scikit-learn>=1.0
  - pytorch=1.12.1=py3.8_cuda11.3_cudnn8.3.2_0
  - cudatoolkit=11.3
  - libgcc-ng=9.3.0
  - pip
  - pip:
      - transformers==4.20
      - -r more.txt
`;
  const found = await readConda('environment.yml', reader({ 'environment.yml': text, 'more.txt': 'tqdm\n' }));
  expect(lines(found?.requirements ?? [])).toEqual([
    'numpy==1.21.* @environment.yml:5',
    'scikit-learn>=1.0 @environment.yml:6',
    'torch==1.12.1 @environment.yml:7',
    'transformers==4.20 @environment.yml:12',
    'tqdm @more.txt:1',
  ]);
  expect(found?.requiresPython).toEqual([{ specifier: '==3.8.*', origin: { file: 'environment.yml', line: 4 } }]);
  expect(ignored(found)).toEqual([
    'cudatoolkit=11.3 | it is for graphics cards, and runs have none @environment.yml:8',
    'libgcc-ng=9.3.0 | it is a system library or program of conda, not a Python package @environment.yml:9',
    'pip | it is used for installing, not for running @environment.yml:10',
    'channels | packages come from the package index, not from conda @environment.yml:2',
  ]);
});
