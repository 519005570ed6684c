import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { fingerprintTree, repoManifest } from '../src/index.ts';
import { exportOf } from './support/export-of.ts';
import { commitFiles, put } from './support/git-repository.ts';

const signal = AbortSignal.timeout(120_000);
const mit = 'Permission is hereby granted, free of charge, to any person … to whom the Software is furnished to do so';

describe('the manifest of a repository', () => {
  it('describes a git repository', async () => {
    verifies('repository.manifest');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    const commit = commitFiles(repo, {
      LICENSE: mit,
      'requirements.txt': 'numpy\n',
      'pkg/__init__.py': '',
      'pkg/model.py': 'import numpy\n\nclass M:\n    def predict(self, x): pass\n',
      'main.py': 'if __name__ == "__main__":\n    pass\n',
      'tests/test_model.py': 'import pytest\n\ndef predict(): pass\n',
      'tool.js': 'x\n',
      'a/b/c/requirements.txt': '',
    });
    put(repo, { 'main.py': 'changed\n' });
    const exported = await exportOf(repo, folder.path);
    const manifest = await repoManifest(exported, { signal });
    expect(manifest).toEqual({
      v: 1,
      path: repo,
      source: { kind: 'git' },
      subfolder: '',
      commit,
      refName: 'refs/heads/main',
      dirty: true,
      changes: { modified: 1, untracked: 0, examples: ['main.py'] },
      license: { spdx: 'MIT', file: 'LICENSE' },
      languages: { Python: 125, JavaScript: 2 },
      dependencyFiles: ['requirements.txt'],
      needsDependencies: true,
      thirdPartyImports: [
        { module: 'numpy', isRequired: true, files: ['pkg/model.py'] },
        { module: 'pytest', isRequired: false, files: ['tests/test_model.py'] },
      ],
      entryPointCandidates: [
        { path: 'main.py', score: 60, reasons: ['+50 is named like a program', '+10 runs as a program'] },
        { path: 'pkg/model.py', score: 45, reasons: ['+20 is named like a model', '+25 defines predict'] },
        {
          path: 'tests/test_model.py',
          score: 25,
          reasons: ['+20 is named like a model', '-20 looks like a test, an example or a demo', '+25 defines predict'],
        },
      ],
      submodules: [],
      largeFilePointers: [],
      files: 8,
      bytes: (await fingerprintTree(exported.path)).bytes,
      fingerprint: (await fingerprintTree(exported.path)).sha256,
      warnings: ['the commit was exported; not in it: 1 changed and 0 untracked files (main.py)'],
    });
  });

  it('warns of what was left out and of a missing licence', async () => {
    verifies('repository.manifest');
    await using folder = await temporaryFolder();
    const repo = join(folder.path, 'repo');
    put(repo, { 'model.py': 'import os\n', '.git/x': '', '.scholar/y': '' });
    const manifest = await repoManifest(await exportOf(repo, folder.path), { signal });
    expect(manifest.needsDependencies).toBe(false);
    expect(manifest.license).toBeNull();
    expect(manifest.warnings).toEqual([
      'a plain folder: the result is bound to its content by fingerprint, not to a commit',
      'left out (git data): .git',
      'left out (reserved name): .scholar',
      'no licence was recognised: check whether its results may be published',
    ]);
  });
});
