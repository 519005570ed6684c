import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, errorText } from '@assay/foundation';
import { attachSession } from '@assay/sandbox';
import { damage, note, type Finding } from './finding.ts';

/** Sessions of a quest: each has ended, or still runs. One that was lost is named; its task runs again. */
export async function checkSessions(home: string, sessionsDir: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const id of await sessionIds(sessionsDir)) {
    try {
      const found = await attachSession({ home, dir: join(sessionsDir, id) });
      if (found.kind === 'running') findings.push(note(`session ${id} still runs`));
      if (found.kind === 'lost') findings.push(note(`session ${id} was lost with its host; its task runs again`));
    } catch (error) {
      findings.push(damage(`session ${id}: its records are damaged: ${errorText(error)}`));
    }
  }
  return findings;
}

async function sessionIds(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
