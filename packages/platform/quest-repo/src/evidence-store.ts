import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { AssayError, errorCode, errorText, isId } from '@assay/foundation';
import { evidenceSchema, migrateRecord, type Evidence } from '@assay/contracts';
import { exists, sha256Text, writeFileDurable } from '@assay/files';
import { questPaths } from './quest-paths.ts';

/** The evidence records of one quest, one committed file each. */
export interface EvidenceStore {
  /** Resolves with the record's path relative to the quest, and the hash of its bytes. */
  write(evidence: Evidence): Promise<{ readonly record: string; readonly sha256: string }>;
  /** The record and the hash of its bytes. Rejects with `record_invalid` when it was damaged. */
  open(id: string): Promise<{ readonly evidence: Evidence; readonly sha256: string } | undefined>;
  read(id: string): Promise<Evidence | undefined>;
  list(): Promise<readonly Evidence[]>;
}

export function createEvidenceStore(root: string): EvidenceStore {
  const folder = questPaths(root).evidence;

  async function open(id: string) {
    if (!isId('ev', id)) return undefined;
    const path = join(folder, `${id}.json`);
    if (!(await exists(path))) return undefined;
    const text = await readFile(path, 'utf8');
    try {
      return { evidence: parseEvidence(JSON.parse(text)), sha256: sha256Text(text) };
    } catch (error) {
      if (error instanceof AssayError) throw error;
      throw new AssayError('record_invalid', `the evidence record ${relative(root, path)} is damaged`, {
        why: errorText(error).split('\n')[0] ?? '',
        hint: 'restore it from git',
        cause: error,
      });
    }
  }

  return {
    async write(evidence) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${evidence.id}.json`);
      const text = `${JSON.stringify(evidenceSchema.parse(evidence), null, 2)}\n`;
      await writeFileDurable(path, text, { mode: 0o644 });
      return { record: relative(root, path), sha256: sha256Text(text) };
    },
    open,
    read: async (id) => (await open(id))?.evidence,
    async list() {
      const names = await namesIn(folder);
      const found: Evidence[] = [];
      for (const name of names.sort()) {
        const one = await open(name.slice(0, -'.json'.length));
        if (one !== undefined) found.push(one.evidence);
      }
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
