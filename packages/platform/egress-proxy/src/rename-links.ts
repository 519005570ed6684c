import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { parseHostPort } from './host-name.ts';
import type { HostCredential } from './policy.ts';
import { failed } from './refusal.ts';

/** The page of one project; the longest public ones are a few MiB. */
const MOST_BYTES = 32 * 1024 * 1024;

/** True for the pages of package indexes (PEP 503 and 691): the links on them say where the files are. */
export function isPage(headers: IncomingHttpHeaders): boolean {
  return (
    /^(?:text\/html|application\/vnd\.pypi\.simple\.)/i.test(headers['content-type'] ?? '') &&
    (headers['content-encoding'] ?? 'identity') === 'identity'
  );
}

/** `https://host/…` of a host that gets its credential here becomes the name by which whoever asks reaches it. */
export function renamed(text: string, credentials: readonly HostCredential[]): string {
  let shown = text;
  for (const { host, tls } of credentials) {
    const target = tls === undefined ? undefined : parseHostPort(tls.to);
    if (target === undefined) continue;
    const name = target.host.includes(':') ? `[${target.host}]` : target.host;
    const port = target.port === 443 ? '(?::443)?' : `:${target.port}`;
    const link = new RegExp(`https://${name.replace(/[.[\]]/g, '\\$&')}${port}(?![\\w.:-])`, 'gi');
    shown = shown.replace(link, `http://${host}`);
  }
  return shown;
}

export function renamedLocation(
  headers: OutgoingHttpHeaders,
  credentials: readonly HostCredential[],
): OutgoingHttpHeaders {
  const { location } = headers;
  return typeof location === 'string' ? { ...headers, location: renamed(location, credentials) } : headers;
}

/** Sends a page whose links are renamed. Rejects for one that is longer than can be read. */
export async function sendPage(
  upstream: IncomingMessage,
  response: ServerResponse,
  { head, credentials }: { readonly head: OutgoingHttpHeaders; readonly credentials: readonly HostCredential[] },
): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of upstream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw failed(`a page of the index is longer than ${MOST_BYTES / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  // Byte for byte but for the links, whatever the encoding.
  const body = Buffer.from(renamed(Buffer.concat(chunks).toString('latin1'), credentials), 'latin1');
  response.writeHead(upstream.statusCode ?? 502, { ...head, 'content-length': body.length });
  response.end(body);
}
