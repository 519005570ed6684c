import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { findPython, listPythons } from '../src/index.ts';

test('the interpreters of PATH, pyenv and uv are listed once, and what is none is left out', async () => {
  verifies('dependency.interpreters-listed');
  await using folder = await temporaryFolder('assay-pythons');
  const python = await findPython();
  const minor = python.version.split('.').slice(0, 2).join('.');
  const place = async (...parts: string[]) => {
    const bin = join(folder.path, ...parts);
    await mkdir(bin, { recursive: true });
    return bin;
  };
  const [path, shims] = [await place('path'), await place('pyenv', 'shims')];
  const [managed, uv] = [await place('pyenv', 'versions', 'a', 'bin'), await place('uv', 'b', 'bin')];
  await symlink(python.executable, join(path, 'python3'));
  await symlink(python.executable, join(path, `python${minor}`));
  await symlink(python.executable, join(managed, 'python3'));
  await symlink(python.executable, join(shims, 'python3'));
  await writeFile(join(uv, 'python3'), '#!/bin/sh\necho no\n', { mode: 0o755 });
  await writeFile(join(path, 'python3.99-config'), '', { mode: 0o755 });
  const env = {
    PATH: `${path}:${shims}:relative`,
    HOME: folder.path,
    PYENV_ROOT: join(folder.path, 'pyenv'),
    UV_PYTHON_INSTALL_DIR: join(folder.path, 'uv'),
  };
  expect((await listPythons({ env })).map(({ version }) => version)).toEqual([python.version]);
  expect(await listPythons({ env: { PATH: '', HOME: join(folder.path, 'nobody') } })).toEqual([]);
});
