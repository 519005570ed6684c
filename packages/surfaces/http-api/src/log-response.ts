import type { Caller, Engine } from '@assay/engine';
import { routes, type LogStream } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { parseQuery } from './request-parts.ts';

export interface LogRequest {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly request: Request;
}

/** What a command printed, as plain bytes to keep; with a Range header only that part. */
export async function logResponse({ engine, caller, params, request }: LogRequest): Promise<Response> {
  const { stream } = parseQuery(routes.sessionLogContent, new URL(request.url)) as { readonly stream: LogStream };
  const at = { quest: params['quest'] ?? '', session: params['session'] ?? '' };
  const { path, fileName } = await engine.sessionLogFile(caller, at, stream);
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const range = parseRange(request.headers.get('range'), size);
    const { start, end } = range ?? { start: 0, end: size };
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="${fileName}"`,
      'accept-ranges': 'bytes',
      'content-length': String(end - start),
      ...(range === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
    };
    const status = range === undefined ? 200 : 206;
    if (request.method === 'HEAD' || end === start) {
      await handle.close();
      return new Response(null, { status, headers });
    }
    // A log grows while it is read: what was promised is sent, not more.
    const body = Readable.toWeb(handle.createReadStream({ start, end: end - 1 })) as ReadableStream<Uint8Array>;
    return new Response(body, { status, headers });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** One range of bytes as `[start, end)`; a header of another form is as good as none, as RFC 9110 says. */
function parseRange(header: string | null, size: number): { readonly start: number; readonly end: number } | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (start < end) return { start, end };
  throw new AssayError('invalid_request', 'this range is not in the log', {
    why: `the log has ${size} bytes`,
    hint: 'ask for a range that begins inside of it',
  });
}
