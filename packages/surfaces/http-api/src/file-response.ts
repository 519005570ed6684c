import type { ArtifactContent } from '@assay/engine';
import { AssayError, errorCode } from '@assay/foundation';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { matches, notModified } from './json-response.ts';

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(;\s*charset=[\w-]+)?$/;

/** Bytes as a download: never shown as a page, whatever their type says. `content` is asked for when they are needed. */
export async function fileResponse(
  request: Request,
  sha256: string,
  ask: () => Promise<ArtifactContent>,
): Promise<Response> {
  const etag = `"${sha256}"`;
  if (matches(request.headers.get('if-none-match'), etag)) return notModified(etag);
  const content = await ask();
  const headers = {
    etag,
    'content-type': MEDIA_TYPE.test(content.mediaType) ? content.mediaType : 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeFileName(content.fileName)}`,
    'content-length': String(content.size),
  };
  if (request.method === 'HEAD') return new Response(null, { headers });
  if (content.file === undefined) return new Response(content.text ?? '', { headers });
  const handle = await openContent(content.file);
  const { size } = await handle.stat();
  const body = Readable.toWeb(handle.createReadStream()) as ReadableStream<Uint8Array>;
  return new Response(body, { headers: { ...headers, 'content-length': String(size) } });
}

async function openContent(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new AssayError('not_found', 'the file behind this is gone', {
      why: 'its record exists but the bytes do not',
      hint: 'run assay fsck',
      cause: error,
    });
  }
}

/** RFC 8187: what `encodeURIComponent` leaves but the header grammar does not take is escaped too. */
function encodeFileName(name: string): string {
  const wellFormed = Buffer.from(name).toString(); // a lone surrogate would throw below
  return encodeURIComponent(wellFormed).replace(/['()*!]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
