import type { PythonInterpreter } from '@assay/sandbox';
import { indexAccess } from './index-access.ts';
import { chooseInstaller } from './installer.ts';
import { readPipFacts } from './pip-facts.ts';
import { pipSettings } from './pip-settings.ts';

/**
 * In words: which pip would fill environments, which hosts it could reach and which folders it would see. Rejects with
 * `installer_missing` when there is none, and `config_invalid` for a proxy that cannot be used.
 */
export async function describeInstaller(
  interpreter: PythonInterpreter,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly found: string; readonly notes: readonly string[] }> {
  const facts = await readPipFacts(interpreter, env);
  const settings = pipSettings(facts, env);
  const { policy, mounts, notes } = indexAccess({ settings, grants: [], env, defaultFileHost: facts.defaultFileHost });
  const { name } = chooseInstaller(interpreter, facts);
  const hosts = policy === undefined ? 'no host' : policy.allow.join(', ');
  const folders = mounts.filter(({ target }) => !target.startsWith('/pip/cert-')).map(({ source }) => source);
  const more = settings.isDefaultIndex ? '' : ' and the hosts that their pages name';
  const shown = folders.length === 0 ? '' : `; folders: ${folders.join(', ')}`;
  const through = policy?.upstream === undefined ? '' : '; through the proxy of this machine';
  return { found: `${name}; installs may reach ${hosts}${more}${shown}${through}`, notes };
}
