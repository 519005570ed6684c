import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { requireKnownLabel } from '../src/known-labels.ts';

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
