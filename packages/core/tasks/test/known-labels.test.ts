import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { labelsOf, requireKnownLabel } from '../src/known-labels.ts';

test('predictions in another language than the data are refused with both sets', () => {
  verifies('benchmark.labels-known');
  expect(() => requireKnownLabel(['0', '1', '1'], ['ham', ' spam '])).toThrow('no prediction is one of the labels');
  try {
    requireKnownLabel(['0', '1', '1'], ['ham', ' spam ']);
  } catch (error) {
    expect(error).toMatchObject({
      code: 'labels_unknown',
      why: 'the repository says "0", "1"; the data has " spam ", "ham"',
    });
  }
});

test('one known label among the predictions is enough, and a rare unknown one is evaluated as wrong', () => {
  requireKnownLabel(['spam', 'SPAM'], ['ham', 'spam']);
  requireKnownLabel([], ['ham']);
});

test('labels that only rows have which were not handed out are known too', () => {
  verifies('benchmark.labels-of-all-rows');
  const labels = ['a', 'b', 'c'].map((label) => ({ label, count: 4 }));
  requireKnownLabel(['b', 'c', 'b'], labelsOf({ labels }, ['a', 'a', 'a']));
  expect(() => requireKnownLabel(['x'], labelsOf({ labels }, ['a']))).toThrow('no prediction is one of the labels');
  expect(labelsOf({}, ['a', 'a', 'b'])).toEqual(['a', 'b']);
});
