import { Transform, type Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { AssayError } from '@assay/foundation';
import * as yauzl from 'yauzl';

/** More entries than this are not listed: an archive with so many files is no data file. */
const MOST_ENTRIES = 10_000;

/** Files that a refusal names; the question about them offers more. */
const MOST_NAMED = 5;

export interface ZipMember {
  readonly name: string;
  readonly packedBytes: number;
  readonly stream: Readable;
}

/** A file in a ZIP archive. */
export interface ZipFile {
  readonly name: string;
  readonly bytes: number;
}

/** The files in a ZIP archive, in its order; folders and what macOS adds do not count. Throws `dataset_format`. */
export async function listZip(fd: number, name: string): Promise<readonly ZipFile[]> {
  return reading(name, async (archive) => {
    const entries = await entriesOf(archive, name);
    refuseOffice(entries, name);
    if (entries.length === 0) throw refused(name, 'it holds no file');
    return entries.map(({ fileName, uncompressedSize }) => ({ name: fileName, bytes: uncompressedSize }));
  })(fd);
}

/**
 * One file in a ZIP archive, unpacked and compared with its check sum as it is read: the one that is named, else the only
 * one. Throws `dataset_format` when there is not exactly one, and for an archive that is encrypted or damaged.
 */
export async function openZipMember(fd: number, name: string, member: string | undefined): Promise<ZipMember> {
  return reading(name, async (archive) => {
    const entries = await entriesOf(archive, name);
    refuseOffice(entries, name);
    const entry = chosen(entries, name, member);
    if (entry.isEncrypted())
      throw new AssayError('dataset_format', `${entry.fileName} in ${name} is encrypted`, {
        why: 'A password is needed to read it.',
        hint: 'Unpack it with its password and give the data file itself.',
      });
    const packed = await archive.openReadStreamPromise(entry);
    const stream = checked(entry.crc32, entry.fileName);
    packed.once('error', (error) => stream.destroy(error));
    stream.once('close', () => packed.destroy());
    packed.pipe(stream);
    return { name: entry.fileName, packedBytes: entry.compressedSize, stream };
  })(fd);
}

function reading<T>(name: string, work: (archive: yauzl.ZipFile) => Promise<T>): (fd: number) => Promise<T> {
  return async (fd) => {
    try {
      return await work(await yauzl.fromFdPromise(fd, { lazyEntries: true, autoClose: false }));
    } catch (error) {
      if (error instanceof AssayError) throw error;
      throw refused(name, error instanceof Error ? error.message : 'it cannot be read');
    }
  };
}

/** Passes bytes on and fails at their end when their check sum is not the one that the archive has. */
function checked(expected: number, member: string): Transform {
  let sum = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      sum = crc32(chunk, sum);
      done(null, chunk);
    },
    flush(done) {
      done(sum === expected ? null : new Error(`the check sum (CRC-32) of ${member} is not the one in the archive`));
    },
  });
}

function entriesOf(archive: yauzl.ZipFile, name: string): Promise<yauzl.Entry[]> {
  const entries: yauzl.Entry[] = [];
  return new Promise((resolve, reject) => {
    if (archive.entryCount > MOST_ENTRIES) {
      reject(refused(name, `it has ${archive.entryCount} entries`));
      return;
    }
    archive.on('entry', (entry: yauzl.Entry) => {
      if (!entry.fileName.endsWith('/') && !entry.fileName.startsWith('__MACOSX/')) entries.push(entry);
      archive.readEntry();
    });
    archive.once('end', () => resolve(entries));
    archive.once('error', reject);
    archive.readEntry();
  });
}

function refuseOffice(entries: readonly yauzl.Entry[], name: string): void {
  if (entries.every(({ fileName }) => fileName !== '[Content_Types].xml')) return;
  throw new AssayError('dataset_format', `${name} is an Excel or Office file, not a text table`, {
    why: 'CSV, TSV, JSON and JSONL are read.',
    hint: 'Save the sheet as CSV in UTF-8.',
  });
}

function chosen(entries: readonly yauzl.Entry[], name: string, member: string | undefined): yauzl.Entry {
  const fitting = member === undefined ? entries : entries.filter(({ fileName }) => fileName === member);
  const [entry] = fitting;
  if (entry !== undefined && fitting.length === 1) return entry;
  if (member === undefined)
    throw severalFiles(
      name,
      entries.map(({ fileName }) => fileName),
    );
  const why = entry === undefined ? `There is ${listed(entries)} in it.` : 'That name stands in it more than once.';
  throw new AssayError('dataset_format', `${name} holds no single file called ${member}`, {
    why,
    hint: 'Give one of the names to --member, or unpack the archive and give the data file itself.',
  });
}

/** The refusal of an archive with several files of which none was named. */
export function severalFiles(name: string, names: readonly string[]): AssayError {
  return new AssayError('dataset_format', `${name} is a ZIP file that cannot be read as one table`, {
    why: `It holds ${names.length} files: ${shortened(names)}.`,
    hint: `Say which: --member '${names[0] ?? ''}'. Or unpack it and give the data file itself.`,
    details: { options: names.slice(0, 200) },
  });
}

function listed(entries: readonly yauzl.Entry[]): string {
  return entries.length === 0 ? 'no file' : shortened(entries.map(({ fileName }) => fileName));
}

function shortened(names: readonly string[]): string {
  return `${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ', …' : ''}`;
}

function refused(name: string, why: string): AssayError {
  return new AssayError('dataset_format', `${name} is a ZIP file that cannot be read as one table`, {
    why: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    hint: 'Unpack it and give the data file itself.',
  });
}
