import * as z from 'zod';
import { instant } from './common.ts';

/** What a person calls a secret. */
export const secretName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, 'a name has up to 64 letters, digits, "-", "_" and "."');

/** Host, with a port when it is not the usual one: `git.example.org:8443`. */
export const secretHost = z
  .string()
  .max(255)
  .regex(/^([a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(:\d{1,5})?$/i, 'it is not a host name');

/** Only what a line of git's credential protocol can hold. */
const oneLine = z
  .string()
  .min(1)
  .refine((text) => !/\p{Cc}/u.test(text), 'it holds control characters');

/** What a secret opens: the repository of a plan that names it, or the index of every installation from its hosts. */
export const secretUse = z.enum(['repositories', 'packages']);
export type SecretUse = z.infer<typeof secretUse>;

const hosts = z.array(secretHost).min(1).max(20);
const base = { username: oneLine.max(255), value: oneLine.max(16_384), createdAt: instant };
const storedSecret = z.object({ hosts, use: secretUse, ...base });
/** As the first version wrote it: one host, for repositories. */
const secretsFileV1 = z.object({
  v: z.literal(1),
  secrets: z.record(secretName, z.object({ host: secretHost, ...base })),
});
const secretsFileV2 = z.object({ v: z.literal(2), secrets: z.record(secretName, storedSecret) });

/** `secrets.json` of a home, which only its owner may read. An older form is read as what it says today. */
export const secretsFileSchema = z.union([
  secretsFileV2,
  secretsFileV1.transform(({ secrets }): SecretsFile => {
    const entries = Object.entries(secrets).map(([name, { host, ...rest }]) => [
      name,
      { ...rest, hosts: [host], use: 'repositories' as const },
    ]);
    return { v: 2, secrets: Object.fromEntries(entries) as SecretsFile['secrets'] };
  }),
]);
export type SecretsFile = z.infer<typeof secretsFileV2>;

/** A secret as it is shown: everything but its value. */
export const secretInfo = storedSecret.omit({ value: true, createdAt: true }).extend({
  name: secretName,
  /** Null for one that config.yaml names. */
  createdAt: instant.nullable(),
});
export type SecretInfo = z.infer<typeof secretInfo>;

/** The user name that goes with most tokens, by what they open. */
export const usualUsername: Readonly<Record<SecretUse, string>> = { repositories: 'git', packages: '__token__' };

export const setSecretBody = z.strictObject({
  name: secretName,
  hosts,
  use: secretUse.default('repositories'),
  username: oneLine.max(255).optional(),
  value: oneLine.max(16_384),
});
export type SetSecret = z.infer<typeof setSecretBody>;
export const secretBody = z.object({ secret: secretInfo });
export const secretList = z.object({ secrets: z.array(secretInfo) });
