import { readFile } from 'node:fs/promises';
import { AssayError, errorText } from '@assay/foundation';
import type { SecretGrantConfig } from '@assay/engine';
import type { SecretGrant } from '@assay/python-environments';

/**
 * The older way to give an index a password: what the configuration only names is read here, and counts as a secret that
 * was kept for packages. Rejects with `config_invalid` for a secret that is not there.
 */
export async function readSecretGrants(
  grants: readonly SecretGrantConfig[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<SecretGrant[]> {
  return Promise.all(
    grants.map(async ({ name, hosts, ...source }) => {
      const text = (await readSecret(name, source, env)).trim();
      const colon = text.indexOf(':');
      if (colon < 1) throw unusable(name, 'it is not of the form user:password');
      return { name, hosts, user: text.slice(0, colon), password: text.slice(colon + 1) };
    }),
  );
}

async function readSecret(
  name: string,
  source: Pick<SecretGrantConfig, 'env' | 'file'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  if (source.file !== undefined)
    return readFile(source.file, 'utf8').catch((error: unknown) => {
      throw unusable(name, errorText(error));
    });
  const value = source.env === undefined ? undefined : env[source.env];
  if (value === undefined || value === '') throw unusable(name, `the variable ${source.env ?? ''} is not set`);
  return value;
}

function unusable(name: string, why: string): AssayError {
  return new AssayError('config_invalid', `the secret "${name}" cannot be used`, {
    why,
    hint: 'mend secrets.grants in config.yaml, or set what it names',
  });
}
