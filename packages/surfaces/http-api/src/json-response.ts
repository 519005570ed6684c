import { createHash } from 'node:crypto';

export interface JsonText {
  readonly status: number;
  readonly text: string;
}

export function jsonResponse({ status, text }: JsonText, headers: Record<string, string> = {}): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers } });
}

/** The answer of a GET with its ETag, or 304 without a body when the client has it already. */
export function taggedResponse(answer: JsonText, request: Headers): Response {
  const etag = `"${createHash('sha256').update(answer.text).digest('base64url').slice(0, 27)}"`;
  if (answer.status !== 200) return jsonResponse(answer);
  if (matches(request.get('if-none-match'), etag)) return notModified(etag);
  return jsonResponse(answer, { etag });
}

export function notModified(etag: string): Response {
  return new Response(null, { status: 304, headers: { etag } });
}

/** Weak comparison as RFC 9110 section 13.1.2 asks for If-None-Match. */
export function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(',').some((item) => item.trim() === '*' || item.trim().replace(/^W\//, '') === etag);
}
