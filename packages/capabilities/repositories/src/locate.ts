import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { AssayError, errorCode } from '@assay/foundation';

/** What stands at a path: a git working tree or bare repository around it, or only a folder. */
export interface Location {
  readonly kind: 'git' | 'folder';
  readonly root: string;
  readonly subfolder: string;
  readonly bare: boolean;
}

/**
 * Looks at the path and the folders above it, without running git. Throws `repository_unsupported` for a `.git` that
 * leads into a repository which does not know this folder; `repository_missing` when nothing is there.
 */
export async function locate(given: string): Promise<Location> {
  const path = await existingFolder(given);
  for (let folder = path; ; folder = dirname(folder)) {
    const kind = await gitKind(folder);
    if (kind !== undefined)
      return { kind: 'git', root: folder, subfolder: relative(folder, path), bare: kind === 'bare' };
    if (dirname(folder) === folder) return { kind: 'folder', root: path, subfolder: '', bare: false };
  }
}

async function existingFolder(given: string): Promise<string> {
  const absolute = resolve(given);
  try {
    const real = await realpath(absolute);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR')
      throw new AssayError('repository_missing', `there is no folder ${absolute}`, {
        why: 'the path of the repository does not exist',
        hint: 'check the spelling; a relative path counts from the current folder',
        details: { path: absolute },
      });
    if (errorCode(error) === 'ELOOP' || errorCode(error) === 'EACCES')
      throw new AssayError('repository_missing', `${absolute} cannot be read`, {
        why: errorCode(error) === 'ELOOP' ? 'the path is a link to itself' : 'this user may not open it',
        hint: 'give a folder that this user can read',
        details: { path: absolute },
      });
    throw error;
  }
  throw new AssayError('repository_missing', `${absolute} is a file, not a folder`, {
    why: 'a repository is a folder of code',
    hint: `give the folder that holds it: ${dirname(absolute)}`,
    details: { path: absolute },
  });
}

/** The real path of a folder below `top`. Throws `repository_missing`, also when a link leads out. */
export async function folderWithin(top: string, within: string): Promise<string> {
  const path = await existingFolder(join(top, within));
  const inside = relative(top, path);
  if (!inside.startsWith('..') && !isAbsolute(inside)) return path;
  throw new AssayError('repository_missing', `${within} is not a folder inside ${top}`, {
    why: `it is a link to ${path}`,
    hint: 'give that folder itself as the repository',
    details: { path },
  });
}

async function gitKind(folder: string): Promise<'working_tree' | 'bare' | undefined> {
  const dotGit = join(folder, '.git');
  const found = await lstat(dotGit).catch(() => undefined);
  if (found?.isFile() || found?.isSymbolicLink()) {
    await refuseForeignGitDir(folder, dotGit);
    return 'working_tree';
  }
  if (found?.isDirectory() && (await isGitDir(dotGit))) {
    await refuseRedirection(folder, dotGit);
    return 'working_tree';
  }
  if (!(await isGitDir(folder))) return undefined;
  await refuseRedirection(folder, folder);
  return 'bare';
}

async function isGitDir(folder: string): Promise<boolean> {
  const parts = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) => stat(join(folder, name)).catch(() => null)),
  );
  const [head, objects, refs] = parts;
  return head?.isFile() === true && objects?.isDirectory() === true && refs?.isDirectory() === true;
}

/** `commondir` in a main repository would serve another repository's objects and configuration under this name. */
async function refuseRedirection(folder: string, gitDir: string): Promise<void> {
  if ((await lstat(join(gitDir, 'commondir')).catch(() => undefined)) === undefined) return;
  throw foreign(folder, 'its .git names another repository as its common directory');
}

/**
 * A `.git` file or link is honest when the repository it leads to points back here: linked worktrees do so with their
 * `gitdir` file, submodules with `core.worktree`. Otherwise it could publish any repository of this machine.
 */
async function refuseForeignGitDir(folder: string, dotGit: string): Promise<void> {
  const target = await gitDirTarget(dotGit);
  if (target === undefined) throw foreign(folder, 'its .git does not lead to a repository');
  const inside = relative(folder, target);
  if (inside !== '' && !inside.startsWith('..') && !isAbsolute(inside)) return;
  const backLinks = [
    await readFile(join(target, 'gitdir'), 'utf8').catch(() => undefined),
    worktreeOf(await readFile(join(target, 'config'), 'utf8').catch(() => '')),
  ];
  for (const link of backLinks) {
    if (link === undefined) continue;
    const real = await realpath(resolve(target, link.trim())).catch(() => undefined);
    if (real === folder || real === dotGit) return;
  }
  throw foreign(folder, `its .git leads to ${target}, which does not know this folder`);
}

async function gitDirTarget(dotGit: string): Promise<string | undefined> {
  const entry = await lstat(dotGit);
  if (entry.isSymbolicLink()) return realpath(dotGit).catch(() => undefined);
  if (entry.size > 4096) return undefined;
  const path = /^gitdir: (.+?)\s*$/.exec(await readFile(dotGit, 'utf8'))?.[1];
  return path === undefined ? undefined : realpath(resolve(dirname(dotGit), path)).catch(() => undefined);
}

function worktreeOf(config: string): string | undefined {
  return /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/m.exec(config)?.[1];
}

function foreign(folder: string, why: string): AssayError {
  return new AssayError('repository_unsupported', `${folder} is not a repository of its own`, {
    why,
    hint: 'clone it (git clone <folder> my-copy) or copy its files to a plain folder, and give that',
    details: { path: folder },
  });
}
