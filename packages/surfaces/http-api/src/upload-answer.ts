import type { HttpApiOptions, HttpContext } from './http-options.ts';
import { jsonResponse } from './json-response.ts';
import { receiveFile } from './receive-file.ts';

/** Takes the one file of the request and answers with its record. */
export async function uploadAnswer(c: HttpContext, { engine, signal }: HttpApiOptions): Promise<Response> {
  const request = c.req.raw;
  const length = Number(request.headers.get('content-length'));
  const upload = await receiveFile(request, ({ name, content }) =>
    engine.createUpload(c.get('caller'), {
      name,
      content,
      signal: AbortSignal.any([signal, request.signal]),
      ...(Number.isSafeInteger(length) && length > 0 ? { declaredBytes: length } : {}),
    }),
  );
  return jsonResponse({ status: 201, text: JSON.stringify(upload) });
}
