import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { refuseShown, shownFolder } from '../src/index.ts';

test('what the interpreter or the system shows is refused as a place for data, also behind links', async () => {
  verifies('bad-input.data-shown');
  await using folder = await temporaryFolder();
  const at = (path: string) => join(folder.path, path);
  await mkdir(at('py/lib/python3/site-packages'), { recursive: true });
  await mkdir(at('python'));
  await writeFile(at('py/lib/python3/site-packages/rows.csv'), 'x,label\n1,a\n');
  await writeFile(at('python/rows.csv'), 'x,label\n1,a\n');
  await symlink(at('py/lib/python3/site-packages/rows.csv'), at('link.csv'));
  await symlink(at('py'), at('prefix'));
  await symlink('/usr/bin/env', at('system.csv'));
  const interpreter = { mounts: [at('prefix')] };
  expect(shownFolder(at('py/lib/python3/site-packages/rows.csv'), interpreter)).toBe(at('prefix'));
  expect(shownFolder(at('link.csv'), interpreter)).toBe(at('prefix'));
  expect(shownFolder(at('python/rows.csv'), interpreter)).toBeUndefined();
  expect(shownFolder(at('link.csv'))).toBeUndefined();
  expect(() => refuseShown(at('system.csv'))).toThrow('the data file lies in a folder that the code can see');
  expect(() => refuseShown(at('python/rows.csv'), interpreter)).not.toThrow();
});

test('a file under the system folder is refused by name', async ({ skip }) => {
  verifies('bad-input.data-shown');
  if (process.getuid?.() !== 0) skip('only root can write there');
  const folder = await mkdtemp('/usr/local/share/assay-');
  try {
    const path = join(folder, 'noise.csv');
    await writeFile(path, 'x,label\n1,a\n');
    expect(shownFolder(path)).toBe('/usr');
  } finally {
    await rm(folder, { recursive: true });
  }
});
