import Busboy, { type BusboyFileStream } from '@fastify/busboy';
import { AssayError, deferred } from '@assay/foundation';
import { Readable } from 'node:stream';

export interface ReceivedFile {
  readonly name: string;
  /** Throws at its end when the request was cut off or holds more than this file. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** So much is read and thrown away of a request that is refused, so that its sender is ready to hear why. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;
const MAX_DISCARD_MS = 10_000;

/**
 * Hands the one file of a multipart/form-data request on while it comes. What stands against it is thrown; then the rest of
 * the request is thrown away, up to a bound.
 */
export async function receiveFile<T>(request: Request, take: (file: ReceivedFile) => Promise<T>): Promise<T> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type) || request.body === null)
    throw new AssayError('unsupported_media_type', 'this request holds no file', {
      why: `its content-type is ${JSON.stringify(type.slice(0, 100))}`,
      hint: 'send multipart/form-data with one part that has a file name',
    });
  const source = Readable.fromWeb(request.body);
  try {
    const { file, whole } = partsOf(source, type);
    whole.catch(() => undefined); // heard at the end of the content
    const { name, stream } = await file;
    return await take({ name, content: untilWhole(stream, whole) });
  } catch (error) {
    await discard(source);
    throw error;
  }
}

interface FilePart {
  readonly name: string;
  readonly stream: BusboyFileStream;
}

/** The first file, and what the whole request turns out to be. */
function partsOf(source: Readable, type: string): { readonly file: Promise<FilePart>; readonly whole: Promise<void> } {
  const file = deferred<FilePart>();
  const whole = deferred();
  const fail = (error: AssayError) => {
    file.reject(error);
    whole.reject(error);
  };
  const parser = parserFor(type);
  let first: BusboyFileStream | undefined;
  parser.on('file', (_field, stream, name) => {
    if (first !== undefined) {
      stream.on('error', () => undefined).resume();
      fail(onlyOne());
      return;
    }
    first = stream;
    file.resolve({ name: typeof name === 'string' ? name : '', stream });
  });
  parser.on('filesLimit', () => fail(onlyOne()));
  parser.on('error', (error: unknown) => {
    fail(notWhole(error));
    first?.destroy(notWhole(error));
  });
  parser.on('finish', () => {
    file.reject(noFile());
    whole.resolve();
  });
  source.on('error', (error) => {
    fail(notWhole(error));
    first?.destroy(notWhole(error));
  });
  file.promise.catch(() => undefined); // also heard through `whole`
  source.pipe(parser);
  return { file: file.promise, whole: whole.promise };
}

function parserFor(type: string): ReturnType<typeof Busboy> {
  try {
    return Busboy({
      headers: { 'content-type': type },
      limits: { files: 1, fields: 8, fieldSize: 1024, parts: 10, headerPairs: 20 },
    });
  } catch (error) {
    throw notWhole(error);
  }
}

async function* untilWhole(stream: BusboyFileStream, whole: Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
  } catch (error) {
    throw error instanceof AssayError ? error : notWhole(error);
  }
  await whole;
}

async function discard(source: Readable): Promise<void> {
  source.unpipe();
  const timer = setTimeout(() => source.destroy(), MAX_DISCARD_MS);
  let bytes = 0;
  try {
    for await (const chunk of source) {
      bytes += (chunk as Uint8Array).length;
      if (bytes > MAX_DISCARDED_BYTES) break;
    }
  } catch {
    // the sender is gone: there is nobody to hear anything
  } finally {
    clearTimeout(timer);
  }
}

function notWhole(cause: unknown): AssayError {
  return new AssayError('invalid_request', 'the file did not come whole', {
    why: cause instanceof Error ? cause.message.slice(0, 200) : 'the request ended early',
    hint: 'send it again; nothing of it was kept',
    cause,
  });
}

function noFile(): AssayError {
  return new AssayError('invalid_request', 'this request holds no file', {
    hint: 'send multipart/form-data with one part that has a file name',
  });
}

function onlyOne(): AssayError {
  return new AssayError('invalid_request', 'this request holds more than one file', {
    hint: 'send one file in a request',
  });
}
