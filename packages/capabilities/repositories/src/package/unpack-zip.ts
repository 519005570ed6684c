import { promisify } from 'node:util';
import type { Readable } from 'node:stream';
import { AssayError, errorText } from '@assay/foundation';
import { open as openZip, type Entry, type ZipFile } from 'yauzl';
import { damaged, type TreeWriter } from './tree-writer.ts';

const LINK = 0o120000;
const KIND = 0o170000;

/**
 * Unpacks a wheel, or a source distribution in a zip without its top folder. yauzl reads the list at the end of the
 * file and refuses names that lead out and contents that are longer than that list says.
 */
export async function unpackZip(
  archive: string,
  writer: TreeWriter,
  options: { readonly signal: AbortSignal; readonly stripTop: boolean },
): Promise<void> {
  let zip: ZipFile | undefined;
  try {
    zip = await promisify<string, object, ZipFile>(openZip)(archive, { lazyEntries: true, autoClose: false });
    for (let entry = await nextEntry(zip); entry !== undefined; entry = await nextEntry(zip)) {
      options.signal.throwIfAborted();
      await take(zip, entry, writer, options.stripTop);
    }
  } catch (error) {
    if (error instanceof AssayError) throw error;
    options.signal.throwIfAborted();
    throw damaged('the package', errorText(error));
  } finally {
    zip?.close();
  }
}

function nextEntry(zip: ZipFile): Promise<Entry | undefined> {
  return new Promise((resolve, reject) => {
    const clean = () => zip.removeAllListeners();
    zip.once('entry', (entry: Entry) => (clean(), resolve(entry)));
    zip.once('end', () => (clean(), resolve(undefined)));
    zip.once('error', (error: Error) => (clean(), reject(error)));
    zip.readEntry();
  });
}

async function take(zip: ZipFile, entry: Entry, writer: TreeWriter, stripTop: boolean): Promise<void> {
  const place = writer.place(entry.fileName, stripTop);
  if (place === null || entry.fileName.endsWith('/')) return;
  const mode = entry.externalFileAttributes >>> 16;
  if ((mode & KIND) === LINK) writer.skip(place, 'archive_link');
  else if (entry.isEncrypted()) writer.skip(place, 'unreadable');
  else await writer.file(place, await contentOf(zip, entry), (mode & 0o100) !== 0);
}

function contentOf(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) =>
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream))),
  );
}
