import { mkdir, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { errorCode, isId } from '@assay/foundation';
import { evidenceSchema, migrateRecord, type Evidence } from '@assay/contracts';
import { readJson, writeJsonDurable } from '@assay/files';
import { questPaths } from './quest-paths.ts';

/** The evidence records of one quest, one committed file each. */
export interface EvidenceStore {
  /** Resolves with the record's path relative to the quest. */
  write(evidence: Evidence): Promise<string>;
  read(id: string): Promise<Evidence | undefined>;
  list(): Promise<readonly Evidence[]>;
}

export function createEvidenceStore(root: string): EvidenceStore {
  const folder = questPaths(root).evidence;
  return {
    async write(evidence) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${evidence.id}.json`);
      await writeJsonDurable(path, evidenceSchema.parse(evidence), { mode: 0o644 });
      return relative(root, path);
    },
    async read(id) {
      if (!isId('ev', id)) return undefined;
      const content = await readJson(join(folder, `${id}.json`));
      return content === undefined ? undefined : parseEvidence(content);
    },
    async list() {
      const names = await namesIn(folder);
      const found: Evidence[] = [];
      for (const name of names.sort()) found.push(parseEvidence(await readJson(join(folder, name))));
      return found;
    },
  };
}

export function parseEvidence(content: unknown): Evidence {
  return evidenceSchema.parse(migrateRecord(content, { kind: 'evidence', current: 1, migrations: new Map() }));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => /^ev_[0-9A-Z]{26}\.json$/.test(name));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
