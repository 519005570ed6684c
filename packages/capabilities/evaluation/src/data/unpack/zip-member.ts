import type { Readable } from 'node:stream';
import { AssayError } from '@assay/foundation';
import * as yauzl from 'yauzl';

/** More entries than this are not listed: an archive with so many files is no data file. */
const MOST_ENTRIES = 10_000;

export interface ZipMember {
  readonly name: string;
  readonly packedBytes: number;
  readonly stream: Readable;
}

/**
 * The one file in a ZIP archive, unpacked as it is read; folders and what macOS adds do not count. Throws
 * `dataset_format` for an archive that holds another number of files, is encrypted or damaged.
 */
export async function openZipMember(fd: number, name: string): Promise<ZipMember> {
  try {
    const archive = await yauzl.fromFdPromise(fd, { lazyEntries: true, autoClose: false });
    const entry = onlyFile(await entriesOf(archive, name), name);
    if (entry.isEncrypted()) throw refused(name, 'the file in it is encrypted');
    const stream = await archive.openReadStreamPromise(entry);
    return { name: entry.fileName, packedBytes: entry.compressedSize, stream };
  } catch (error) {
    if (error instanceof AssayError) throw error;
    throw refused(name, error instanceof Error ? error.message : 'it cannot be read');
  }
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

function onlyFile(entries: readonly yauzl.Entry[], name: string): yauzl.Entry {
  const [entry] = entries;
  if (entry !== undefined && entries.length === 1) return entry;
  if (entries.some(({ fileName }) => fileName === '[Content_Types].xml'))
    throw new AssayError('dataset_format', `${name} is an Excel or Office file, not a text table`, {
      why: 'CSV, TSV, JSON and JSONL are read.',
      hint: 'Save the sheet as CSV in UTF-8.',
    });
  const names = entries.slice(0, 5).map(({ fileName }) => fileName);
  throw refused(
    name,
    entries.length === 0
      ? 'it holds no file'
      : `it holds ${entries.length} files: ${names.join(', ')}${entries.length > 5 ? ', …' : ''}`,
  );
}

function refused(name: string, why: string): AssayError {
  return new AssayError('dataset_format', `${name} is a ZIP file that cannot be read as one table`, {
    why: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    hint: 'Unpack it and give the data file itself.',
  });
}
