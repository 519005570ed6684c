import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, errorText } from '@assay/foundation';
import { readJson } from '@assay/files';
import { attachSession, sessionFiles, sessionMetaSchema } from '@assay/sandbox';
import { damage, note, type Finding } from './finding.ts';

/**
 * Sessions of a quest: each has ended, or still runs. One that was lost is named while its task is not over: it runs
 * again then.
 */
export async function checkSessions(
  home: string,
  sessionsDir: string,
  isOver: (scope: { readonly plan?: string | undefined; readonly task?: string | undefined }) => boolean,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const id of await sessionIds(sessionsDir)) {
    try {
      const found = await attachSession({ home, dir: join(sessionsDir, id) });
      if (found.kind === 'running') findings.push(note(`session ${id} still runs`));
      if (found.kind === 'lost' && !isOver(await scopeOf(join(sessionsDir, id))))
        findings.push(note(`session ${id} was lost with its host; its task runs again`));
    } catch (error) {
      findings.push(damage(`session ${id}: its records are damaged: ${errorText(error)}`));
    }
  }
  return findings;
}

/** Whose command it was; unknown for a session that was never recorded. */
async function scopeOf(dir: string): Promise<{ plan?: string | undefined; task?: string | undefined }> {
  const record = await readJson(join(dir, sessionFiles.meta));
  return record === undefined ? {} : (sessionMetaSchema.parse(record).scope ?? {});
}

async function sessionIds(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
