import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { readSetupPy } from '../src/readers/setup-py.ts';
import { lines, reader, setupFactsOf } from './support/tree.ts';

async function declared(source: string, files: Readonly<Record<string, string>> = {}) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'setup.py');
  await writeFile(path, source);
  return readSetupPy('setup.py', await setupFactsOf(path), reader(files));
}

test('literal lists, names, sums and settings of setup.py are read without running it', async () => {
  verifies('dependency.setup-not-run', 'dependency.reads-declarations');
  const found = await declared(`import os, setuptools
open("ran", "w").write("it ran")
raise SystemExit("it ran")
BASE = ["numpy>=1.20",
        "pandas"]
more = BASE + ["tqdm; python_version < '3.8'"]
settings = dict(name="m", install_requires=more, python_requires=">=3.7", extras_require={"dev": ["pytest"]})
setuptools.setup(**settings)
`);
  expect(lines(found?.requirements ?? [])).toEqual([
    'numpy>=1.20 @setup.py:4',
    'pandas @setup.py:5',
    "tqdm ; python_version < '3.8' @setup.py:6",
  ]);
  expect(found?.requiresPython).toEqual([{ specifier: '>=3.7', origin: { file: 'setup.py', line: 7 } }]);
  expect(found?.ignored.map(({ what }) => what)).toEqual(['extras_require dev']);
});

test.each([
  ['install_requires=open("requirements.txt").read().splitlines()'],
  ['install_requires=[line.strip() for line in open(os.path.join(here, "requirements.txt")) if line]'],
  ['install_requires=required'],
])('a list that is read from a file: %s', async (argument) => {
  verifies('dependency.setup-not-run');
  const source = `import os
from setuptools import setup
here = os.path.dirname(__file__)
with open("requirements.txt") as handle:
    required = handle.read().splitlines()
setup(name="m", ${argument})
`;
  const found = await declared(source, { 'requirements.txt': 'numpy\nscipy\n' });
  expect(lines(found?.requirements ?? [])).toEqual(['numpy @requirements.txt:1', 'scipy @requirements.txt:2']);
});

test('what is computed is named, and a broken file too', async () => {
  verifies('dependency.setup-not-run');
  const computed = await declared('from setuptools import setup\nsetup(name="m", install_requires=find())\n');
  expect(computed?.ignored).toEqual([
    {
      what: 'install_requires',
      why: 'it is computed when setup.py runs, and setup.py is not run to find out',
      origin: { file: 'setup.py', line: 2 },
    },
  ]);
  const broken = await declared('print "two"\n');
  expect(broken?.ignored[0]?.why).toMatch(/^it cannot be parsed: Missing parentheses/);
  expect(await declared('from setuptools import setup\nsetup(name="m")\n')).toBeUndefined();
});
