import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '@assay/foundation';
import { fetchCommit, type CachedCommit } from './commit-cache.ts';
import { copyFolder } from './copy-folder.ts';
import { openGit, type Git, type GitCall } from './git.ts';
import { noCode } from './inspect.ts';
import { deadlineIn, defaultLimits, tooLarge, type Deadline, type TreeLimits } from './limits.ts';
import type { ExportedRepository, RepositoryRef, SkippedEntry, WorkingTreeChanges } from './repository.ts';
import { unreadable } from './resolve-ref.ts';
import { tidyTree, type TidyResult } from './tidy-tree.ts';
import { noChanges, workingTreeChanges } from './working-tree.ts';

export interface ExportOptions {
  /** Folder of the bare repositories that commits are fetched into; made when missing. */
  readonly cacheDir: string;
  readonly signal: AbortSignal;
  /** For the whole export; 45 when left out. */
  readonly timeoutSeconds?: number;
  readonly limits?: TreeLimits;
}

interface Written {
  readonly commit: string | null;
  readonly skipped: readonly SkippedEntry[];
  readonly notes: readonly string[];
  readonly changes: (tidy: TidyResult) => Promise<WorkingTreeChanges>;
}

/**
 * Writes a tree of our own to `targetDir`, which must be missing or empty: the commit of a git repository, or a copy of
 * a plain folder. It appears complete or not at all. A `.scholar` of the repository's own is left out, because a
 * benchmark writes there. Throws `repository_no_code`, `repository_too_large`, `repository_unreadable`,
 * `repository_changed`, `repository_missing` (no such commit), `task_timeout`.
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
  try {
    await using git = await openGit();
    const job = new ExportJob(git, ref, { staging, deadline, options });
    const written = await job.write();
    const tidy = await tidyTree(staging, options.signal);
    if (tidy.codeFiles === 0) throw noCode(ref.given, tidy.examples, tidy.files);
    const changes = await written.changes(tidy);
    await mkdir(join(staging, '.scholar', 'benchmark'), { recursive: true });
    await mkdir(join(staging, '.scholar', 'uploads'));
    await rename(staging, targetDir);
    return {
      ref,
      path: targetDir,
      commit: written.commit,
      dirty: changes.modified + changes.untracked > 0,
      changes,
      skipped: [...written.skipped, ...tidy.skipped],
      files: tidy.files,
      bytes: tidy.bytes,
      notes: [...ref.notes, ...written.notes, ...changeNotes(changes), ...pointerNotes(tidy)],
    };
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

/** The way of one export from the source to the staging folder. */
class ExportJob {
  readonly #git: Git;
  readonly #ref: RepositoryRef;
  readonly #staging: string;
  readonly #deadline: Deadline;
  readonly #options: ExportOptions;

  constructor(
    git: Git,
    ref: RepositoryRef,
    context: { readonly staging: string; readonly deadline: Deadline; readonly options: ExportOptions },
  ) {
    this.#git = git;
    this.#ref = ref;
    this.#staging = context.staging;
    this.#deadline = context.deadline;
    this.#options = context.options;
  }

  async write(): Promise<Written> {
    if (this.#ref.commit === null) return this.#writeFolder([]);
    const source = { root: this.#ref.root, commit: this.#ref.commit };
    const { cacheDir } = this.#options;
    const cached = await fetchCommit(this.#git, source, { cacheDir, call: this.#call() });
    if (await this.#holdsSubfolder(cached)) return this.#writeCommit(cached);
    return this.#writeFolder([
      `${this.#ref.subfolder} is not part of commit ${cached.commit.slice(0, 12)} of ${this.#ref.root}: the folder was copied as it stands`,
    ]);
  }

  async #writeFolder(notes: readonly string[]): Promise<Written> {
    const { signal, limits } = this.#options;
    const skipped = await copyFolder(join(this.#ref.root, this.#ref.subfolder), this.#staging, {
      ...(limits ?? defaultLimits),
      signal,
      checkTime: this.#deadline.check,
    });
    return { commit: null, skipped, notes, changes: () => Promise.resolve(noChanges) };
  }

  async #writeCommit(cached: CachedCommit): Promise<Written> {
    const { submodules } = await this.#checkSize(cached);
    const scratch = await mkdtemp(join(cached.gitDir, 'index-'));
    try {
      const call = { ...this.#call(), cwd: this.#staging, env: { GIT_INDEX_FILE: join(scratch, 'index') } };
      const base = ['--git-dir', cached.gitDir, '--work-tree', this.#staging];
      await this.#must([...base, 'read-tree', this.#treeOf(cached)], call);
      await this.#must([...base, 'checkout-index', '--all', '--quiet', `--prefix=${this.#staging}/`], call);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
    const changes = (tidy: TidyResult) => {
      const ignore = new Set(tidy.largeFilePointers.map((path) => join(this.#ref.subfolder, path)));
      return workingTreeChanges(this.#git, this.#ref, { cached, ignore, call: this.#call() });
    };
    const notes = submodules.length === 0 ? [] : [`submodules are not fetched: ${submodules.slice(0, 10).join(', ')}`];
    return { commit: cached.commit, skipped: [], notes, changes };
  }

  async #holdsSubfolder(cached: CachedCommit): Promise<boolean> {
    if (this.#ref.subfolder === '') return true;
    const type = await this.#git.run(
      ['--git-dir', cached.gitDir, 'cat-file', '-t', this.#treeOf(cached)],
      this.#call(),
    );
    return type.ok && type.stdout.trim() === 'tree';
  }

  /** Asked before anything is written. */
  async #checkSize(cached: CachedCommit): Promise<{ readonly submodules: readonly string[] }> {
    const limits = this.#options.limits ?? defaultLimits;
    const args = ['--git-dir', cached.gitDir, 'ls-tree', '-r', '-l', '-z', this.#treeOf(cached)];
    const listing = (await this.#must(args, this.#call())).split('\0').filter((line) => line !== '');
    const submodules: string[] = [];
    let bytes = 0;
    for (const line of listing) {
      const [facts = '', path = ''] = line.split('\t');
      const [, type, , size = '0'] = facts.split(/ +/);
      if (type === 'commit') submodules.push(path);
      else bytes += Number(size);
    }
    if (listing.length > limits.maxFiles || bytes > limits.maxBytes) throw tooLarge(this.#ref.given, limits);
    return { submodules };
  }

  #treeOf(cached: CachedCommit): string {
    return this.#ref.subfolder === '' ? cached.commit : `${cached.commit}:${this.#ref.subfolder}`;
  }

  #call(): GitCall {
    const { check, remainingMs } = this.#deadline;
    check();
    return { signal: this.#options.signal, timeoutMs: Math.max(1, remainingMs()) };
  }

  async #must(args: readonly string[], call: GitCall): Promise<string> {
    const result = await this.#git.run(args, call);
    if (!result.ok) throw unreadable(this.#ref.root, result.stderr);
    return result.stdout;
  }
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
