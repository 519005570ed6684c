import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import type { DependencySpec } from '../src/dependency-spec.ts';
import type { SetupFacts } from '../src/readers/setup-py.ts';
import { lines, specOf } from './support/tree.ts';

const ignored = (spec: DependencySpec) =>
  spec.ignored.map(({ what, why, origin }) => `${what} | ${why} @${origin.file}:${origin.line}`);

const setup: SetupFacts = {
  v: 1,
  found: true,
  requires: [{ text: 'scipy', line: 3 }],
  python: { text: '>=3.8', line: 4 },
  extras: [],
  computed: [],
  files: [],
  extensions: null,
  packageDir: null,
  error: null,
};

const all = {
  'requirements.txt': 'numpy\n',
  'requirements-dev.txt': 'pytest\n',
  'requirements_gpu.txt': 'cupy\n',
  'pyproject.toml': '[project]\nname = "m"\nrequires-python = ">=3.9"\ndependencies = ["pandas"]\n',
  'setup.cfg': '[options]\ninstall_requires = six\n',
  'setup.py': '',
  Pipfile: '[packages]\ntqdm = "*"\n[requires]\npython_version = "3.9"\n',
  'environment.yml': 'dependencies:\n  - joblib\n',
  'poetry.lock': '',
};

test('declarations are believed in the stated order', async () => {
  verifies('dependency.precedence');
  const order = ['requirements.txt', 'pyproject.toml', 'setup.cfg', 'setup.py', 'Pipfile', 'environment.yml'];
  const seen: (string | null)[] = [];
  let files: Record<string, string> = { ...all };
  for (const name of order) {
    const spec = await specOf(files, { facts: { 'setup.py': setup } });
    seen.push(`${spec.source}: ${spec.files.join()}: ${spec.requirements[0]?.name}`);
    files = Object.fromEntries(Object.entries(files).filter(([path]) => path !== name));
  }
  expect(seen).toEqual([
    'requirements file: requirements.txt: numpy',
    'pyproject.toml: pyproject.toml: pandas',
    'setup.cfg: setup.cfg: six',
    'setup.py: setup.py: scipy',
    'Pipfile: Pipfile: tqdm',
    'environment.yml: environment.yml: joblib',
  ]);
});

test('what was not used is named with the reason', async () => {
  verifies('dependency.precedence');
  const spec = await specOf(all, { facts: { 'setup.py': setup } });
  expect(ignored(spec)).toEqual([
    'requirements-dev.txt | for developing, testing or documents @requirements-dev.txt:1',
    'requirements_gpu.txt | its name says that it is for another purpose @requirements_gpu.txt:1',
    'pyproject.toml | requirements.txt stands before it @pyproject.toml:1',
    'setup.cfg | requirements.txt stands before it @setup.cfg:1',
    'setup.py | requirements.txt stands before it @setup.py:1',
    'Pipfile | requirements.txt stands before it @Pipfile:1',
    'environment.yml | requirements.txt stands before it @environment.yml:1',
    'poetry.lock | requirements.txt stands before it @poetry.lock:1',
  ]);
  expect(spec.requiresPython.map(({ specifier, isPreference }) => [specifier, isPreference])).toEqual([
    ['>=3.9', false],
    ['>=3.8', false],
    ['==3.9.*', true],
  ]);
});

test('the folder of the entry point is asked before the folders around it', async () => {
  verifies('dependency.precedence');
  const files = { 'requirements.txt': 'numpy\n', 'app/requirements.txt': 'pandas\n', 'app/sub/x.py': '' };
  expect(lines((await specOf(files, { entryFile: 'app/sub/model.py', imports: ['pandas'] })).requirements)).toEqual([
    'pandas @app/requirements.txt:1',
  ]);
  expect(lines((await specOf(files, { entryFile: 'lib/model.py' })).requirements)).toEqual([
    'numpy @requirements.txt:1',
  ]);
});

test('an empty list declares nothing', async () => {
  const spec = await specOf(
    { 'requirements.txt': '# later\n', 'pyproject.toml': all['pyproject.toml'] },
    { imports: ['pandas'] },
  );
  expect(lines(spec.requirements)).toEqual(['pandas @pyproject.toml:4']);
});

test('a list of another name is taken when it is the only one of its kind', async () => {
  const spec = await specOf({ 'requirements/base.txt': 'numpy\n', 'requirements/dev.txt': '-r base.txt\npytest\n' });
  expect(lines(spec.requirements)).toEqual(['numpy @requirements/base.txt:1']);
});

test('without a declaration the imports count, under the names of their packages', async () => {
  verifies('dependency.imports-last');
  const files = {
    'model.py': 'import os\nimport numpy as np\nfrom sklearn.svm import SVC\nimport json, yaml\n\nimport my_tool\n',
  };
  const imports = ['PIL', 'cv2', 'my_tool', 'numpy', 'sklearn', 'yaml'];
  const importers = Object.fromEntries(imports.map((name) => [name, ['model.py']]));
  const spec = await specOf(files, { imports, importers });
  expect(spec.source).toBe('imports');
  expect(lines(spec.requirements)).toEqual([
    'pillow @model.py:1',
    'opencv-python-headless @model.py:1',
    'my-tool @model.py:6',
    'numpy @model.py:2',
    'scikit-learn @model.py:3',
    'pyyaml @model.py:4',
  ]);
});

test('a well-known import that a declaration forgot is added, an unknown one may come with a declared package', async () => {
  const files = {
    'requirements.txt': 'scikit-learn\nopencv-python\n',
    'model.py': 'import sklearn\nimport pandas\nimport helper_of_someone\n',
  };
  const spec = await specOf(files, {
    imports: ['cv2', 'helper_of_someone', 'pandas', 'sklearn'],
    importers: { pandas: ['model.py'] },
  });
  expect(lines(spec.requirements)).toEqual([
    'scikit-learn @requirements.txt:1',
    'opencv-python @requirements.txt:2',
    'pandas @model.py:2',
  ]);
});

test('an entry point that imports nothing from elsewhere needs nothing, whatever is declared', async () => {
  verifies('dependency.imports-last');
  const spec = await specOf({ 'requirements.txt': 'torch==1.0\n' }, { imports: [] });
  expect(spec.requirements).toEqual([]);
  expect(spec.source).toBeNull();
  expect(lines(spec.notNeeded)).toEqual(['torch==1.0 @requirements.txt:1']);
});

test('the repository’s own package is imported from where it lies, and what it needs is installed', async () => {
  const files = {
    'requirements.txt': '-e .[fast]\n./libs/tool\n./libs/gone\ntqdm\n',
    'pyproject.toml': '[project]\nname = "m"\ndependencies = ["numpy"]\n',
    'src/m/__init__.py': '',
    'libs/tool/setup.py': '',
  };
  const spec = await specOf(files, { facts: { 'libs/tool/setup.py': setup } });
  expect(lines(spec.requirements)).toEqual([
    'numpy @pyproject.toml:3',
    'scipy @libs/tool/setup.py:3',
    'tqdm @requirements.txt:4',
  ]);
  expect(spec.pythonPath).toEqual(['src', 'libs/tool']);
  expect(spec.projectBuild).toBeNull();
  expect(ignored(spec).filter((text) => text.includes('./') || text.startsWith('. '))).toEqual([
    '. | it is imported from the read-only repository and not built; what it needs is installed @requirements.txt:1',
    './libs/tool | it is imported from the read-only repository and not built; what it needs is installed @requirements.txt:2',
    './libs/gone | it is listed as a package of the repository, and there is no pyproject.toml, setup.py or setup.cfg in it @requirements.txt:3',
  ]);
});

test('a package of the repository with compiled extensions would have to be built', async () => {
  const facts = { 'setup.py': { ...setup, extensions: { what: 'ext_modules', line: 9 } } };
  const spec = await specOf({ 'requirements.txt': '.\n', 'setup.py': '' }, { facts });
  expect(spec.projectBuild).toEqual({
    why: 'setup.py builds compiled extensions (ext_modules)',
    origin: { file: 'setup.py', line: 9 },
  });
});

test('a package that comes from git is refused when the entry point imports it, else named', async () => {
  const files = { 'requirements.txt': 'numpy\ngit+https://host/team/CLIP.git@abc\n' };
  const spec = await specOf(files);
  expect(lines(spec.requirements)).toEqual(['numpy @requirements.txt:1']);
  expect(ignored(spec)).toEqual([
    'git+https://host/team/CLIP.git@abc | it comes from git or from an address, and packages are taken from the package index only @requirements.txt:2',
  ]);
  await expect(specOf(files, { imports: ['clip', 'numpy'] })).rejects.toMatchObject({
    code: 'dependencies_required',
    message: 'clip cannot be installed from the package index',
    why: 'requirements.txt:2 takes it from git+https://host/team/CLIP.git@abc',
    hint: 'copy its code into the repository, or name a released version of it in requirements.txt',
  });
});

test('packages that carry the name of a part of Python are left out, and so are files of the repository', async () => {
  const spec = await specOf({
    'requirements.txt': 'argparse\npathlib==1.0.1\nnumpy\nwheels/tool-1.0-py3-none-any.whl\n',
  });
  expect(lines(spec.requirements)).toEqual(['numpy @requirements.txt:3']);
  expect(ignored(spec)).toEqual([
    './wheels/tool-1.0-py3-none-any.whl | it is a file of the repository, and packages are taken from the package index only @requirements.txt:4',
    'argparse | Python brings it @requirements.txt:1',
    'pathlib==1.0.1 | Python brings it @requirements.txt:2',
  ]);
});
