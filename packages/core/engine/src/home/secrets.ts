import { stat } from 'node:fs/promises';
import { AssayError, errorCode, isoTime, Mutex, type Clock } from '@assay/foundation';
import {
  secretsFileSchema,
  usualUsername,
  type SecretInfo,
  type SecretsFile,
  type SecretUse,
  type SetSecret,
} from '@assay/contracts';
import { readJson, writeJsonDurable } from '@assay/files';
import type { SecretGrant } from '@assay/python-environments';
import type { Credential } from '@assay/repositories';

/** The passwords of a home, each for named hosts and one use. Values leave it for those hosts alone. */
export interface SecretStore {
  list(): Promise<readonly SecretInfo[]>;
  /** Keeps a secret, in the place of an older one of the same name. */
  set(input: SetSecret): Promise<SecretInfo>;
  /** Rejects with `secret_missing`, and with `secret_refused` for one that config.yaml names. */
  remove(name: string): Promise<SecretInfo>;
  /** For a repository. Rejects with `secret_missing`, and with `secret_refused` when it is for another host or use. */
  credential(name: string, host: string): Promise<Credential>;
  /** For installations: what is kept for indexes of packages. */
  packageGrants(): Promise<readonly SecretGrant[]>;
}

type Stored = SecretsFile['secrets'][string];
const MOST = 1_000;

/**
 * Secrets in one file that only its owner may read, outside of every quest: nothing exports or commits it. `configured`
 * are those of `secrets.grants` in config.yaml, the older way to give an index one: they count as kept for packages,
 * and one of the same name in the file comes first.
 */
export function createSecretStore(path: string, clock: Clock, configured: readonly SecretGrant[] = []): SecretStore {
  const changes = new Mutex();

  async function find(name: string): Promise<{ file: SecretsFile; secret: Stored }> {
    const file = await readSecrets(path);
    const secret = Object.hasOwn(file.secrets, name) ? file.secrets[name] : undefined;
    if (secret !== undefined) return { file, secret };
    const names = Object.keys(file.secrets).sort();
    if (configured.some((grant) => grant.name === name))
      throw new AssayError('secret_refused', `the secret ${name} stands in config.yaml`, {
        why: 'secrets.grants names it there, and it is for packages',
        hint: `take it out there, or keep one of that name here: assay secrets set ${name} --host HOST`,
      });
    throw new AssayError('secret_missing', `there is no secret ${name}`, {
      why: names.length === 0 ? 'this home keeps no secrets' : `this home keeps ${names.slice(0, 10).join(', ')}`,
      hint: `keep it first: assay secrets set ${name} --host HOST, with the value on standard input`,
    });
  }

  return {
    async list() {
      const { secrets } = await readSecrets(path);
      const named = configured.filter(({ name }) => !Object.hasOwn(secrets, name));
      return [
        ...Object.entries(secrets).map(([name, secret]) => infoOf(name, secret)),
        ...named.map(({ name, hosts, user }) => configuredInfo(name, hosts, user)),
      ].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    set: ({ name, hosts, use, username, value }) =>
      changes.run(async () => {
        const file = await readSecrets(path);
        const secret: Stored = {
          hosts: [...new Set(hosts.map(usualHost))],
          use,
          username: username ?? usualUsername[use],
          value,
          createdAt: isoTime(clock.now()),
        };
        const secrets = { ...file.secrets, [name]: secret };
        if (Object.keys(secrets).length > MOST)
          throw new AssayError('invalid_request', `a home keeps at most ${MOST} secrets`, {
            hint: 'remove one: assay secrets remove NAME',
          });
        await writeJsonDurable(path, { v: 2, secrets }, { mode: 0o600 });
        return infoOf(name, secret);
      }),
    remove: (name) =>
      changes.run(async () => {
        const { file, secret } = await find(name);
        const secrets = Object.fromEntries(Object.entries(file.secrets).filter(([other]) => other !== name));
        await writeJsonDurable(path, { v: 2, secrets }, { mode: 0o600 });
        return infoOf(name, secret);
      }),
    async credential(name, host) {
      const { secret } = await find(name);
      requireUse(name, secret, 'repositories');
      if (secret.hosts.includes(usualHost(host))) return { name, host, username: secret.username, value: secret.value };
      throw new AssayError('secret_refused', `the secret ${name} is not for ${host}`, {
        why: `it was kept for ${secret.hosts.join(', ')}`,
        hint: `name a secret for this host, or keep one: assay secrets set NAME --host ${host}`,
      });
    },
    async packageGrants() {
      const { secrets } = await readSecrets(path);
      const kept = Object.entries(secrets)
        .filter(([, { use }]) => use === 'packages')
        .map(([name, { hosts, username, value }]) => ({
          name,
          hosts: hosts.map(withPort),
          user: username,
          password: value,
        }));
      return [...kept, ...configured.filter(({ name }) => !Object.hasOwn(secrets, name))];
    },
  };
}

function requireUse(name: string, { use, hosts }: Stored, wanted: SecretUse): void {
  if (use === wanted) return;
  throw new AssayError('secret_refused', `the secret ${name} is for ${use}`, {
    why: `it was kept for installing ${use} from ${hosts.join(', ')}, and opens no repository`,
    hint: 'keep one for the repository: assay secrets set NAME --host HOST',
  });
}

/** As it stands in an address: lower case, without the usual port of https. */
function usualHost(host: string): string {
  return host.toLowerCase().replace(/:443$/, '');
}

function withPort(host: string): string {
  return /:\d+$/.test(host) ? host : `${host}:443`;
}

function infoOf(name: string, { hosts, use, username, createdAt }: Stored): SecretInfo {
  return { name, hosts, use, username, createdAt };
}

function configuredInfo(name: string, hosts: readonly string[], username: string): SecretInfo {
  return { name, hosts: hosts.map(usualHost), use: 'packages', username, createdAt: null };
}

async function readSecrets(path: string): Promise<SecretsFile> {
  await requireOwnerOnly(path);
  const parsed = secretsFileSchema.safeParse((await readFileJson(path)) ?? { v: 2, secrets: {} });
  if (parsed.success) return parsed.data;
  throw unusable(path, `it is not a list of secrets (${parsed.error.issues[0]?.path.join('.') ?? ''})`);
}

async function readFileJson(path: string): Promise<unknown> {
  try {
    return await readJson(path);
  } catch (error) {
    if (error instanceof SyntaxError) throw unusable(path, 'it is not JSON'); // the parser's words would quote it
    throw error;
  }
}

async function requireOwnerOnly(path: string): Promise<void> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0)
      throw new AssayError('config_invalid', `${path} can be read by other users`, {
        why: `its permissions are ${(mode & 0o777).toString(8)}`,
        hint: `make it yours alone (chmod 600 ${path}) and think of its passwords as known`,
      });
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

function unusable(path: string, why: string): AssayError {
  return new AssayError('config_invalid', `${path} cannot be used`, {
    why,
    hint: 'move it away and keep the secrets again with "assay secrets set"',
  });
}
