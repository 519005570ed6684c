import { mkdir, readdir, rename, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { instant, sha256 } from '@assay/contracts';
import { errorCode, newId } from '@assay/foundation';
import { readJson, syncDirectory, writeJsonDurable } from '@assay/files';
import { fingerprintTree } from '@assay/repositories';
import type { PythonInterpreter } from '@assay/sandbox';
import {
  ENVIRONMENT_INSIDE,
  type LockedPackage,
  type EnvironmentReport,
  type PythonEnvironment,
} from './environment.ts';
import { removeTree } from './remove-tree.ts';
import { appearance } from './tree-appearance.ts';

const RECORD = 'environment.json';
const TREE = 'environment';
/** An interrupted build that nobody took up for so long is nobody's. */
const ABANDONED_MS = 24 * 3600 * 1000;
/** What was used so lately may be in use: plans take less. */
const IN_USE_MS = 2 * 3600 * 1000;

/** `environments/<id>/environment.json`: written when the tree is complete, as the last file. */
const recordSchema = z.object({
  v: z.literal(1),
  id: sha256,
  treeSha256: sha256,
  createdAt: instant,
  lock: z.array(z.custom<LockedPackage>((value) => typeof value === 'object' && value !== null)),
  report: z.custom<EnvironmentReport>((value) => typeof value === 'object' && value !== null),
});
type EnvironmentRecord = z.infer<typeof recordSchema>;

/** The complete environments of a home, and the folders in which new ones are built. */
export class EnvironmentStore {
  readonly #root: string;
  /** Trees whose hash was confirmed by this process, by what their files looked like then. */
  readonly #confirmed = new Map<string, string>();

  constructor(cacheDir: string) {
    this.#root = join(cacheDir, 'environments');
  }

  get root(): string {
    return this.#root;
  }

  /** Where the attempt `key` builds the environment `id`. */
  building(id: string, key: string): string {
    return join(this.#root, '.building', `${id.slice(0, 32)}-${key}`);
  }

  /** A complete, unchanged environment; a damaged one is removed. */
  async open(id: string, interpreter: PythonInterpreter, signal?: AbortSignal): Promise<PythonEnvironment | undefined> {
    const folder = join(this.#root, id);
    const record = await readRecord(folder);
    if (record === undefined || record.id !== id || !(await this.#isUnchanged(folder, record, signal))) {
      await this.#discard(folder);
      return undefined;
    }
    const now = new Date();
    await utimes(join(folder, RECORD), now, now);
    return environmentOf(folder, record, interpreter, true);
  }

  /** Makes a checked tree complete: record and rename. Replaces what stood there. */
  async publish(
    staging: string,
    record: Omit<EnvironmentRecord, 'v' | 'createdAt'>,
    interpreter: PythonInterpreter,
  ): Promise<PythonEnvironment> {
    const complete: EnvironmentRecord = { v: 1, ...record, createdAt: new Date().toISOString() };
    const ready = join(staging, 'complete');
    await mkdir(ready, { mode: 0o700 });
    await rename(join(staging, TREE), join(ready, TREE));
    await writeJsonDurable(join(ready, RECORD), complete);
    const folder = join(this.#root, record.id);
    await this.#discard(folder);
    await rename(ready, folder);
    await syncDirectory(this.#root);
    this.#confirmed.set(folder, await appearance(join(folder, TREE)));
    return environmentOf(folder, complete, interpreter, false);
  }

  /** Removes the oldest environments until the rest fits into `maxBytes`; what may be in use stays. */
  async evict(maxBytes: number, keep: string): Promise<readonly string[]> {
    const known = await Promise.all(
      (await namesIn(this.#root)).map(async (id) => {
        const folder = join(this.#root, id);
        const [record, used] = [await readRecord(folder), await stat(join(folder, RECORD)).catch(() => undefined)];
        return { id, bytes: record?.report.bytes ?? 0, usedAt: used?.mtimeMs ?? 0 };
      }),
    );
    const removed: string[] = [];
    let total = known.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { id, bytes, usedAt } of known.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= maxBytes) break;
      if (id === keep || Date.now() - usedAt < IN_USE_MS) continue;
      await this.#discard(join(this.#root, id));
      removed.push(id);
      total -= bytes;
    }
    return removed;
  }

  /** Removes what is left of other builds of `id`, and of all builds that were given up long ago. */
  async sweep(id: string, own: string): Promise<void> {
    const folder = join(this.#root, '.building');
    for (const name of await namesIn(folder)) {
      const path = join(folder, name);
      if (path === own) continue;
      const isOld = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0) > ABANDONED_MS;
      if (isOld || name.startsWith(id.slice(0, 32))) await removeTree(path);
    }
  }

  /** First out of sight, so that nobody finds half of it. */
  async #discard(folder: string): Promise<void> {
    this.#confirmed.delete(folder);
    const aside = join(this.#root, '.building', `removed-${newId('exec')}`);
    try {
      await rename(folder, aside);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return;
      throw error;
    }
    await removeTree(aside);
  }

  async #isUnchanged(folder: string, record: EnvironmentRecord, signal?: AbortSignal): Promise<boolean> {
    const tree = join(folder, TREE);
    try {
      const looks = await appearance(tree);
      if (this.#confirmed.get(folder) === looks) return true;
      if ((await treeHash(tree, signal)) !== record.treeSha256) return false;
      this.#confirmed.set(folder, looks);
      return true;
    } catch (error) {
      signal?.throwIfAborted();
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'repository_changed') return false;
      throw error;
    }
  }
}

/** The identity of an environment's whole content. */
export async function treeHash(tree: string, signal?: AbortSignal): Promise<string> {
  return (await fingerprintTree(tree, { exclude: [], ...(signal === undefined ? {} : { signal }) })).sha256;
}

async function readRecord(folder: string): Promise<EnvironmentRecord | undefined> {
  const found = await readJson(join(folder, RECORD)).catch(() => undefined);
  return recordSchema.safeParse(found).data;
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => !name.startsWith('.'));
}

function environmentOf(
  folder: string,
  record: EnvironmentRecord,
  base: PythonInterpreter,
  cached: boolean,
): PythonEnvironment {
  const path = join(folder, TREE);
  return {
    id: record.id,
    treeSha256: record.treeSha256,
    path,
    interpreter: { ...base, executable: `${ENVIRONMENT_INSIDE}/bin/python`, prefix: ENVIRONMENT_INSIDE },
    mount: { source: path, target: ENVIRONMENT_INSIDE, mode: 'ro', contentSha256: record.treeSha256 },
    lock: record.lock,
    report: record.report,
    cached,
  };
}
