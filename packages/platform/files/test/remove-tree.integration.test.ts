import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '@assay/files';
import { temporaryFolder, verifies } from '@assay/testkit';
import { expect, it } from 'vitest';

it('removes folders deeper than a path can say, and nothing behind a link', async () => {
  verifies('files.remove-hostile-tree');
  await using folder = await temporaryFolder();
  const tree = join(folder.path, 'tree');
  await mkdir(tree);
  await writeFile(join(folder.path, 'kept'), 'x');
  await symlink(folder.path, join(tree, 'link'));
  const deep = 'import os\nfor _ in range(400): os.mkdir("d" * 100); os.chdir("d" * 100)\nopen("file", "w").close()';
  execFileSync('python3', ['-c', deep], { cwd: tree });
  await removeTree(tree);
  expect(existsSync(tree)).toBe(false);
  expect(existsSync(join(folder.path, 'kept'))).toBe(true);
});

it('removes folders that nobody may enter', async () => {
  verifies('files.remove-hostile-tree');
  const top = await mkdtemp(join(tmpdir(), 'assay-closed-'));
  const closed = join(top, 'a', 'b');
  await mkdir(closed, { recursive: true });
  await writeFile(join(closed, 'file'), 'x');
  const isRoot = process.getuid!() === 0;
  if (isRoot) for (const path of [closed, join(closed, 'file'), join(top, 'a'), top]) await chown(path, 65534, 65534);
  await chmod(closed, 0);
  await chmod(join(top, 'a'), 0);
  if (isRoot) process.seteuid!(65534); // root may enter every folder
  try {
    await removeTree(join(top, 'a'));
  } finally {
    if (isRoot) process.seteuid!(0);
  }
  expect(existsSync(join(top, 'a'))).toBe(false);
  await removeTree(top);
});

it('finds nothing to do where nothing is', async () => {
  verifies('files.remove-hostile-tree');
  await using folder = await temporaryFolder();
  await expect(removeTree(join(folder.path, 'nothing'))).resolves.toBeUndefined();
});
