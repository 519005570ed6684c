import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { diagnose } from '../src/repair/diagnose.ts';
import { nextStep } from '../src/repair/next-step.ts';
import { isSlip } from '../src/repair/spelling.ts';
import { inWords, recording, stateOf, stepAfter } from './support/recording.ts';

function after(name: string, times: number): string[] {
  const said: string[] = [];
  let state = stateOf(recording(name));
  for (let round = 0; round < times; round++) {
    const { step } = stepAfter(name, state);
    said.push(inWords(step));
    if (step.kind !== 'attempt') break;
    state = step.state;
  }
  return said;
}

test('what passes by itself is tried once more, and then a person must look', () => {
  verifies('dependency.repair-bounded');
  expect(after('index-down', 5)).toEqual([
    'repaired: the same is tried once more (the package index did not answer)',
    'the package index cannot be reached | it did not answer twice (tried before: 1: the package index did not answer) | check the network and pip config list, and retry the task when the index is up again',
  ]);
});

test('the same failure after a change ends the attempts', () => {
  verifies('dependency.repair-bounded');
  expect(after('conflict-transitive', 5)).toEqual([
    'repaired: beta==1.0 becomes beta (the versions contradict each other: beta 1.0 depends on alpha>=2; gamma 1.0 depends on alpha<2)',
    'the packages could not be installed in 2 attempts | the same failure came again after a change: gamma 1.0 depends on alpha<2 (tried before: 1: the versions contradict each other: beta 1.0 depends on alpha>=2; gamma 1.0 depends on alpha<2) | correct the requirements of the repository as the attempts show, and start the plan again',
  ]);
});

test('there are at most three attempts, whatever fails', () => {
  verifies('dependency.repair-bounded');
  const names = ['conflict-pins', 'index-error', 'hash-missing', 'use-2to3'];
  let state = stateOf({ ...recording('conflict-pins'), requirements: 'alpha==1.0\nbeta==1.0' });
  const kinds: string[] = [];
  for (const name of names) {
    const { step } = stepAfter(name, state);
    kinds.push(step.kind);
    if (step.kind !== 'attempt') break;
    state = step.state;
  }
  expect(kinds).toEqual(['attempt', 'attempt', 'stop']);
  expect(state.attempts).toHaveLength(2);
});

test('a change keeps everything that it does not name', () => {
  const { step } = stepAfter('conflict-pins', stateOf(recording('conflict-pins')));
  expect(step.kind === 'attempt' && step.state.requirements.map(({ name, specifier }) => name + specifier)).toEqual([
    'alpha',
    'beta==1.0',
  ]);
});

test('a listed setuptools that no longer brings pkg_resources is taken in an older version', () => {
  verifies('dependency.repair-bounded');
  const state = stateOf({ ...recording('run-no-pkg-resources'), requirements: 'setuptools>=40' });
  expect(inWords(stepAfter('run-no-pkg-resources', state).step)).toBe(
    'repaired: setuptools>=40 becomes setuptools>=40,<81 (newer versions of setuptools no longer bring pkg_resources)',
  );
});

test('a sandbox that ended the command counts more than what was printed', () => {
  expect(diagnose({ step: 'install', output: 'Collecting alpha\n', end: 'out_of_memory' }).kind).toBe('out_of_memory');
  expect(diagnose({ step: 'install', output: 'Collecting alpha\n', end: 'timed_out' }).kind).toBe('install_timed_out');
});

test('a failure that no rule knows ends with its last line', () => {
  const diagnosis = diagnose({ step: 'install', output: 'something\n\u001b[31mERROR: quite new\u001b[0m\n' });
  expect(diagnosis).toMatchObject({ kind: 'unknown', evidence: 'ERROR: quite new' });
  expect(inWords(nextStep(stateOf(recording('typo')), diagnosis))).toBe(
    'installing the packages failed for a reason that is not known here | the last line was: ERROR: quite new | read the log of the session, correct the requirements and start the plan again',
  );
});

test.each([
  ['reqeusts', 'requests', true],
  ['numpi', 'numpy', true],
  ['panda', 'pandas', true],
  ['scikitlearn', 'scikit-learn', true],
  ['numpy', 'numpy', false],
  ['numba', 'numpy', false],
  ['six', 'sox', false],
])('%s for %s is a slip of the pen: %s', (a, b, expected) => {
  expect(isSlip(a, b)).toBe(expected);
});
