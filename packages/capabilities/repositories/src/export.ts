import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AssayError, errorCode } from '@assay/foundation';
import { copyFolder } from './copy-folder.ts';
import { exportCommit } from './export-commit.ts';
import type { Credential } from './git/git-environment.ts';
import { openGit } from './git/git.ts';
import { noChanges, workingTreeChanges } from './git/working-tree.ts';
import { noCode } from './inspect.ts';
import { deadlineIn, defaultLimits, type Deadline, type TreeLimits } from './limits.ts';
import { folderWithin } from './locate.ts';
import { exportPackage } from './package/export-package.ts';
import type { PackageIndex } from './package/find-package.ts';
import type { ExportedRepository, RepositoryRef, SkippedEntry, WorkingTreeChanges } from './repository.ts';
import { tidyTree, type TidyResult } from './tidy-tree.ts';

export interface ExportOptions {
  /** Folder of the bare repositories that commits are fetched into; made when missing. */
  readonly cacheDir: string;
  readonly signal: AbortSignal;
  /** For the whole export; 45 when left out. */
  readonly timeoutSeconds?: number;
  readonly limits?: TreeLimits;
  /** What all cached repositories together may hold; 10 GiB when left out. */
  readonly cacheBytes?: number;
  /** For a private repository behind https. */
  readonly credential?: Credential | undefined;
  /** How packages are asked for; without it a package cannot be exported. */
  readonly packages?: PackageIndex | undefined;
  /** Receives lines of progress. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

const CACHE_BYTES = 10 * 1024 ** 3;

/** What was written to the staging folder, before it is tidied. */
export interface Written {
  readonly commit: string | null;
  readonly skipped: readonly SkippedEntry[];
  readonly submodules: readonly string[];
  readonly notes: readonly string[];
  readonly changes: (tidy: TidyResult) => Promise<WorkingTreeChanges>;
}

/** What one export works with. */
export interface ExportJob {
  readonly ref: RepositoryRef;
  readonly staging: string;
  readonly deadline: Deadline;
  readonly limits: TreeLimits;
  readonly cacheBytes: number;
  readonly options: ExportOptions;
}

/**
 * Writes a tree of our own to `targetDir`, which must be missing or empty: the commit of a git repository, the files of
 * a package, or a copy of a plain folder. It appears complete or not at all. A `.scholar` of the repository's own is left
 * out, because a benchmark writes there. Throws what `inspectRepository` throws, and `repository_changed`.
 */
export async function exportRepository(
  ref: RepositoryRef,
  targetDir: string,
  options: ExportOptions,
): Promise<ExportedRepository> {
  await requireEmpty(targetDir);
  const deadline = deadlineIn(options.timeoutSeconds ?? 45, `the export of ${ref.given}`);
  await mkdir(dirname(targetDir), { recursive: true });
  const staging = await mkdtemp(`${targetDir}.partial-`);
  const { limits = defaultLimits, cacheBytes = CACHE_BYTES } = options;
  try {
    return await fill({ ref, staging, deadline, limits, cacheBytes, options }, targetDir);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function requireEmpty(targetDir: string): Promise<void> {
  try {
    if ((await readdir(targetDir)).length > 0) throw new Error(`${targetDir} is not empty`);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

async function fill(job: ExportJob, targetDir: string): Promise<ExportedRepository> {
  if (job.ref.kind === 'package') return await finish(job, targetDir, await exportPackage(job));
  if (job.ref.commit === null) return await finish(job, targetDir, await copyPlainFolder(job, []));
  const { remote } = job.ref;
  const { credential } = job.options;
  await using git = await openGit(
    remote === null ? undefined : { transport: remote.transport, host: remote.host, credential },
  );
  await using exported = await exportCommit(git, job);
  const { cached, call } = exported;
  if (exported.written !== null) {
    const changes = (tidy: TidyResult) => {
      const ignore = new Set(tidy.largeFilePointers.map((path) => join(job.ref.subfolder, path)));
      return workingTreeChanges(git, job.ref, { cached, ignore, call: call() });
    };
    return await finish(job, targetDir, { ...exported.written, changes });
  }
  if (job.ref.bare) throw noSubfolder(job.ref, exported.folders);
  const { root, subfolder } = job.ref;
  const note = `${subfolder} is not part of commit ${cached.commit.slice(0, 12)} of ${root}: the folder was copied as it stands`;
  return await finish(job, targetDir, await copyPlainFolder(job, [note]));
}

async function copyPlainFolder(job: ExportJob, notes: readonly string[]): Promise<Written> {
  const { ref, staging, limits, options, deadline } = job;
  const source = ref.subfolder === '' ? ref.root : await folderWithin(ref.root, ref.subfolder);
  const skipped = await copyFolder(source, staging, { ...limits, signal: options.signal, checkTime: deadline.check });
  return { commit: null, skipped, submodules: [], notes, changes: () => Promise.resolve(noChanges) };
}

async function finish(job: ExportJob, targetDir: string, written: Written): Promise<ExportedRepository> {
  const { ref, staging, options } = job;
  const tidy = await tidyTree(staging, options.signal);
  if (tidy.codeFiles === 0) throw noCode(ref.given, tidy.examples, tidy.files);
  const changes = await written.changes(tidy);
  await mkdir(join(staging, '.scholar', 'benchmark'), { recursive: true });
  await mkdir(join(staging, '.scholar', 'uploads'));
  await rename(staging, targetDir);
  const { submodules } = written;
  const notes = [...ref.notes, ...written.notes, ...submoduleNotes(submodules), ...changeNotes(changes)];
  return {
    ref,
    path: targetDir,
    commit: written.commit,
    dirty: changes.modified + changes.untracked > 0,
    changes,
    skipped: [...written.skipped, ...tidy.skipped],
    files: tidy.files,
    bytes: tidy.bytes,
    submodules,
    largeFilePointers: tidy.largeFilePointers,
    notes: [...notes, ...pointerNotes(tidy)],
  };
}

function noSubfolder({ root, subfolder, commit }: RepositoryRef, folders: readonly string[]): AssayError {
  return new AssayError('repository_missing', `${root} has no folder ${subfolder}`, {
    why: folders.length === 0 ? `commit ${commit} has no folders` : `nearest at that commit: ${folders.join(', ')}`,
    hint: 'write the folder from the top of the repository, such as packages/model',
    details: { subfolder, folders },
  });
}

function submoduleNotes(submodules: readonly string[]): string[] {
  return submodules.length === 0 ? [] : [`submodules are not fetched: ${submodules.slice(0, 10).join(', ')}`];
}

function changeNotes(changes: WorkingTreeChanges): string[] {
  if (changes.modified + changes.untracked === 0) return [];
  const examples = changes.examples.slice(0, 5).join(', ');
  return [
    `the commit was exported; not in it: ${changes.modified} changed and ${changes.untracked} untracked files (${examples})`,
  ];
}

function pointerNotes(tidy: TidyResult): string[] {
  const { largeFilePointers: pointers } = tidy;
  if (pointers.length === 0) return [];
  return [`${pointers.length} files are Git LFS pointers without their content: ${pointers.slice(0, 5).join(', ')}`];
}
