import { expect, test } from 'vitest';
import { Resources } from '../src/index.ts';

test('closes newest first, all of them, and throws the first failure', async () => {
  const closed: string[] = [];
  const resources = new Resources();
  resources.use({ [Symbol.dispose]: () => void closed.push('first') });
  resources.defer(() => {
    closed.push('second');
    throw new Error('second failed');
  });
  resources.use({
    async [Symbol.asyncDispose]() {
      closed.push('third');
      throw new Error('third failed');
    },
  });
  await expect(resources[Symbol.asyncDispose]()).rejects.toThrow('third failed');
  expect(closed).toEqual(['third', 'second', 'first']);
  await resources[Symbol.asyncDispose]();
  expect(closed).toHaveLength(3);
});
