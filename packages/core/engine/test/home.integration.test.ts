import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { openHome, ownerToken } from '../src/index.ts';

test('a new home is private, says its version, and keeps its token', async () => {
  verifies('home.private');
  await using folder = await temporaryFolder();
  const home = await openHome(join(folder.path, 'deep', 'home'), Date.UTC(2026, 0, 1));
  for (const path of [home.root, home.quests, home.runtime, home.logs])
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  const token = await ownerToken(home);
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(await ownerToken(home)).toBe(token);
  expect((await stat(home.token)).mode & 0o777).toBe(0o600);
});

test('a folder of somebody else’s files is not turned into a home', async () => {
  verifies('home.not-foreign');
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'thesis.docx'), '');
  await expect(openHome(folder.path, 0)).rejects.toMatchObject({ code: 'not_configured', why: 'it holds thesis.docx' });
  expect(await readdir(folder.path)).toEqual(['thesis.docx']);
  const prepared = join(folder.path, 'prepared');
  await mkdir(prepared);
  await writeFile(join(prepared, 'config.yaml'), '');
  await writeFile(join(prepared, 'home.json.b8c3b8f841fe.tmp'), ''); // a first start that was killed
  expect((await openHome(prepared, 0)).root).toContain('prepared');
});

test('a path that can never be made ends with an error and not in a loop', async () => {
  await expect(openHome('/proc/assay-home', 0)).rejects.toMatchObject({ code: 'home_read_only' });
});
