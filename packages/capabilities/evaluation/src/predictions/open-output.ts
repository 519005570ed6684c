import { constants } from 'node:fs';
import { lstat, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { AssayError, errorCode, throwIfAborted } from '@assay/foundation';

export interface OpenOutputOptions {
  readonly maxBytes: number;
  /** Milliseconds since 1970: an older file was not made by this run (`output_stale`). */
  readonly notBefore?: number | undefined;
}

/** A file that an adapter wrote, opened so that it cannot be another file than the one that was checked. */
export interface OutputFile extends AsyncDisposable {
  readonly name: string;
  readonly size: number;
  /** The bytes in blocks. Throws `output_unsafe` when the file grows or changes meanwhile. */
  blocks(signal?: AbortSignal): AsyncGenerator<Buffer>;
}

/**
 * Opens `name` below `root`. Only a regular file with one name will do: a symbolic link in any component below the
 * root, a hard link, a FIFO or a device is `output_unsafe`; nothing there is `output_missing`; too large is
 * `output_too_large`; too old is `output_stale`. The root itself is ours and trusted.
 */
export async function openOutput(root: string, name: string, options: OpenOutputOptions): Promise<OutputFile> {
  const base = await realpath(root);
  await checkComponents(base, name);
  const path = join(base, name);
  const handle = await openNoFollow(path, name);
  try {
    // The path could have been swapped between the check and the opening: ask the kernel what was opened.
    const opened = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => path);
    if (opened !== path) throw unsafe(name, 'it was reached through a link');
    const facts = await handle.stat();
    if (!facts.isFile()) throw unsafe(name, 'it is not a regular file');
    if (facts.nlink !== 1) throw unsafe(name, `it has ${facts.nlink} names (hard links)`);
    if (facts.size > options.maxBytes) throw tooLarge(name, facts.size, options.maxBytes);
    if (options.notBefore !== undefined && facts.mtimeMs < options.notBefore) throw stale(name, facts.mtimeMs);
    return outputFile(handle, { name, size: facts.size, mtimeMs: facts.mtimeMs });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function checkComponents(base: string, name: string): Promise<void> {
  const parts = name.split(sep);
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0')))
    throw unsafe(name, 'its path is not a plain relative path');
  let path = base;
  for (const [i, part] of parts.entries()) {
    path = join(path, part);
    const facts = await lstat(path).catch((error: unknown) => {
      throw notOpened(name, error);
    });
    if (facts.isSymbolicLink()) throw unsafe(name, `"${part}" is a symbolic link`);
    if (i < parts.length - 1 && !facts.isDirectory()) throw unsafe(name, `"${part}" is not a folder`);
    if (i === parts.length - 1 && !facts.isFile()) throw unsafe(name, 'it is not a regular file');
  }
}

async function openNoFollow(path: string, name: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === 'ELOOP') throw unsafe(name, 'it is a symbolic link');
    throw notOpened(name, error);
  }
}

function outputFile(
  handle: FileHandle,
  facts: { readonly name: string; readonly size: number; readonly mtimeMs: number },
): OutputFile {
  return {
    name: facts.name,
    size: facts.size,
    async *blocks(signal) {
      const buffer = Buffer.allocUnsafe(256 * 1024);
      let at = 0;
      while (at < facts.size) {
        throwIfAborted(signal);
        const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, facts.size - at), at);
        if (bytesRead === 0) break;
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
      const now = await handle.stat();
      if (at !== facts.size || now.size !== facts.size || now.mtimeMs !== facts.mtimeMs)
        throw unsafe(facts.name, 'it changed while it was read');
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

function unsafe(name: string, why: string): AssayError {
  return new AssayError('output_unsafe', `the output ${name} is not accepted`, {
    why: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    hint: 'The adapter must write a regular file of its own into the output folder.',
    details: { file: name },
  });
}

function notOpened(name: string, error: unknown): AssayError {
  if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR')
    return new AssayError('output_missing', `the run left no ${name}`, {
      why: 'The adapter ended without writing it into the output folder.',
      hint: 'Read the log of the run for the reason.',
      details: { file: name },
    });
  return unsafe(name, `it cannot be opened (${errorCode(error) ?? 'unknown error'})`);
}

function tooLarge(name: string, size: number, maxBytes: number): AssayError {
  return new AssayError('output_too_large', `${name} has ${size} bytes`, {
    why: `At most ${maxBytes} bytes are read.`,
    hint: 'Write one short line per row and nothing else, or predict fewer rows with --limit.',
    details: { file: name, size, maxBytes },
  });
}

function stale(name: string, mtimeMs: number): AssayError {
  return new AssayError('output_stale', `${name} is older than the run`, {
    why: `It was last written at ${new Date(mtimeMs).toISOString()}.`,
    hint: 'The adapter must write its outputs itself, in this run.',
    details: { file: name },
  });
}
