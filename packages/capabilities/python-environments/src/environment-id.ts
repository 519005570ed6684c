import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '@assay/foundation';
import { sha256Text } from '@assay/files';
import type { EnvironmentRequest } from './environment.ts';
import type { IndexAccess } from './index-access.ts';
import type { PipFacts } from './pip-facts.ts';

/** Raised when environments are built or checked in another way, so that older ones are built again. */
const LAYOUT_VERSION = 1;
/** Of the variables, what decides which files are chosen; addresses count without their secrets. */
const counted = new Set(['PIP_NO_INDEX', 'PIP_CONSTRAINT', 'PIP_TRUSTED_HOST']);
const CERTIFICATES = '/pip/cert-';
const MAX_LISTED = 20_000;
const MAX_FILE_BYTES = 1 << 20;

/**
 * The identity of what is asked for: interpreter, platform, requirements, constraints, where packages come from, and what
 * the folders with packages hold. The installer's version and secrets do not count.
 */
export async function environmentId(
  request: EnvironmentRequest,
  facts: PipFacts,
  access: IndexAccess,
): Promise<string> {
  const { interpreter } = request;
  const local = await Promise.all(
    access.mounts
      .filter(({ target }) => !target.startsWith(CERTIFICATES))
      .map(async ({ source }) => [source, await listing(source)]),
  );
  const settings = Object.entries(access.env)
    .filter(([name]) => counted.has(name))
    .map(([name, value]) => [name, realNames(value, access)] as const)
    .filter(([, value]) => value !== '');
  return sha256Text(
    canonicalJson({
      v: LAYOUT_VERSION,
      python: [interpreter.executable, interpreter.version, interpreter.basePrefix, facts.platform, facts.abi],
      requirements: request.requirements.map((line) => line.trim()),
      constraints: (request.constraints ?? []).map((line) => line.trim()),
      sources: request.sources,
      buildEnv: { ...request.buildEnv },
      buildConstraints: (request.buildConstraints ?? []).map((line) => line.trim()),
      indexes: access.indexes,
      settings: Object.fromEntries(settings),
      local,
    }),
  );
}

/** Names that exist only because a secret is added outside do not count either. */
function realNames(value: string, { renamed }: IndexAccess): string {
  return value
    .split(' ')
    .filter((word) => !renamed.has(word))
    .join(' ');
}

/** A file by its content, a folder by the names and sizes in it. */
async function listing(path: string): Promise<string> {
  const found = await stat(path);
  if (!found.isDirectory())
    return found.size > MAX_FILE_BYTES ? String(found.size) : sha256Text(await readFile(path, 'utf8'));
  const names = (await readdir(path)).sort().slice(0, MAX_LISTED);
  const lines: string[] = [];
  for (const name of names) {
    const entry = await stat(join(path, name)).catch(() => undefined);
    if (entry?.isFile() === true) lines.push(`${name} ${entry.size} ${entry.mtimeMs}`);
  }
  return sha256Text(lines.join('\n'));
}
