import { createHash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '@assay/engine';
import { AssayError } from '@assay/foundation';

/** The names that X-User-Id and the cookie take. */
export const USER_ID = /^[A-Za-z0-9\-_.@]{1,128}$/;
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/;

/**
 * Refuses requests that a web page of somebody else could have caused: a Host that is not a loopback name (DNS
 * rebinding) and an Origin that is not this very address. Any port passes, so that `ssh -L` forwards work.
 */
export function checkHostAndOrigin(headers: Headers, allowedOrigins: readonly string[]): void {
  const host = headers.get('host') ?? '';
  if (!LOOPBACK.test(host))
    throw refusal(
      `the Host header names ${quoted(host)}`,
      'open it as http://127.0.0.1:<port> or http://localhost:<port>',
    );
  const origin = headers.get('origin');
  if (origin !== null && origin !== `http://${host}` && !allowedOrigins.includes(origin))
    throw refusal(`the page that asked comes from ${quoted(origin)}`, 'only pages that this daemon served may call it');
  const site = headers.get('sec-fetch-site');
  if (origin === null && site !== null && site !== 'same-origin' && site !== 'none')
    throw refusal(
      'the browser says that another site made this request',
      'only pages that this daemon served may call it',
    );
}

function refusal(why: string, hint: string): AssayError {
  return new AssayError('forbidden_origin', 'this request may come from another site', { why, hint });
}

/** What a stranger sent is repeated in messages only short and as a JSON string. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

/** A check that takes the same time whatever was sent. */
export function tokenCheck(token: string): (headers: Headers) => void {
  if (token.length < 16) throw new Error('the token of the HTTP interface is too short');
  const expected = digest(token);
  return (headers) => {
    const given = /^Bearer ([\x21-\x7e]+)$/.exec(headers.get('authorization') ?? '')?.[1];
    if (given === undefined || !timingSafeEqual(digest(given), expected))
      throw new AssayError('unauthorized', given === undefined ? 'a token is required' : 'this token is not valid', {
        why: 'every request carries "Authorization: Bearer <token>"; a token in the address is never read',
        hint: 'the token stands in runtime/token of the home that this daemon serves',
      });
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The owner that a request names: header, else cookie, else `local`. A name, not a credential. */
export function callerOf(headers: Headers): Caller {
  const given = headers.get('x-user-id') ?? cookie(headers, 'assay_uid') ?? 'local';
  if (!USER_ID.test(given))
    throw new AssayError('invalid_request', 'the user id is not valid', {
      why: `it is ${quoted(given)}`,
      hint: 'X-User-Id and the cookie assay_uid take 1 to 128 of the characters A-Z a-z 0-9 - _ . @',
    });
  return { ownerId: given };
}

function cookie(headers: Headers, name: string): string | undefined {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
