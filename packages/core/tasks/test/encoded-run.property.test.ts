import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { longestRuns } from '../src/packed/encoded-run.ts';

const longest = (text: string, writing: RegExp) =>
  Math.max(0, ...[...text.matchAll(writing)].map(([run]) => run.length));

test('the longest runs are those that the writings have', () => {
  verifies('benchmark.encoded-copies-found');
  const text = fc.array(fc.constantFrom('A', 'z9', '+/', '-_', '^`{', '~', '"', ' ', '\n', ',', '\u00ff', '\\'), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(text, (parts) => {
      const joined = parts.join('');
      expect(longestRuns(joined)).toEqual({
        base64: longest(joined, /[A-Za-z0-9+/_-]+/g),
        base85: longest(joined, /[0-9A-Za-z!#$%&()*+\-;<=>?@^_`{|}~]+/g),
      });
    }),
  );
});
