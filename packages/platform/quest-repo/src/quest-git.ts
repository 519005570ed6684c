import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Quest } from '@assay/contracts';
import { runGit } from './git.ts';
import { questPaths } from './quest-paths.ts';
import { writeQuestFile } from './quest-file.ts';

/** Makes the folder, the git repository and the first files of a quest. The caller makes it visible by its journal. */
export async function createQuestRepo(root: string, quest: Quest, signal?: AbortSignal): Promise<void> {
  const paths = questPaths(root);
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (const folder of [paths.events, paths.blobs, paths.sessions, paths.plans])
    await mkdir(folder, { recursive: true, mode: 0o700 });
  await runGit(['init', '--quiet', '--template='], { cwd: root, ...(signal ? { signal } : {}) });
  await writeQuestFile(paths.questFile, quest);
  await writeFile(join(root, 'brief.md'), `# ${quest.title}\n\n${quest.goal}\n`);
  await writeFile(join(root, '.gitignore'), '.assay/\n');
  await commitQuest({ root, message: `Open quest: ${quest.title}`, ...(signal ? { signal } : {}) });
}

export interface CommitOptions {
  readonly root: string;
  readonly message: string;
  readonly signal?: AbortSignal;
}

/** Commits everything that changed in the quest's own files. Resolves with the commit, or null when nothing changed. */
export async function commitQuest(options: CommitOptions): Promise<{ commit: string; files: number } | null> {
  const git = { cwd: options.root, ...(options.signal ? { signal: options.signal } : {}) };
  await runGit(['add', '--all'], git);
  const changed = await runGit(['diff', '--cached', '--name-only', '-z'], git);
  const files = changed.split('\0').filter((name) => name !== '').length;
  if (files === 0) return null;
  await runGit(['commit', '--quiet', '--no-verify', '--message', options.message], git);
  return { commit: (await runGit(['rev-parse', 'HEAD'], git)).trim(), files };
}
