import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AssayError } from '@assay/foundation';
import {
  loopbackIndex,
  sourceDistribution,
  verifies,
  wheel,
  type Distribution,
  type LoopbackIndex,
} from '@assay/testkit';
import { installWithRepair } from '../src/install-with-repair.ts';
import { installer, type Installer } from './support/installer.ts';

const abi = `import numpy
if numpy.version.startswith("2"):
    raise ValueError("numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88 from PyObject")
`;
const desktop = 'raise ImportError("libGL.so.1: cannot open shared object file: No such file or directory")\n';
const distributions: readonly Distribution[] = [
  wheel({ name: 'alpha', version: '1.0' }),
  wheel({ name: 'alpha', version: '2.0' }),
  wheel({ name: 'beta', version: '1.0', requires: ['alpha>=2'] }),
  wheel({ name: 'withdrawn', version: '1.0' }),
  wheel({ name: 'damaged', version: '1.0' }),
  wheel({ name: 'torch', version: '2.1.0' }),
  wheel({ name: 'numpy', version: '1.26.4' }),
  wheel({ name: 'numpy', version: '2.1.0' }),
  wheel({ name: 'compiled', version: '1.0', requires: ['numpy'], files: { 'compiled.py': abi } }),
  wheel({ name: 'needy', version: '1.0', files: { 'needy.py': 'import gamma_module\n' } }),
  wheel({ name: 'gamma-module', version: '1.0' }),
  wheel({ name: 'opencv-python', version: '4.9', files: { 'cv2.py': desktop } }),
  wheel({ name: 'opencv-python-headless', version: '4.9', files: { 'cv2.py': '' } }),
  wheel({ name: 'scikit-learn', version: '1.4', files: { 'sklearn.py': '' } }),
  sourceDistribution(
    'sklearn',
    '0.0.post12',
    `raise SystemExit("The 'sklearn' PyPI package is deprecated, use 'scikit-learn'\\nrather than 'sklearn' for pip commands.")`,
  ),
  sourceDistribution(
    'from-git',
    '1.0',
    `if "SETUPTOOLS_SCM_PRETEND_VERSION" not in os.environ:\n    raise LookupError("setuptools-scm was unable to detect version for /x.")`,
  ),
];

let index: LoopbackIndex;
let subject: Installer;
beforeAll(async () => {
  index = await loopbackIndex({
    distributions,
    yanked: ['withdrawn-1.0-py3-none-any.whl'],
    cutOnce: ['damaged-1.0-py3-none-any.whl'],
  });
  subject = await installer(index.url);
});
afterAll(async () => {
  await subject[Symbol.asyncDispose]();
  await index[Symbol.asyncDispose]();
});

interface Case {
  readonly requirements: readonly string[];
  readonly modules: readonly string[];
  readonly changed: readonly string[];
  readonly installed: readonly string[];
}

const hash = `sha256:${'a'.repeat(64)}`;
const cases: Readonly<Record<string, Case>> = {
  'a module’s name instead of the package’s': {
    requirements: ['cv2'],
    modules: ['cv2'],
    changed: ['cv2 is replaced by opencv-python-headless'],
    installed: ['opencv-python-headless 4.9'],
  },
  'a withdrawn version': {
    requirements: ['withdrawn>=1.0'],
    modules: ['withdrawn'],
    changed: ['withdrawn>=1.0 becomes withdrawn==1.0'],
    installed: ['withdrawn 1.0'],
  },
  'a build for graphics cards': {
    requirements: ['torch==2.1.0+cu118'],
    modules: ['torch'],
    changed: ['torch==2.1.0+cu118 becomes torch==2.1.0'],
    installed: ['torch 2.1.0'],
  },
  'versions that contradict each other': {
    requirements: ['alpha==1.0', 'beta==1.0'],
    modules: ['alpha', 'beta'],
    changed: ['alpha==1.0 becomes alpha'],
    installed: ['alpha 2.0', 'beta 1.0'],
  },
  'hashes without exact versions': {
    requirements: [`alpha>=1.0 --hash=${hash}`],
    modules: ['alpha'],
    changed: ['the hashes of the repository are not checked'],
    installed: ['alpha 2.0'],
  },
  'a damaged download': {
    requirements: ['damaged==1.0'],
    modules: ['damaged'],
    changed: ['the same is tried once more'],
    installed: ['damaged 1.0'],
  },
  'packages compiled for another numpy': {
    requirements: ['compiled'],
    modules: ['compiled'],
    changed: ['numpy<2 is added'],
    installed: ['compiled 1.0', 'numpy 1.26.4'],
  },
  'a module that is missing when it is imported': {
    requirements: ['needy'],
    modules: ['needy'],
    changed: ['gamma-module is added'],
    installed: ['gamma-module 1.0', 'needy 1.0'],
  },
  'a library of a desktop that is missing': {
    requirements: ['opencv-python'],
    modules: ['cv2'],
    changed: ['opencv-python is replaced by opencv-python-headless'],
    installed: ['opencv-python-headless 4.9'],
  },
  'a deprecated name': {
    requirements: ['sklearn'],
    modules: ['sklearn'],
    changed: ['sklearn is replaced by scikit-learn'],
    installed: ['scikit-learn 1.4'],
  },
  'a version that would come from git': {
    requirements: ['from-git==1.0'],
    modules: ['from_git'],
    changed: ['builds see SETUPTOOLS_SCM_PRETEND_VERSION=1.0'],
    installed: ['from-git 1.0'],
  },
};

test.each(Object.entries(cases))('%s is mended', async (_, { requirements, modules, changed, installed }) => {
  verifies('dependency.repair-end-to-end');
  const told: string[] = [];
  const { environment, state } = await installWithRepair(subject.start(requirements), subject.driver(modules, told));
  expect(environment.lock.map(({ name, version }) => `${name} ${version}`).sort()).toEqual(installed);
  expect(
    told.filter((line) => /^attempt \d+: /.test(line)).map((line) => line.replace(/^attempt \d+: |, because .*$/g, '')),
  ).toEqual(changed);
  expect(state.attempts).toHaveLength(changed.length);
});

describe('a lock file', () => {
  const sha256 = (file: string) =>
    createHash('sha256')
      .update(distributions.find((one) => one.file === file)?.bytes ?? '')
      .digest('hex');
  const promised = sha256('alpha-1.0-py3-none-any.whl');
  const locked = (version: string, hashes: readonly string[]) => ({
    lockFile: 'uv.lock',
    constraints: [
      {
        ...subject.start([`alpha==${version}`]).requirements[0]!,
        hashes: hashes.map((hash) => `sha256:${hash}`),
        origin: { file: 'uv.lock', line: 7 },
      },
    ],
  });

  test('gives the exact version, though the requirement allows a newer one', async () => {
    verifies('dependency.lock-files');
    const start = subject.start(['alpha>=1'], locked('1.0', ['b'.repeat(64), promised]));
    const { environment, state } = await installWithRepair(start, subject.driver(['alpha'], []));
    expect(environment.lock.map(({ name, version, sha256 }) => [name, version, sha256])).toEqual([
      ['alpha', '1.0', promised],
    ]);
    expect(state.attempts).toEqual([]);
  });

  test('refuses a file with another hash, without a second attempt and before anything imports it', async () => {
    verifies('dependency.lock-files');
    const start = subject.start(['alpha>=1'], locked('1.0', ['b'.repeat(64)]));
    const check = () => Promise.reject(new Error('imported'));
    const failure: unknown = await installWithRepair(start, { ...subject.driver([], []), check }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      code: 'dependency_install_failed',
      message: 'alpha is not the file that was promised',
      isFinal: true,
      details: {
        attempts: [
          {
            kind: 'hash_mismatch',
            evidence: `alpha-1.0-py3-none-any.whl (alpha 1.0) has SHA-256 ${promised}, and uv.lock:7 names others`,
          },
        ],
      },
    });
  });

  test.each([
    ['a version that is not there', ['alpha'], '9.0'],
    ['a version that another package refuses', ['beta'], '1.0'],
  ])('with %s is not followed, and that is said', async (_, requirements, version) => {
    verifies('dependency.lock-stale');
    const told: string[] = [];
    const start = subject.start(requirements, locked(version, []));
    const { environment, state } = await installWithRepair(start, subject.driver(['alpha'], told));
    expect(environment.lock.find(({ name }) => name === 'alpha')?.version).toBe('2.0');
    expect([state.attempts.length, state.lockFile, state.constraints]).toEqual([1, null, []]);
    expect(told.at(-1)).toMatch(
      /^attempt 2: the versions of uv\.lock are not followed, because its versions cannot be installed with this Python on this machine: .*alpha/,
    );
  });
});

test('conditions are evaluated for the interpreter, and what does not hold is left out', async () => {
  verifies('dependency.markers');
  const lines = ['alpha ; python_version >= "3.8"', 'nowhere ; sys_platform == "win32"'];
  const { environment, leftOut } = await installWithRepair(subject.start(lines), subject.driver(['alpha'], []));
  expect(environment.lock.map(({ name }) => name)).toEqual(['alpha']);
  expect(leftOut).toEqual(['nowhere ; sys_platform == "win32"']);
});

test('what cannot be mended ends with one sentence, and the attempts are in its details', async () => {
  verifies('dependency.repair-bounded');
  const failure = await installWithRepair(subject.start(['nobody-has-this']), subject.driver([], [])).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(AssayError);
  expect(failure).toMatchObject({
    code: 'dependency_install_failed',
    message: 'the package index has no nobody-has-this',
    why: 'nobody-has-this (requirements.txt:1) asks for it',
    hint: 'correct the name in the repository, or add the index that has it to pip’s configuration',
    details: { attempts: [{ kind: 'unknown_package', changed: null }] },
  });
});
