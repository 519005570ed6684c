import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw);

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_SIZE = 22;
const LONGEST_COMMENT = 65_535;
const MOST_ENTRIES = 20_000;

export interface ZipContent {
  readonly name: string;
  readonly content: Buffer;
}

/**
 * The unpacked files of a zip archive (PKWARE APPNOTE 6.3, without its 64-bit and encrypted forms), in the order of its
 * directory, those that can be read: stored or deflated, and together no larger than a limit.
 */
export async function* zipEntries(archive: Buffer, largest: number): AsyncGenerator<ZipContent> {
  let left = largest;
  for (const { name, start, packed, unpacked, method } of directory(archive)) {
    if (unpacked > left || start + 30 > archive.length) continue;
    const begin = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
    const bytes = archive.subarray(begin, begin + packed);
    const content = method === 0 ? bytes : method === 8 ? await inflated(bytes, left) : undefined;
    if (content === undefined) continue;
    left -= content.length;
    yield { name, content };
  }
}

interface Entry {
  readonly name: string;
  readonly start: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly method: number;
}

function* directory(archive: Buffer): Generator<Entry> {
  const end = endOfDirectory(archive);
  if (end === undefined) return;
  let at = archive.readUInt32LE(end + 16);
  for (let entry = 0; entry < MOST_ENTRIES && at + 46 <= archive.length; entry++) {
    if (archive.readUInt32LE(at) !== ENTRY) return;
    yield {
      name: archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28)),
      start: archive.readUInt32LE(at + 42),
      packed: archive.readUInt32LE(at + 20),
      unpacked: archive.readUInt32LE(at + 24),
      method: archive.readUInt16LE(at + 10),
    };
    at += 46 + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
}

function endOfDirectory(archive: Buffer): number | undefined {
  const first = Math.max(0, archive.length - END_SIZE - LONGEST_COMMENT);
  for (let at = archive.length - END_SIZE; at >= first; at--) if (archive.readUInt32LE(at) === END) return at;
  return undefined;
}

/** Undefined for damaged data and for more than the limit. */
async function inflated(bytes: Buffer, largest: number): Promise<Buffer | undefined> {
  try {
    return await inflate(bytes, { maxOutputLength: Math.max(1, largest) });
  } catch {
    return undefined;
  }
}
