import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { citedIds, promisedIds } from '../tools/requirements.mjs';
import { requirements } from './requirements.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('every promised behaviour is proven by a test, and every cited id is promised', () => {
  const promised = promisedIds(root);
  const cited = citedIds(root);
  expect({
    'promised and not cited by any test': [...promised.keys()].filter((id) => !cited.has(id)),
    'cited and not promised': [...cited]
      .filter(([id]) => !promised.has(id))
      .map(([id, files]) => `${id} in ${files.join(', ')}`),
  }).toEqual({ 'promised and not cited by any test': [], 'cited and not promised': [] });
  expect([...promised.keys()].sort()).toEqual(Object.keys(requirements).sort());
  expect(promised.size).toBeGreaterThan(100);
});
