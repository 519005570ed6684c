import { readFile } from 'node:fs/promises';
import { throwIfAborted } from '@assay/foundation';
import type { FileFound } from '../find-data-copies.ts';
import type { RepositoryFile } from '../repository-files.ts';
import { BLOB_RUN } from './encoded-run.ts';
import { encodedParts } from './encoded-parts.ts';
import { formOf, type Form } from './form-of.ts';
import { inflated, membersOfTar, membersOfZip } from './unpack-bytes.ts';

/** Archives are read whole: no larger ones, and what unpacks to no more. */
const LARGEST_ARCHIVE = 64 * (1 << 20);
const LARGEST_UNPACKED = 256 * (1 << 20);
/** Encoded parts of larger texts are not looked for. */
const LARGEST_ENCODED = 16 * (1 << 20);
/** An archive in an archive, or packed and encoded: so deep. */
const DEEPEST = 4;

/** How bytes that were unpacked are searched. */
export interface InnerSearch {
  readonly signal: AbortSignal;
  /** Searches a text; the name is empty for what has none. */
  text(bytes: Buffer, name: string): Promise<string | undefined>;
  /** False when there is nothing that could be found in a text. */
  readonly knowsTexts: boolean;
}

/** Searches what an archive or a packed file holds. */
export async function searchMembers(file: RepositoryFile, form: Form, search: InnerSearch): Promise<FileFound> {
  if (file.size > LARGEST_ARCHIVE) return { hindrance: 'it is an archive larger than 64 MiB' };
  if (!search.knowsTexts) return {};
  const unpacking = new Unpacking(search);
  const reason = await unpacking.open(await contentOf(file, search.signal), '', 0);
  if (reason !== undefined) return { reason };
  return unpacking.hindrance === undefined ? {} : { hindrance: unpacking.hindrance };
}

/** Searches the parts of a text that are written in base64, digits or escapes, and what those unpack to. */
export async function searchEncoded(file: RepositoryFile, search: InnerSearch): Promise<FileFound> {
  if (file.size > LARGEST_ENCODED || file.size < BLOB_RUN || !search.knowsTexts) return {};
  const unpacking = new Unpacking(search);
  const reason = await unpacking.encoded(await contentOf(file, search.signal), '', 0);
  return reason === undefined ? {} : { reason };
}

async function contentOf({ path, bytes }: RepositoryFile, signal: AbortSignal): Promise<Buffer> {
  return bytes ?? (await readFile(path, { signal }));
}

class Unpacking {
  readonly #search: InnerSearch;
  #left = LARGEST_UNPACKED;
  /** Why something inside could not be searched. */
  hindrance: string | undefined;

  constructor(search: InnerSearch) {
    this.#search = search;
  }

  /** Searches bytes of any form, whose name may be empty. */
  async open(bytes: Buffer, name: string, depth: number): Promise<string | undefined> {
    throwIfAborted(this.#search.signal);
    const form = formOf(bytes.subarray(0, 512));
    if (typeof form === 'object') return this.#hinder(`inside is ${form.closed}, which is not opened`);
    if (form === 'text') {
      const found = await this.#search.text(bytes, name);
      return found ?? (depth < DEEPEST ? this.encoded(bytes, name, depth) : undefined);
    }
    if (depth >= DEEPEST) return this.#hinder('inside are archives in archives');
    if (form === 'gzip' || form === 'zlib') {
      const plain = await inflated(form, bytes, Math.max(1, this.#left));
      if (plain === undefined) return this.#hinder('it cannot be unpacked');
      this.#left -= plain.length;
      return this.open(plain, name, depth + 1);
    }
    return this.#members(form === 'zip' ? membersOfZip(bytes, this.#left) : membersOfTar(bytes), name, depth);
  }

  async encoded(bytes: Buffer, name: string, depth: number): Promise<string | undefined> {
    if (bytes.length > LARGEST_ENCODED) return undefined;
    for (const part of encodedParts(bytes.toString('latin1'))) {
      const found = await this.open(part, name, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #members(
    members:
      | AsyncIterable<{ readonly name: string; readonly bytes: Buffer }>
      | Iterable<{ readonly name: string; readonly bytes: Buffer }>,
    name: string,
    depth: number,
  ): Promise<string | undefined> {
    let count = 0;
    for await (const member of members) {
      count += 1;
      this.#left -= member.bytes.length;
      if (this.#left < 0) return this.#hinder('unpacked it is larger than 256 MiB');
      const path = name === '' ? member.name : `${name}/${member.name}`;
      const found = await this.open(member.bytes, path, depth + 1);
      if (found !== undefined) return found;
    }
    return count === 0 ? this.#hinder('it cannot be unpacked') : undefined;
  }

  #hinder(reason: string): undefined {
    this.hindrance ??= reason;
  }
}
