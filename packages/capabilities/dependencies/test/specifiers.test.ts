import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { fromConda, fromPoetry, versionFits } from '../src/specifiers.ts';

// The table of poetry's documentation, and Pipfile's and conda's own forms.
test.each([
  ['^1.2.3', '>=1.2.3,<2'],
  ['^1.2', '>=1.2,<2'],
  ['^1', '>=1,<2'],
  ['^0.2.3', '>=0.2.3,<0.3'],
  ['^0.0.3', '>=0.0.3,<0.0.4'],
  ['^0.0', '>=0.0,<0.1'],
  ['^0', '>=0,<1'],
  ['~1.2.3', '>=1.2.3,<1.3'],
  ['~1.2', '>=1.2,<1.3'],
  ['~1', '>=1,<2'],
  ['*', ''],
  ['1.*', '==1.*'],
  ['1.2.3', '==1.2.3'],
  ['>=1.2,<1.5', '>=1.2,<1.5'],
  ['>=1.2 <1.5', '>=1.2,<1.5'],
  ['~=1.4.2', '~=1.4.2'],
  ['!=1.5', '!=1.5'],
])('poetry writes %s for %s', (text, specifier) => {
  verifies('dependency.reads-declarations');
  expect(fromPoetry(text)).toEqual({ specifier, exact: true });
});

test('several ranges become the one that holds them, and that is said', () => {
  expect(fromPoetry('^1.2 || ^2.0')).toEqual({ specifier: '>=1.2,<3', exact: false });
  expect(fromPoetry('==1.2 || ==1.4')).toEqual({ specifier: '>=1.2', exact: false });
});

test('what is no range is not read as one', () => {
  expect(fromPoetry('latest')).toBeUndefined();
  expect(fromPoetry('^x')).toBeUndefined();
});

test.each([
  ['1.21', '==1.21.*'],
  ['1.21=py39_0', '==1.21'],
  ['1.21.*', '==1.21.*'],
  ['1.21*', '==1.21.*'],
  ['>=1.2,<2', '>=1.2,<2'],
  ['*', ''],
  ['', ''],
])('conda writes %s for %s', (text, specifier) => {
  expect(fromConda(text)).toBe(specifier);
});

test.each([
  ['3.11.7', '>=3.8', true],
  ['3.11.7', '>=3.8,<3.11', false],
  ['3.11.7', '==3.11.*', true],
  ['3.11.7', '~=3.8', true],
  ['3.13.0', '<3.13', false],
  ['3.14.0rc1', '>=3.14', false],
  ['3.11.7', '!=3.9.*,!=3.10.*', true],
])('%s fits %s: %s', (version, specifier, expected) => {
  expect(versionFits(version, specifier)).toBe(expected);
});
