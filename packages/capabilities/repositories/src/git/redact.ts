import type { Credential } from './git-environment.ts';

/**
 * Takes a password out of a text, in each form in which a server or a program may echo it: as it is, in a URL, and in
 * an `Authorization` header.
 */
export function redactor(credential: Credential | undefined): (text: string) => string {
  if (credential === undefined) return (text) => text;
  const { name, username, value } = credential;
  const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '');
  const forms = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
  const hidden = [...new Set([base64(`${username}:${value}`), base64(value), ...forms])]
    .filter((form) => form !== '')
    .sort((a, b) => b.length - a.length); // the longest first: one form may hold another
  return (text) => hidden.reduce((shown, form) => shown.replaceAll(form, `[secret ${name}]`), text);
}
