import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { AssayError, errorCode } from '@assay/foundation';
import { tooLarge, type TreeLimits } from '../limits.ts';
import type { SkippedEntry, SkipReason } from '../repository.ts';

const MOST_SKIPPED = 1_000;
const MOST_FOLDERS = 1_000;
const DEEPEST = 100;

/**
 * Writes the files of an archive below one folder, and only there: names are taken apart, links and devices are never
 * made, and everything is counted while it is written, whatever the archive says of its sizes.
 */
export class TreeWriter {
  readonly skipped: SkippedEntry[] = [];
  readonly foldersSeen: string[] = [];
  files = 0;
  #bytes = 0;
  #entries = 0;
  readonly #root: string;
  readonly #options: {
    readonly limits: TreeLimits;
    readonly subfolder: string;
    readonly shown: string;
    readonly checkTime: () => void;
  };
  readonly #made = new Set<string>();

  constructor(
    root: string,
    options: {
      readonly limits: TreeLimits;
      /** Only what lies below it is written; empty for all. */
      readonly subfolder: string;
      readonly shown: string;
      readonly checkTime: () => void;
    },
  ) {
    this.#root = root;
    this.#options = options;
  }

  /**
   * Counts an entry, and says where it belongs: null when it is not wanted. `stripTop` takes away the folder that
   * everything in a source distribution lies in. Throws for names that lead out.
   */
  place(name: string, stripTop: boolean): string | null {
    this.#options.checkTime();
    if (++this.#entries > this.#options.limits.maxFiles) throw this.#tooLarge();
    const parts = safeParts(name, this.#options.shown).slice(stripTop ? 1 : 0);
    const wanted = this.#options.subfolder === '' ? [] : this.#options.subfolder.split('/');
    const folder = parts.slice(0, -1).join('/');
    if (folder !== '' && this.foldersSeen.length < MOST_FOLDERS && !this.foldersSeen.includes(folder))
      this.foldersSeen.push(folder);
    if (wanted.some((part, at) => parts[at] !== part)) return null;
    const inner = parts.slice(wanted.length);
    return inner.length === 0 ? null : inner.join('/');
  }

  skip(path: string, reason: SkipReason): void {
    if (this.skipped.length < MOST_SKIPPED) this.skipped.push({ path, reason });
  }

  /** A later file of the same name takes the place of an earlier one, as in the archive. */
  async file(path: string, content: Readable, executable: boolean): Promise<void> {
    const target = join(this.#root, path);
    await this.#folder(dirname(target));
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
    try {
      const file = await open(target, flags, executable ? 0o755 : 0o644);
      try {
        for await (const chunk of content as AsyncIterable<Buffer>) {
          this.#bytes += chunk.length;
          if (this.#bytes > this.#options.limits.maxBytes) throw this.#tooLarge();
          await file.writeFile(chunk);
          this.#options.checkTime();
        }
      } finally {
        await file.close();
      }
      this.files += 1;
    } catch (error) {
      throw this.#nameClash(error, path);
    }
  }

  async #folder(path: string): Promise<void> {
    if (this.#made.has(path)) return;
    try {
      await mkdir(path, { recursive: true });
    } catch (error) {
      throw this.#nameClash(error, path);
    }
    this.#made.add(path);
  }

  #nameClash(error: unknown, path: string): unknown {
    const code = errorCode(error);
    if (code !== 'EISDIR' && code !== 'ENOTDIR' && code !== 'EEXIST' && code !== 'ENAMETOOLONG') return error;
    return damaged(
      this.#options.shown,
      `"${path.slice(-200)}" is both a file and a folder in it, or its name is too long`,
    );
  }

  #tooLarge(): AssayError {
    return tooLarge(this.#options.shown, this.#options.limits);
  }
}

function safeParts(name: string, shown: string): string[] {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  const isBad = name.startsWith('/') || parts.includes('..') || name.includes('\0') || name.includes('\\');
  if (isBad || /^[a-z]:/i.test(name)) throw damaged(shown, `its entry "${name.slice(0, 200)}" leads out of the folder`);
  if (parts.length > DEEPEST) throw damaged(shown, `it holds more than ${DEEPEST} folders inside each other`);
  return parts;
}

/** An archive that is broken or made to do harm. */
export function damaged(shown: string, why: string): AssayError {
  return new AssayError('repository_unreadable', `the archive of ${shown} cannot be unpacked`, {
    why,
    hint: 'name another version, or give the git repository of the project',
  });
}
