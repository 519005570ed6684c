import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { chooseInterpreter } from '../src/choose-interpreter.ts';

const found = ['3.8.18', '3.9.18', '3.11.7', '3.12.1', '3.13.0'].map((version) => ({ version }));
const usual = found[2]!;
const origin = { file: 'pyproject.toml', line: 3 };
const demand = (specifier: string, isPreference = false) => ({ specifier, origin, isPreference });

test.each([
  [[], '3.11.7', 'nothing demands another one than 3.11.7'],
  [[demand('>=3.8')], '3.11.7', 'it fits >=3.8'],
  [[demand('>=3.12')], '3.13.0', 'it fits >=3.12'],
  [[demand('<3.10')], '3.9.18', 'it fits <3.10'],
  [[demand('>=3.8,<3.13'), demand('!=3.11.*')], '3.12.1', 'it fits >=3.8,<3.13 and !=3.11.*'],
  [[demand('==3.8.*', true)], '3.8.18', 'its author used ==3.8.*'],
  [[demand('==3.7.*', true)], '3.11.7', 'its author used ==3.7.*, which this machine does not have'],
  [
    [demand('>=3.9'), demand('==3.8.*', true)],
    '3.11.7',
    'it fits >=3.9; its author used ==3.8.*, which this machine does not have',
  ],
])('%j takes %s', (demands, version, why) => {
  verifies('dependency.interpreter');
  expect(chooseInterpreter(demands, found, { preferred: usual })).toEqual({ interpreter: { version }, why });
});

test('a range that was found out later counts too', () => {
  expect(chooseInterpreter([], found, { preferred: usual, also: ['<3.10'] })).toMatchObject({
    interpreter: { version: '3.9.18' },
  });
});

test('when none fits, the version that is needed and the command that installs it are named', () => {
  verifies('dependency.interpreter');
  expect(chooseInterpreter([demand('>=3.6,<3.8')], found)).toEqual({
    missing: {
      version: '3.7',
      demands: ['>=3.6,<3.8'],
      found: ['3.8.18', '3.9.18', '3.11.7', '3.12.1', '3.13.0'],
      hint: 'install Python 3.7, for example with "uv python install 3.7" or "pyenv install 3.7", and start the plan again',
    },
  });
  expect(chooseInterpreter([demand('>=3.14')], found)).toMatchObject({ missing: { version: '3.14' } });
  expect(chooseInterpreter([demand('<3'), demand('>=3.8')], found)).toMatchObject({
    missing: { version: null, hint: 'no version of Python fits all of these ranges: correct them in the repository' },
  });
});
