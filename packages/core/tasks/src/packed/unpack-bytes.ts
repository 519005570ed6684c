import { promisify } from 'node:util';
import { constants, gunzip, inflate } from 'node:zlib';
import { zipEntries } from '../columns/zip-entries.ts';

const unzipped = { gzip: promisify(gunzip), zlib: promisify(inflate) };
const BLOCK = 512;
const MOST_MEMBERS = 20_000;

export interface Member {
  /** Its name within what it was unpacked from; empty when it has none. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** The bytes of a packed file, as much as is there when it was cut; undefined when they are damaged or too many. */
export async function inflated(form: 'gzip' | 'zlib', bytes: Buffer, most: number): Promise<Buffer | undefined> {
  try {
    return await unzipped[form](bytes, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return undefined;
  }
}

/** The members of a zip archive that can be read. */
export async function* membersOfZip(bytes: Buffer, most: number): AsyncGenerator<Member> {
  for await (const { name, content } of zipEntries(bytes, most)) yield { name, bytes: content };
}

/** The regular files of a tar archive (POSIX ustar; long names by their last header are cut). */
export function* membersOfTar(bytes: Buffer): Generator<Member> {
  let at = 0;
  for (let member = 0; member < MOST_MEMBERS && at + BLOCK <= bytes.length; member++) {
    const size = Number.parseInt(
      bytes
        .toString('latin1', at + 124, at + 136)
        .replaceAll('\0', '')
        .trim() || '0',
      8,
    );
    if (!Number.isFinite(size) || bytes[at] === 0) return;
    const type = bytes.toString('latin1', at + 156, at + 157);
    const begin = at + BLOCK;
    if (type === '0' || type === '\0' || type === '7')
      yield { name: nameAt(bytes, at), bytes: bytes.subarray(begin, Math.min(bytes.length, begin + size)) };
    at = begin + BLOCK * Math.ceil(size / BLOCK);
  }
}

function nameAt(bytes: Buffer, at: number): string {
  const text = (from: number, to: number) => bytes.toString('utf8', from, to).split('\0', 1)[0]!;
  const prefix = text(at + 345, at + 500);
  return prefix === '' ? text(at, at + 100) : `${prefix}/${text(at, at + 100)}`;
}
