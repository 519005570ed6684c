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

const storedSecret = z.object({
  host: secretHost,
  username: oneLine.max(255),
  value: oneLine.max(16_384),
  createdAt: instant,
});

/** `secrets.json` of a home, which only its owner may read. */
export const secretsFileSchema = z.object({ v: z.literal(1), secrets: z.record(secretName, storedSecret) });
export type SecretsFile = z.infer<typeof secretsFileSchema>;

/** A secret as it is shown: everything but its value. */
export const secretInfo = storedSecret.omit({ value: true }).extend({ name: secretName });
export type SecretInfo = z.infer<typeof secretInfo>;

export const setSecretBody = z.strictObject({
  name: secretName,
  host: secretHost,
  username: oneLine.max(255).default('git'),
  value: oneLine.max(16_384),
});
export type SetSecret = z.infer<typeof setSecretBody>;
export const secretBody = z.object({ secret: secretInfo });
export const secretList = z.object({ secrets: z.array(secretInfo) });
