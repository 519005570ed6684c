import { stat } from 'node:fs/promises';
import { AssayError, errorCode, isoTime, Mutex, type Clock } from '@assay/foundation';
import { secretsFileSchema, type SecretInfo, type SecretsFile, type SetSecret } from '@assay/contracts';
import { readJson, writeJsonDurable } from '@assay/files';
import type { Credential } from '@assay/repositories';

/** The passwords of a home, each for one host. Only `credential` gives a value away, and only for that host. */
export interface SecretStore {
  list(): Promise<readonly SecretInfo[]>;
  /** Keeps a secret, in the place of an older one of the same name. */
  set(input: SetSecret): Promise<SecretInfo>;
  /** Rejects with `secret_missing`. */
  remove(name: string): Promise<SecretInfo>;
  /** Rejects with `secret_missing`, and with `secret_refused` when it is for another host. */
  credential(name: string, host: string): Promise<Credential>;
}

const MOST = 1_000;

/** Secrets in one file that only its owner may read, outside of every quest: nothing exports or commits it. */
export function createSecretStore(path: string, clock: Clock): SecretStore {
  const changes = new Mutex();

  async function find(name: string): Promise<{ file: SecretsFile; secret: SecretsFile['secrets'][string] }> {
    const file = await readSecrets(path);
    const secret = Object.hasOwn(file.secrets, name) ? file.secrets[name] : undefined;
    if (secret !== undefined) return { file, secret };
    const names = Object.keys(file.secrets).sort();
    throw new AssayError('secret_missing', `there is no secret ${name}`, {
      why: names.length === 0 ? 'this home keeps no secrets' : `this home keeps ${names.slice(0, 10).join(', ')}`,
      hint: `keep it first: assay secrets set ${name} --host HOST, with the value on standard input`,
    });
  }

  return {
    async list() {
      const { secrets } = await readSecrets(path);
      return Object.entries(secrets)
        .map(([name, secret]) => infoOf(name, secret))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    set: ({ name, host, username, value }) =>
      changes.run(async () => {
        const file = await readSecrets(path);
        const secret = { host: usualHost(host), username, value, createdAt: isoTime(clock.now()) };
        const secrets = { ...file.secrets, [name]: secret };
        if (Object.keys(secrets).length > MOST)
          throw new AssayError('invalid_request', `a home keeps at most ${MOST} secrets`, {
            hint: 'remove one: assay secrets remove NAME',
          });
        await writeJsonDurable(path, { v: 1, secrets }, { mode: 0o600 });
        return infoOf(name, secret);
      }),
    remove: (name) =>
      changes.run(async () => {
        const { file, secret } = await find(name);
        const secrets = Object.fromEntries(Object.entries(file.secrets).filter(([other]) => other !== name));
        await writeJsonDurable(path, { v: 1, secrets }, { mode: 0o600 });
        return infoOf(name, secret);
      }),
    async credential(name, host) {
      const { secret } = await find(name);
      if (secret.host === usualHost(host)) return { name, host, username: secret.username, value: secret.value };
      throw new AssayError('secret_refused', `the secret ${name} is not for ${host}`, {
        why: `it was kept for ${secret.host}`,
        hint: `name a secret for this host, or keep one: assay secrets set NAME --host ${host}`,
      });
    },
  };
}

/** As it stands in an address: lower case, without the usual port of https. */
function usualHost(host: string): string {
  return host.toLowerCase().replace(/:443$/, '');
}

function infoOf(name: string, { host, username, createdAt }: SecretsFile['secrets'][string]): SecretInfo {
  return { name, host, username, createdAt };
}

async function readSecrets(path: string): Promise<SecretsFile> {
  await requireOwnerOnly(path);
  const parsed = secretsFileSchema.safeParse((await readFileJson(path)) ?? { v: 1, secrets: {} });
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
