import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { InstallState } from '@assay/dependencies';
import { temporaryFolder, verifies } from '@assay/testkit';
import { repairMemory } from '../src/repair-memory.ts';

const start: InstallState = {
  requirements: [],
  constraints: [],
  lockFile: null,
  python: '3.11.7',
  pythons: ['3.11.7'],
  demands: [],
  machine: 'x86_64',
  checksHashes: false,
  buildConstraints: [],
  buildEnv: {},
  imports: ['numpy'],
  declared: [],
  unavailable: [],
  answers: {},
  attempts: [],
};

test('how an installation was mended is found again for the same start, for a week', async () => {
  verifies('dependency.cached');
  await using folder = await temporaryFolder('assay-memory');
  const { recall, remember } = repairMemory(folder.path);
  expect(await recall(start)).toBeUndefined();
  const mended = { ...start, buildConstraints: ['setuptools<81'] };
  await remember(start, mended);
  expect(await recall(start)).toEqual(mended);
  expect(await recall({ ...start, python: '3.12.1' })).toBeUndefined();
  const [file = ''] = await readdir(join(folder.path, 'repairs'));
  const old = new Date(Date.now() - 8 * 24 * 3600 * 1000);
  await utimes(join(folder.path, 'repairs', file), old, old);
  expect(await recall(start)).toBeUndefined();
});
