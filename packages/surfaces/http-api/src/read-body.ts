import { AssayError } from '@assay/foundation';

const MAX_BODY_BYTES = 1024 * 1024;
/** So much more is read and thrown away, so that the sender is ready to hear why it is refused. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;

/** The body as UTF-8 text. Throws `payload_too_large` over one MiB, whatever its length was declared to be. */
export async function readBody(request: Request): Promise<string> {
  if (request.body === null) return '';
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const chunks: Uint8Array[] = [];
  let size = 0;
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
    await reader.cancel().catch(() => undefined);
  }
  if (size > MAX_BODY_BYTES) throw tooLarge();
  return Buffer.concat(chunks).toString();
}

function tooLarge(): AssayError {
  return new AssayError('payload_too_large', 'the body of this request is too large', {
    why: `a request may carry at most ${MAX_BODY_BYTES} bytes`,
    hint: 'data is named by its path on this machine and never sent',
  });
}
