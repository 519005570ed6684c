import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Files = Readonly<Record<string, string | Buffer>>;

/** An environment in which the test's own git commands are reproducible. */
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};

export function git(folder: string, ...args: string[]): string {
  const all = ['-c', 'init.defaultBranch=main', '-c', 'protocol.file.allow=always', ...args];
  return execFileSync('git', all, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

export function gitInput(folder: string, input: string | Buffer, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', input }).trim();
}

export function put(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** A working tree at `folder` with one commit of these files; gives the commit's id. */
export function commitFiles(folder: string, files: Files): string {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '--quiet');
  return commitMore(folder, files);
}

export function commitMore(folder: string, files: Files): string {
  put(folder, files);
  git(folder, 'add', '--all', '--force');
  git(folder, 'commit', '--quiet', '--message', 'files');
  return git(folder, 'rev-parse', 'HEAD');
}
