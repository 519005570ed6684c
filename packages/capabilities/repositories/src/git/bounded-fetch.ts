import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError } from '@assay/foundation';
import type { Git, GitCall } from './git.ts';
import type { GitSource } from './git-source.ts';

const LOOK_MS = 500;
/** Git's own progress; anything else on that channel is the server's text. */
const PROGRESS = /^((remote: )?(Enumerating|Counting|Compressing) objects|Receiving objects|Resolving deltas): /;

/**
 * Fetches refspecs of a source into a bare repository of ours, and ends git once more than `maxBytes` arrived
 * (`repository_too_large`). Gives git's words when it failed, else undefined.
 */
export async function boundedFetch(
  git: Git,
  gitDir: string,
  fetch: {
    readonly source: GitSource;
    readonly options: readonly string[];
    readonly refspecs: readonly string[];
    readonly maxBytes: number;
    readonly call: GitCall;
  },
): Promise<string | undefined> {
  const { source, maxBytes, call } = fetch;
  const tooMuch = new AbortController();
  const before = await packBytes(gitDir);
  const stopWhenTooMuch = async () => {
    if ((await packBytes(gitDir)) - before > maxBytes) tooMuch.abort(tooBig(source, maxBytes));
  };
  const watch = setInterval(() => {
    void stopWhenTooMuch();
  }, LOOK_MS);
  try {
    const always = ['--no-tags', '--no-recurse-submodules', '--no-auto-gc', '--no-write-fetch-head'];
    const progress = call.onProgress === undefined ? ['--quiet'] : ['--progress'];
    const { onProgress, ...quiet } = call;
    const tell = (line: string) => (PROGRESS.test(line) ? onProgress?.(line) : undefined);
    const result = await git.run(
      ['--git-dir', gitDir, 'fetch', ...progress, ...always, ...fetch.options, '--', source.url, ...fetch.refspecs],
      {
        ...quiet,
        signal: AbortSignal.any([call.signal, tooMuch.signal]),
        ...(onProgress === undefined ? {} : { onProgress: tell }),
      },
    );
    return result.ok ? undefined : result.stderr;
  } finally {
    clearInterval(watch);
  }
}

async function packBytes(gitDir: string): Promise<number> {
  const folder = join(gitDir, 'objects', 'pack');
  let bytes = 0;
  for (const name of await readdir(folder).catch(() => []))
    bytes += (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0;
  return bytes;
}

function tooBig({ shown }: GitSource, maxBytes: number): AssayError {
  return new AssayError('repository_too_large', `${shown} is too large to fetch`, {
    why: `more than ${(maxBytes / 1024 ** 3).toFixed(1)} GiB came for one commit`,
    hint: 'clone the part you need by hand, and give that folder; data sets belong outside the repository',
    details: { maxBytes },
  });
}
