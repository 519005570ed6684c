import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { AssayError, errorCode } from '@assay/foundation';
import { createHash } from 'node:crypto';
import { matches } from './json-response.ts';

/** Nothing but the page's own files runs or is loaded; only the page itself may talk to the daemon. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly etag: string;
  /** Its name holds a hash of its content. */
  readonly immutable: boolean;
}

/** Serves the built page from memory. Addresses that are no file of it are the page itself: it has its own routes. */
export class PageFiles {
  readonly #dir: string | undefined;
  #files: Promise<ReadonlyMap<string, PageFile>> | undefined;

  constructor(dir: string | undefined) {
    this.#dir = dir;
  }

  /** Throws `not_found` for a missing file below `assets/`, and when this program was built without a page. */
  async answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const files = await (this.#files ??= readPage(this.#dir));
    const file = files.get(path) ?? (path.startsWith('/assets/') ? undefined : files.get('/index.html'));
    if (file === undefined)
      throw new AssayError(
        'not_found',
        files.size === 0 ? 'this program was built without its page' : 'there is no such file',
        {
          hint:
            files.size === 0
              ? 'build it again, or use the command line: assay --help'
              : 'load the page again: it is of another version',
        },
      );
    const headers = {
      'content-type': file.type,
      'content-length': String(file.bytes.length),
      'content-security-policy': PAGE_POLICY,
      'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag: file.etag,
    };
    // A browser keeps the page under the policy of the newest answer, so that of "not modified" is the same.
    if (matches(request.headers.get('if-none-match'), file.etag))
      return new Response(null, { status: 304, headers: { etag: file.etag, 'content-security-policy': PAGE_POLICY } });
    return new Response(request.method === 'HEAD' ? null : file.bytes, { headers });
  }
}

async function readPage(dir: string | undefined): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  if (dir === undefined) return files;
  for (const path of await filesBelow(dir)) {
    const bytes = await readFile(path);
    const address = `/${relative(dir, path).split(sep).join('/')}`;
    files.set(address, {
      bytes: new Uint8Array(bytes),
      type: MEDIA_TYPES[extname(path)] ?? 'application/octet-stream',
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      immutable: address.startsWith('/assets/'),
    });
  }
  return files;
}

async function filesBelow(dir: string): Promise<string[]> {
  try {
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
