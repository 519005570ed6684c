import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rmdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, errorText, isId, isoTime, newId, type Clock, type Logger } from '@assay/foundation';
import { uploadSchema, type Upload, type UploadLimits } from '@assay/contracts';
import { readJson, removeTree, syncDirectory, writeJsonDurable } from '@assay/files';
import { safeFileName, UPLOAD_RECORD } from './file-name.ts';
import { UploadRate } from './upload-rate.ts';

/** A file on its way in. Its content may end with an error: then nothing of it is kept. */
export interface IncomingUpload {
  readonly name: string;
  /** What the whole request says it holds, when it does: a file cannot be larger. */
  readonly declaredBytes?: number | undefined;
  readonly content: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
}

/** The files that were sent to a home, each in a folder of its own with its record. A name in a record is no path. */
export interface UploadStore extends AsyncDisposable {
  readonly limits: UploadLimits;
  /** Writes the file while it comes, never more than a piece of it in memory. Rejects with what stands against it. */
  create(ownerId: string, incoming: IncomingUpload): Promise<Upload>;
  /** Of one owner, newest first. */
  list(ownerId: string): Upload[];
  usedBytes(ownerId: string): number;
  /** Rejects with `not_found` and `not_owner`. */
  find(ownerId: string, id: string): { readonly upload: Upload; readonly path: string };
  /** Also rejects with `conflict` while a plan needs it. */
  remove(ownerId: string, id: string): Promise<Upload>;
  /** Removes what has expired and is not needed. */
  sweep(): Promise<void>;
}

export interface UploadStoreOptions {
  readonly dir: string;
  readonly limits: UploadLimits;
  /** So much of the disk stays free. */
  readonly keepFreeBytes: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Why the file must stay, in words for people; undefined when it need not. */
  readonly neededBy: (path: string, upload: Upload) => string | undefined;
}

/** Ending of a folder whose file has not wholly come. */
export const PARTIAL = '.part';
const SWEEP_MS = 10 * 60_000;
/** After so many bytes the disk is looked at again. */
const LOOK_AT_DISK_BYTES = 64 * (1 << 20);

/** The folder of an owner's files: a name that every owner id gives and no two share. */
export function ownerFolder(ownerId: string): string {
  return createHash('sha256').update(ownerId).digest('hex').slice(0, 32);
}

/** Opens the store: what was left half sent is removed, what is there is known again. */
export async function openUploadStore(options: UploadStoreOptions): Promise<UploadStore> {
  await mkdir(options.dir, { recursive: true, mode: 0o700 });
  const store = new FileUploadStore(options);
  await store.load();
  store.sweepRegularly();
  return store;
}

class FileUploadStore implements UploadStore {
  readonly limits: UploadLimits;
  readonly #options: UploadStoreOptions;
  readonly #uploads = new Map<string, Upload>();
  /** Bytes of files on their way, by owner. */
  readonly #coming = new Map<string, Set<{ bytes: number }>>();
  readonly #rate: UploadRate;
  readonly #closing = new AbortController();
  readonly #open = new Set<Promise<unknown>>();

  constructor(options: UploadStoreOptions) {
    this.#options = options;
    this.limits = options.limits;
    this.#rate = new UploadRate(options.clock, options.limits.perMinute);
  }

  async load(): Promise<void> {
    const { dir, logger } = this.#options;
    for (const owner of await folders(dir))
      for (const name of await folders(join(dir, owner))) {
        const folder = join(dir, owner, name);
        if (name.endsWith(PARTIAL)) await removeTree(folder);
        else
          await readUpload(folder).then(
            (upload) => this.#uploads.set(upload.id, upload),
            (error: unknown) => logger.log('warn', 'an upload cannot be read', { folder, error: errorText(error) }),
          );
      }
    await this.sweep();
  }

  sweepRegularly(): void {
    const { clock, logger } = this.#options;
    const run = async () => {
      for (;;) {
        await clock.sleep(SWEEP_MS, this.#closing.signal);
        await this.sweep().catch((error: unknown) =>
          logger.log('warn', 'expired uploads could not be removed', { error: errorText(error) }),
        );
      }
    };
    run().catch(() => undefined); // closed
  }

  create(ownerId: string, incoming: IncomingUpload): Promise<Upload> {
    const writing = this.#create(ownerId, incoming);
    this.#open.add(writing);
    writing.catch(() => undefined).finally(() => this.#open.delete(writing));
    return writing;
  }

  async #create(ownerId: string, incoming: IncomingUpload): Promise<Upload> {
    this.#rate.take(ownerId);
    await this.sweep();
    await this.#refuse(ownerId, incoming.declaredBytes ?? 0);
    const mine = { bytes: 0 };
    const coming = this.#coming.get(ownerId) ?? new Set();
    this.#coming.set(ownerId, coming.add(mine));
    try {
      return await this.#write(ownerId, incoming, mine);
    } finally {
      coming.delete(mine);
      if (coming.size === 0) this.#coming.delete(ownerId);
    }
  }

  /** What can be known before a byte is written. */
  async #refuse(ownerId: string, declaredBytes: number): Promise<void> {
    const { maxFiles } = this.limits;
    if (this.list(ownerId).length + (this.#coming.get(ownerId)?.size ?? 0) >= maxFiles)
      throw new AssayError('upload_limit', `there are ${maxFiles} sent files already`, {
        why: 'that is the most that one user may have here at a time (uploads.max_files)',
        hint: 'remove some that are no longer needed, or name the new file by its path',
      });
    this.#checkSize(ownerId, declaredBytes);
    await this.#checkDisk(declaredBytes);
  }

  /** Of a request, whose size is a little more than the file in it. */
  #checkSize(ownerId: string, declaredBytes: number): void {
    const bytes = Math.max(0, declaredBytes - FRAME_BYTES);
    if (bytes > this.limits.maxBytes) throw tooLarge(this.limits.maxBytes);
    this.#checkSum(ownerId, bytes);
  }

  #checkSum(ownerId: string, more: number): void {
    const { totalBytes } = this.limits;
    const used = this.usedBytes(ownerId);
    if (used + more <= totalBytes) return;
    throw new AssayError('upload_limit', 'the sent files would be too large together', {
      why: `one user may keep ${amount(totalBytes)} here (uploads.total_bytes), and ${amount(used)} are used`,
      hint: 'remove some that are no longer needed, or name the new file by its path',
    });
  }

  async #checkDisk(bytes: number): Promise<void> {
    const { dir, keepFreeBytes } = this.#options;
    const { bavail, bsize } = await statfs(dir);
    if (bavail * bsize - bytes >= keepFreeBytes) return;
    throw new AssayError('disk_full', 'the disk has no room for this file', {
      why: `${amount(bavail * bsize)} are free, and ${amount(keepFreeBytes)} are kept free (uploads.keep_free_bytes)`,
      hint: 'free some space, or name the file by its path: then it is read where it is',
    });
  }

  async #write(ownerId: string, incoming: IncomingUpload, mine: { bytes: number }): Promise<Upload> {
    const { dir, clock } = this.#options;
    const id = newId('upload');
    const name = safeFileName(incoming.name);
    const parent = join(dir, ownerFolder(ownerId));
    const folder = join(parent, id);
    const part = `${folder}${PARTIAL}`;
    const signals = [this.#closing.signal, ...(incoming.signal === undefined ? [] : [incoming.signal])];
    try {
      await mkdir(parent, { recursive: true, mode: 0o700 });
      await mkdir(part, { mode: 0o700 });
      const sha256 = await this.#writeContent(join(part, name), incoming.content, {
        ownerId,
        mine,
        signal: AbortSignal.any(signals),
      });
      const now = clock.now();
      const upload: Upload = {
        v: 1,
        id,
        ownerId,
        name,
        size: mine.bytes,
        sha256,
        createdAt: isoTime(now),
        expiresAt: isoTime(now + this.limits.expireHours * 3_600_000),
      };
      await writeJsonDurable(join(part, UPLOAD_RECORD), upload);
      await rename(part, folder);
      await syncDirectory(parent);
      this.#uploads.set(id, upload);
      return upload;
    } catch (error) {
      await removeTree(part);
      await rmdir(parent).catch(() => undefined); // others are in it
      throw error;
    }
  }

  async #writeContent(
    path: string,
    content: AsyncIterable<Uint8Array>,
    {
      ownerId,
      mine,
      signal,
    }: { readonly ownerId: string; readonly mine: { bytes: number }; readonly signal: AbortSignal },
  ): Promise<string> {
    const hash = createHash('sha256');
    const handle = await open(path, 'wx', 0o600);
    try {
      let looked = 0;
      for await (const chunk of content) {
        signal.throwIfAborted();
        mine.bytes += chunk.length;
        if (mine.bytes > this.limits.maxBytes) throw tooLarge(this.limits.maxBytes);
        this.#checkSum(ownerId, 0);
        if (mine.bytes - looked >= LOOK_AT_DISK_BYTES) {
          looked = mine.bytes;
          await this.#checkDisk(0);
        }
        hash.update(chunk);
        await writeAll(handle, chunk);
      }
      signal.throwIfAborted();
      if (mine.bytes === 0)
        throw new AssayError('dataset_empty', 'the sent file is empty', { hint: 'send a file with a header and rows' });
      await handle.sync();
    } finally {
      await handle.close();
    }
    return hash.digest('hex');
  }

  list(ownerId: string): Upload[] {
    return [...this.#uploads.values()]
      .filter((upload) => upload.ownerId === ownerId)
      .sort((a, b) => (a.id < b.id ? 1 : -1));
  }

  usedBytes(ownerId: string): number {
    const coming = [...(this.#coming.get(ownerId) ?? [])].reduce((sum, { bytes }) => sum + bytes, 0);
    return this.list(ownerId).reduce((sum, { size }) => sum + size, coming);
  }

  find(ownerId: string, id: string): { readonly upload: Upload; readonly path: string } {
    const upload = this.#uploads.get(id);
    if (upload === undefined)
      throw new AssayError('not_found', 'this sent file is not here any more', {
        why: `sent files are removed after ${this.limits.expireHours} hours, or when somebody removes them`,
        hint: 'send it again, or name it by its path',
        details: { upload: id.slice(0, 100) },
      });
    if (upload.ownerId !== ownerId)
      throw new AssayError('not_owner', 'this file was sent by somebody else', {
        hint: 'send it yourself, or ask with the user id of its owner',
      });
    return { upload, path: join(this.#folderOf(upload), upload.name) };
  }

  async remove(ownerId: string, id: string): Promise<Upload> {
    const { upload, path } = this.find(ownerId, id);
    const needed = this.#options.neededBy(path, upload);
    if (needed !== undefined)
      throw new AssayError('conflict', `${upload.name} is still needed`, {
        why: needed,
        hint: 'wait until the plan has ended, or cancel it',
      });
    await this.#drop(upload);
    return upload;
  }

  async sweep(): Promise<void> {
    const now = isoTime(this.#options.clock.now());
    for (const upload of this.#uploads.values()) {
      if (upload.expiresAt > now) continue;
      const path = join(this.#folderOf(upload), upload.name);
      if (this.#options.neededBy(path, upload) === undefined) await this.#drop(upload);
    }
  }

  /** First out of sight, in one step: a file that is half removed would look like damage. */
  async #drop(upload: Upload): Promise<void> {
    const folder = this.#folderOf(upload);
    this.#uploads.delete(upload.id);
    await rename(folder, `${folder}${PARTIAL}`);
    await removeTree(`${folder}${PARTIAL}`);
    await rmdir(join(folder, '..')).catch(() => undefined); // others are in it
  }

  #folderOf({ ownerId, id }: Upload): string {
    return join(this.#options.dir, ownerFolder(ownerId), id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('the daemon is stopping'));
    await Promise.allSettled(this.#open);
  }
}

/** What multipart/form-data adds to a file: boundaries and headers. */
const FRAME_BYTES = 4096;

async function writeAll(handle: Awaited<ReturnType<typeof open>>, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await handle.write(chunk, at)).bytesWritten;
}

async function folders(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** The record of a folder. Throws when it is missing, damaged or of another folder. */
export async function readUpload(folder: string): Promise<Upload> {
  const upload = uploadSchema.parse(await readJson(join(folder, UPLOAD_RECORD)));
  const name = folder.split('/').at(-1)!;
  if (upload.id !== name || !isId('upload', name)) throw new Error(`its record is of ${upload.id}`);
  if (safeFileName(upload.name) !== upload.name) throw new Error('its record names no file of the folder');
  return upload;
}

function tooLarge(maxBytes: number): AssayError {
  return new AssayError('payload_too_large', 'this file is too large to be sent', {
    why: `at most ${amount(maxBytes)} may be sent (uploads.max_bytes)`,
    hint: 'name it by its path on this machine: then it is read where it is, whatever its size',
    details: { maxBytes },
  });
}

function amount(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number(value.toFixed(1))} ${units[unit]}`;
}
