import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AssayError, errorText } from '@assay/foundation';
import { extract, type Headers } from 'tar-stream';
import type { SkipReason } from '../repository.ts';
import { damaged, type TreeWriter } from './tree-writer.ts';

const skippedKinds: Readonly<Record<string, SkipReason>> = {
  link: 'archive_link',
  symlink: 'archive_link',
  'character-device': 'special_file',
  'block-device': 'special_file',
  fifo: 'special_file',
};

/** Unpacks a source distribution without the folder NAME-VERSION that everything in it lies in. */
export async function unpackTarGz(archive: string, writer: TreeWriter, signal: AbortSignal): Promise<void> {
  const entries = extract();
  const unpacked = pipeline(createReadStream(archive), createGunzip(), entries, { signal });
  unpacked.catch(() => undefined); // it ends the loop below, which tells it
  try {
    for await (const entry of entries) {
      await take(entry.header, entry, writer);
      entry.resume();
    }
    await unpacked;
  } catch (error) {
    if (error instanceof AssayError) throw error;
    signal.throwIfAborted();
    throw damaged('the package', errorText(error));
  }
}

async function take(header: Headers, content: Readable, writer: TreeWriter): Promise<void> {
  const place = writer.place(header.name, true);
  if (place === null) return;
  const skipped = skippedKinds[header.type ?? 'file'];
  if (skipped !== undefined) writer.skip(place, skipped);
  else if (header.type === 'file' || header.type === 'contiguous-file')
    await writer.file(place, content, ((header.mode ?? 0) & 0o100) !== 0);
}
