import { AssayError } from '@assay/foundation';

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_BODY_MS = 60_000;
/** So much more is read and thrown away, so that the sender is ready to hear why it is refused. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;

/** The body as UTF-8 text. Throws `payload_too_large` over one MiB, whatever its length was declared to be. */
export async function readBody(request: Request): Promise<string> {
  if (request.body === null) return '';
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const chunks: Uint8Array[] = [];
  let size = 0;
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void reader.cancel().catch(() => undefined);
  }, MAX_BODY_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size <= MAX_BODY_BYTES) chunks.push(value);
      else if (size > MAX_DISCARDED_BYTES) break;
      else chunks.length = 0;
    }
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => undefined);
  }
  if (late)
    throw new AssayError('invalid_request', 'the body of this request did not come in time', {
      why: `it may take ${MAX_BODY_MS / 1000} s`,
      hint: 'send it again',
    });
  if (size > MAX_BODY_BYTES) throw tooLarge();
  return Buffer.concat(chunks).toString();
}

function tooLarge(): AssayError {
  return new AssayError('payload_too_large', 'the body of this request is too large', {
    why: `a request may carry at most ${MAX_BODY_BYTES} bytes`,
    hint: 'a data file is named by its path on this machine, or sent to POST /api/uploads',
  });
}
