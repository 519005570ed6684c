import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AssayError } from '@assay/foundation';
import { temporaryFolder, verifies } from '@assay/testkit';
import { explainMissingContent } from '../src/missing-content.ts';

const { signal } = new AbortController();
const failed = (why: string) => new AssayError('adapter_failed', 'the adapter failed', { why });

test('a module that is an empty submodule is named, any other missing module is not explained by it', async () => {
  verifies('tasks.submodule-missing');
  await using folder = await temporaryFolder();
  const list =
    '[submodule "a"]\n\tpath = vendor/fast-text\n\turl = ../a\n[submodule "b"]\n\tpath = there\n\turl = ../b\n';
  await writeFile(join(folder.path, '.gitmodules'), list);
  await mkdir(join(folder.path, 'vendor', 'fast-text'), { recursive: true });
  await mkdir(join(folder.path, 'there'));
  await writeFile(join(folder.path, 'there', 'x.py'), '');
  const explained = await explainMissingContent(
    failed("ModuleNotFoundError: No module named 'fast_text'"),
    folder.path,
    signal,
  );
  expect(explained).toMatchObject({
    code: 'repository_content_missing',
    message: 'the submodule vendor/fast-text is not part of the copy',
  });
  expect(explained.hint).toContain('git submodule update --init');
  for (const other of ['there', 'numpy']) {
    const error = failed(`ModuleNotFoundError: No module named '${other}'`);
    expect(await explainMissingContent(error, folder.path, signal)).toBe(error);
  }
});
