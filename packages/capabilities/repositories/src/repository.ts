import type { GitAddress } from './source/address.ts';
import type { PackageFile } from './package/find-package.ts';

/** A repository that a person named, found and pinned to a commit or a file; nothing has been copied yet. */
export interface RepositoryRef {
  readonly kind: 'git' | 'folder' | 'package';
  /** The path or address as it was given; it holds no password. */
  readonly given: string;
  /** Real path of the working tree's top, of the bare repository, or of the plain folder; else the address. */
  readonly root: string;
  /** The part that was asked for, relative to `root` with `/`; empty for the whole. */
  readonly subfolder: string;
  /** True when there is no working tree of a person. */
  readonly bare: boolean;
  /** Where git fetches from; null for what is on this machine. */
  readonly remote: GitAddress | null;
  /** The file of the package index; null for everything else. */
  readonly package: PackageFile | null;
  /** Full object id of the commit; null for a plain folder. */
  readonly commit: string | null;
  /** The branch or tag that named the commit, such as `refs/heads/main`; null for a plain folder or an object id. */
  readonly refName: string | null;
  /** What a person should know about how the path was read. */
  readonly notes: readonly string[];
}

/** A tree of our own, without `.git`, with `.scholar/benchmark` and `.scholar/uploads` made. */
export interface ExportedRepository {
  readonly ref: RepositoryRef;
  /** Absolute path of the exported tree. */
  readonly path: string;
  /** The commit that was exported; null when a folder was copied as it stood. */
  readonly commit: string | null;
  /** True when the working tree differed from the commit; what differed was not exported. */
  readonly dirty: boolean;
  readonly changes: WorkingTreeChanges;
  /** What the source held and the export does not, with the reason. */
  readonly skipped: readonly SkippedEntry[];
  readonly files: number;
  readonly bytes: number;
  /** Folders that stand for other repositories, which are not fetched. */
  readonly submodules: readonly string[];
  /** Files that stand for content in Git LFS, which is not fetched. */
  readonly largeFilePointers: readonly string[];
  readonly notes: readonly string[];
}

export interface WorkingTreeChanges {
  /** Tracked files that differ from the commit. */
  readonly modified: number;
  readonly untracked: number;
  /** At most 20 paths. */
  readonly examples: readonly string[];
}

export const skipReasons = [
  'link_outside',
  'link_broken',
  'special_file',
  'git_data',
  'reserved_name',
  'virtual_environment',
  'bytecode',
  'unreadable',
  'archive_link',
  'name_not_utf8',
] as const;
export type SkipReason = (typeof skipReasons)[number];

export interface SkippedEntry {
  readonly path: string;
  readonly reason: SkipReason;
}
