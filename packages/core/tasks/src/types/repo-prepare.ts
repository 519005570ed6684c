import { join, relative } from 'node:path';
import { exportRepository, repoManifest, type RepositoryRef } from '@assay/repositories';
import { repositoryAccess } from '../repository-access.ts';
import type { TaskType } from '../task-type.ts';

/** Exports the repository into the attempt's own directory; the user's folder is never mounted and never written. */
export const repoPrepare: TaskType = {
  type: 'repo_prepare',
  codeVersion: 2,
  async run(context) {
    const { input, attemptDir, paths, settings, signal, log } = context;
    const ref = (await input('repo_url')).value as RepositoryRef;
    const workspace = join(attemptDir, 'workspace');
    const exported = await exportRepository(ref, workspace, {
      ...(await repositoryAccess(context, ref.given)),
      cacheDir: join(settings.cacheDir, 'repos'),
      cacheBytes: settings.repositories.cacheBytes,
    });
    const manifest = await repoManifest(exported, { signal });
    for (const warning of manifest.warnings) log('warn', warning);
    return {
      outputs: {
        workspace_path: {
          type: 'path',
          value: { path: relative(paths.root, workspace), fingerprint: manifest.fingerprint },
        },
        repo_manifest: { type: 'repo_manifest', value: manifest },
        reproduction_mode_report: {
          type: 'json',
          value: { mode: 'smoke', why: 'a benchmark on your data claims nothing about results of a paper' },
        },
      },
      summary: `${manifest.files} files, ${manifest.license?.spdx ?? 'no licence recognised'}${exported.commit === null ? '' : `, commit ${exported.commit.slice(0, 12)}`}`,
    };
  },
};
