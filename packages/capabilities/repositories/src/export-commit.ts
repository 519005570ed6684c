import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportJob, Written } from './export.ts';
import { openCommit, type CachedCommit } from './git/commit-cache.ts';
import type { Git, GitCall } from './git/git.ts';
import { localSource, remoteSource, type GitSource } from './git/git-source.ts';
import { tooLarge } from './limits.ts';
import { nearNames } from './near-names.ts';

/** A commit whose files were written; its cache stays until this is disposed. */
export interface ExportedCommit extends AsyncDisposable {
  readonly cached: CachedCommit;
  readonly call: () => GitCall;
  /** Null when the commit does not hold the folder that was asked for. */
  readonly written: Omit<Written, 'changes'> | null;
  /** The folders of the commit with the nearest names, when it does not hold the one that was asked for. */
  readonly folders: readonly string[];
}

/** Fetches the commit into the cache and writes its files to the staging folder, with a private index. */
export async function exportCommit(git: Git, job: ExportJob): Promise<ExportedCommit> {
  const { ref, options, limits, cacheBytes } = job;
  const source = ref.remote === null ? localSource(ref.root) : remoteSource(ref.remote, options.credential?.name);
  const call = callOf(job);
  const { cacheDir } = options;
  const wanted = { source, commit: ref.commit!, refName: ref.refName };
  const cached = await openCommit(git, wanted, { cacheDir, cacheBytes, maxBytes: limits.maxBytes, call });
  try {
    const commit = new CommitExport(git, cached, { job, source, call });
    const has = await commit.holdsSubfolder();
    const written = has ? await commit.write() : null;
    const folders = has ? [] : await commit.foldersNear();
    return { cached, call, written, folders, [Symbol.asyncDispose]: () => cached[Symbol.asyncDispose]() };
  } catch (error) {
    await cached[Symbol.asyncDispose]();
    throw error;
  }
}

/** Each call gets what is left of the time; progress is told at most once a second. */
function callOf({ deadline, options }: ExportJob): () => GitCall {
  const { signal, onProgress } = options;
  return () => {
    deadline.check();
    const timeoutMs = Math.max(1, deadline.remainingMs());
    return { signal, timeoutMs, ...(onProgress === undefined ? {} : { onProgress }) };
  };
}

interface Context {
  readonly job: ExportJob;
  readonly source: GitSource;
  readonly call: () => GitCall;
}

class CommitExport {
  readonly #git: Git;
  readonly #cached: CachedCommit;
  readonly #context: Context;

  constructor(git: Git, cached: CachedCommit, context: Context) {
    this.#git = git;
    this.#cached = cached;
    this.#context = context;
  }

  async holdsSubfolder(): Promise<boolean> {
    if (this.#context.job.ref.subfolder === '') return true;
    const type = await this.#run('cat-file', '-t', this.#tree());
    return type.ok && type.stdout.trim() === 'tree';
  }

  async foldersNear(): Promise<string[]> {
    const { subfolder } = this.#context.job.ref;
    const listing = await this.#must('ls-tree', '-r', '-d', '--name-only', '-z', this.#cached.commit);
    return nearNames(
      subfolder,
      listing.split('\0').filter((name) => name !== ''),
      5,
    );
  }

  async write(): Promise<Omit<Written, 'changes'>> {
    const { job, source, call } = this.#context;
    const submodules = await this.#checkSize();
    const scratch = await mkdtemp(join(this.#cached.gitDir, 'index-'));
    try {
      const env = { GIT_INDEX_FILE: join(scratch, 'index') };
      const base = ['--git-dir', this.#cached.gitDir, '--work-tree', job.staging];
      for (const args of [
        ['read-tree', this.#tree()],
        ['checkout-index', '--all', '--quiet', `--prefix=${job.staging}/`],
      ]) {
        const result = await this.#git.run([...base, ...args], { ...call(), cwd: job.staging, env });
        if (!result.ok) throw source.failure(result.stderr);
      }
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
    return { commit: this.#cached.commit, skipped: [], submodules, notes: this.#cacheNotes() };
  }

  #cacheNotes(): string[] {
    const { source } = this.#context;
    const { came, commit } = this.#cached;
    if (!source.isRemote) return [];
    if (came === 'from_cache')
      return [`commit ${commit.slice(0, 12)} was taken from the cache; ${source.shown} was not asked for its files`];
    if (came === 'fetched_with_history')
      return [`${source.shown} does not serve single commits: its whole history was fetched`];
    return [];
  }

  /** Asked before anything is written; gives the submodules. */
  async #checkSize(): Promise<string[]> {
    const { job } = this.#context;
    const listing = (await this.#must('ls-tree', '-r', '-l', '-z', this.#tree())).split('\0');
    const submodules: string[] = [];
    let files = 0;
    let bytes = 0;
    for (const line of listing) {
      if (line === '') continue;
      files += 1;
      const [facts = '', ...path] = line.split('\t');
      const [, type, , size = '0'] = facts.split(/ +/);
      if (type === 'commit') submodules.push(path.join('\t'));
      else bytes += Number(size);
    }
    if (files > job.limits.maxFiles || bytes > job.limits.maxBytes) throw tooLarge(job.ref.given, job.limits);
    return submodules;
  }

  #tree(): string {
    const { subfolder } = this.#context.job.ref;
    return subfolder === '' ? this.#cached.commit : `${this.#cached.commit}:${subfolder}`;
  }

  #run(...args: string[]) {
    return this.#git.run(['--git-dir', this.#cached.gitDir, ...args], this.#context.call());
  }

  async #must(...args: string[]): Promise<string> {
    const result = await this.#run(...args);
    if (!result.ok) throw this.#context.source.failure(result.stderr);
    return result.stdout;
  }
}
