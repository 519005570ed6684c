import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AssayError, errorCode } from '@assay/foundation';
import type { Compression, ReadingOptions } from '@assay/contracts';
import type { DataFile } from '../data-file.ts';
import { UnpackGuard } from './unpack-guard.ts';
import { openZipMember } from './zip-member.ts';

/** Programs that unpack from stdin to stdout, with the package that brings each. */
const programs = {
  bzip2: { command: 'bzip2', args: ['-dc'], package: 'bzip2' },
  xz: { command: 'xz', args: ['-dc', '--memlimit=256MiB'], package: 'xz-utils' },
  zstd: { command: 'zstd', args: ['-dcq', '--memory=256MB'], package: 'zstd' },
} as const;

/** How a file is packed, and which file of an archive is meant. */
export interface Packing extends Pick<ReadingOptions, 'member'> {
  readonly compression?: Compression | undefined;
}

/** What unpacks: packed bytes go in, plain ones come out. */
interface Unpacker {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when it ended well. */
  readonly ended: Promise<void>;
  stop(): void;
}

/**
 * The bytes of the table in a file, chunk by chunk, unpacked when the file is packed. A chunk stays as it is until the
 * next one is asked for. Throws `dataset_format` for a damaged file and for one that unpacks to too much,
 * `not_configured` when the program that unpacks is not there.
 */
export async function* contentOf(
  file: DataFile,
  { compression, member }: Packing,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void, void> {
  if (compression === undefined) {
    for (;;) {
      const chunk = await file.next(signal);
      if (chunk.length === 0) return;
      yield chunk;
    }
  }
  const guard = new UnpackGuard(file.name);
  for await (const chunk of compression === 'zip'
    ? zipped(file, member, guard)
    : through(file, { compression, guard, signal })) {
    guard.wrote(chunk.length);
    yield chunk;
  }
  while ((await file.next(signal)).length > 0); // the hash is of every byte, also of those behind the packed data
}

async function* zipped(
  file: DataFile,
  member: string | undefined,
  guard: UnpackGuard,
): AsyncGenerator<Buffer, void, void> {
  const { stream, packedBytes } = await openZipMember(file.fd, file.name, member);
  guard.read(packedBytes);
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    throw damaged(file.name, 'zip', error);
  } finally {
    stream.destroy();
  }
}

interface Through {
  readonly compression: Exclude<Compression, 'zip'>;
  readonly guard: UnpackGuard;
  readonly signal: AbortSignal | undefined;
}

async function* through(file: DataFile, options: Through): AsyncGenerator<Buffer, void, void> {
  const { compression, guard, signal } = options;
  const unpacker = compression === 'gzip' ? gunzip() : program(compression);
  let failure: unknown;
  const feeding = pipeline(packedBytes(file, guard, signal), unpacker.input).catch((error: unknown) => {
    failure = error;
    unpacker.stop();
  });
  try {
    for await (const chunk of unpacker.output) yield chunk as Buffer;
    await unpacker.ended;
    await feeding;
  } catch (error) {
    signal?.throwIfAborted();
    throw failure instanceof AssayError ? failure : damaged(file.name, compression, error);
  } finally {
    unpacker.stop();
    await feeding;
    await unpacker.ended.catch(() => undefined);
  }
}

async function* packedBytes(file: DataFile, guard: UnpackGuard, signal: AbortSignal | undefined) {
  for (;;) {
    const chunk = await file.next(signal);
    if (chunk.length === 0) return;
    guard.read(chunk.length);
    yield Buffer.from(chunk); // the file's buffers are used again
  }
}

function gunzip(): Unpacker {
  const stream = createGunzip();
  return { input: stream, output: stream, ended: Promise.resolve(), stop: () => stream.destroy() };
}

function program(compression: keyof typeof programs): Unpacker {
  const { command, args } = programs[compression];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(0, 500);
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      if (code === 0) resolve();
      else reject(new Error(said.trim() === '' ? `${command} ended with ${code ?? killedBy}` : said.trim()));
    });
  });
  ended.catch(() => undefined); // awaited when the output has ended
  return { input: child.stdin, output: child.stdout, ended, stop: () => child.kill('SIGKILL') };
}

function damaged(name: string, compression: Compression, error: unknown): AssayError {
  if (compression !== 'gzip' && compression !== 'zip' && errorCode(error) === 'ENOENT') {
    const { command, package: brings } = programs[compression];
    return new AssayError('not_configured', `${name} is packed with ${compression}, and ${command} is not installed`, {
      why: `Files of this kind are unpacked by the program ${command}.`,
      hint: `Install it (Debian and Ubuntu: apt install ${brings}), or unpack the file and give the unpacked one.`,
    });
  }
  return new AssayError('dataset_format', `${name} is a damaged ${compression} file`, {
    why: `Unpacking it stopped: ${error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 200) : 'no reason was given'}.`,
    hint: 'Copy or download the file again, or give the unpacked one.',
  });
}
