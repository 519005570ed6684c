import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '@assay/foundation';
import type { UploadLimits } from '@assay/contracts';
import { MovingClock, temporaryFolder, verifies } from '@assay/testkit';
import { neededBy, openHome, openUploadStore, type UploadStoreOptions } from '../src/index.ts';
import { fsck } from '../src/offline/index.ts';
import { safeFileName } from '../src/uploads/file-name.ts';

const HOUR_MS = 3_600_000;
const limits: UploadLimits = { maxBytes: 1000, maxFiles: 3, totalBytes: 1500, perMinute: 5, expireHours: 2 };

async function opened(more: Partial<UploadStoreOptions> = {}) {
  const folder = await temporaryFolder();
  const home = await openHome(join(folder.path, 'home'), Date.now());
  const clock = new MovingClock();
  const options: UploadStoreOptions = {
    dir: home.uploads,
    limits,
    keepFreeBytes: 0,
    clock,
    logger: silentLogger,
    neededBy: () => undefined,
    ...more,
  };
  const store = await openUploadStore(options);
  return {
    store,
    home,
    clock,
    options,
    files: async () => (await readdir(home.uploads, { recursive: true })).sort(),
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function* pieces(...texts: readonly (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield Buffer.from(text);
  }
}

describe('files that were sent', () => {
  it('are kept with their hash, known after a restart, and belong to their sender', async () => {
    verifies('uploads.kept');
    await using it = await opened();
    const upload = await it.store.create('ada', { name: '../../企鹅 数据.csv', content: pieces('a,b\n', '1,2\n') });
    expect(upload).toMatchObject({ name: '企鹅 数据.csv', size: 8, ownerId: 'ada' });
    expect(upload.sha256).toBe(createHash('sha256').update('a,b\n1,2\n').digest('hex'));
    await using again = await openUploadStore(it.options);
    const { path } = again.find('ada', upload.id);
    expect(await readFile(path, 'utf8')).toBe('a,b\n1,2\n');
    expect(again.list('ada')).toEqual([upload]);
    expect(again.list('bob')).toEqual([]);
    expect(() => again.find('bob', upload.id)).toThrow(expect.objectContaining({ code: 'not_owner' }) as Error);
    await expect(again.remove('bob', upload.id)).rejects.toMatchObject({ code: 'not_owner' });
    await again.remove('ada', upload.id);
    expect(await it.files()).toEqual([]);
    expect(() => again.find('ada', upload.id)).toThrow(expect.objectContaining({ code: 'not_found' }) as Error);
  });

  it.each<[string, readonly (string | Error)[], string]>([
    ['was cut off', ['half', new Error('the connection is gone')], 'the connection is gone'],
    ['is too large', ['x'.repeat(600), 'x'.repeat(600)], 'too large'],
    ['is empty', [], 'empty'],
  ])('leave nothing when one %s', async (_, parts, says) => {
    verifies('uploads.whole-or-nothing', 'uploads.limits');
    await using it = await opened();
    await expect(it.store.create('ada', { name: 'a.csv', content: pieces(...parts) })).rejects.toThrow(says);
    expect(await it.files()).toEqual([]);
    expect(it.store.usedBytes('ada')).toBe(0);
  });

  it('leave nothing when one is canceled, the daemon stops, or it was killed', async () => {
    verifies('uploads.whole-or-nothing');
    await using it = await opened();
    const stop = new AbortController();
    async function* slow() {
      yield Buffer.from('a,b\n');
      stop.abort(new Error('canceled'));
      yield Buffer.from('1,2\n');
    }
    const canceled = it.store.create('ada', { name: 'a.csv', content: slow(), signal: stop.signal });
    await expect(canceled).rejects.toThrow('canceled');
    expect(await it.files()).toEqual([]);
    const part = join(it.home.uploads, 'a'.repeat(32), 'upload_01ARZ3NDEKTSV4RRFFQ69G5FAV.part');
    await mkdir(part, { recursive: true });
    await writeFile(join(part, 'a.csv'), 'half');
    expect((await fsck(it.home.root)).findings).toMatchObject([{ severity: 'note' }]);
    await using _again = await openUploadStore(it.options);
    expect(await readdir(dirname(part))).toEqual([]);
  });

  it('are bounded by count, sum, rate and disk, and each refusal says what to do', async () => {
    verifies('uploads.limits');
    await using it = await opened();
    const send = (bytes: number, declaredBytes?: number) =>
      it.store.create('ada', { name: 'a.csv', content: pieces('x'.repeat(bytes)), declaredBytes });
    await expect(send(1, 1_000_000)).rejects.toMatchObject({
      code: 'payload_too_large',
      hint: expect.stringContaining('path') as string,
    });
    await send(900);
    await expect(send(700)).rejects.toMatchObject({ code: 'upload_limit' });
    await send(10);
    await send(10);
    await expect(send(10)).rejects.toMatchObject({
      code: 'too_many_requests',
      details: { retryAfterSeconds: 60 },
    });
    await it.store.create('bob', { name: 'a.csv', content: pieces('others are not concerned') });
    await it.clock.advance(61_000);
    await expect(send(10)).rejects.toMatchObject({ code: 'upload_limit', message: 'there are 3 sent files already' });
    await using full = await opened({ keepFreeBytes: Number.MAX_SAFE_INTEGER });
    await expect(full.store.create('ada', { name: 'a', content: pieces('x') })).rejects.toMatchObject({
      code: 'disk_full',
    });
    expect(await full.files()).toEqual([]);
  });

  it('count while they come, so that several at once do not pass the sum', async () => {
    verifies('uploads.limits');
    await using it = await opened();
    const results = await Promise.allSettled(
      ['a', 'b'].map((name) => it.store.create('ada', { name, content: pieces('x'.repeat(500), 'x'.repeat(400)) })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('are removed when they have expired and no plan needs them', async () => {
    verifies('uploads.expire');
    let needed: string | undefined = 'plan_1 reads it';
    await using it = await opened({ neededBy: () => needed });
    const upload = await it.store.create('ada', { name: 'a.csv', content: pieces('a,b\n1,2\n') });
    await expect(it.store.remove('ada', upload.id)).rejects.toMatchObject({ code: 'conflict', why: 'plan_1 reads it' });
    await it.clock.advance(3 * HOUR_MS);
    await it.store.sweep();
    expect(it.store.list('ada')).toHaveLength(1);
    needed = undefined;
    await it.store.sweep();
    expect(await it.files()).toEqual([]);
    const file = { path: '/u/a.csv', size: 100 };
    const plan = (status: 'pending' | 'completed' | 'failed') => [
      { id: 'plan_1', status, inputs: { data: '/u/a.csv' } },
    ];
    expect(neededBy(plan('pending'), file, 1000)).toContain('has not ended');
    expect(neededBy(plan('completed'), file, 1000)).toBeUndefined();
    expect(neededBy(plan('completed'), file, 99)).toContain('verified by it');
    expect(neededBy(plan('failed'), file, 99)).toBeUndefined();
    expect(neededBy(plan('pending'), { ...file, path: '/u/b.csv' }, 1000)).toBeUndefined();
  });

  it('are checked by fsck: content, owner, record', async () => {
    verifies('uploads.fsck');
    await using it = await opened();
    const { id } = await it.store.create('ada', { name: 'a.csv', content: pieces('a,b\n1,2\n') });
    const { path } = it.store.find('ada', id);
    expect((await fsck(it.home.root)).findings).toEqual([]);
    await writeFile(path, 'a,b\n1,3\n');
    expect(await fsck(it.home.root)).toMatchObject({
      ok: false,
      findings: [{ message: expect.stringContaining('not what was sent') as string }],
    });
    await rm(path);
    expect((await fsck(it.home.root)).ok).toBe(false);
    await writeFile(path, 'a,b\n1,2\n');
    await writeFile(join(dirname(path), 'stray'), '');
    expect(await fsck(it.home.root)).toMatchObject({ ok: true, findings: [{ severity: 'note' }] });
    await rm(join(dirname(path), 'stray'));
    const elsewhere = join(it.home.uploads, 'f'.repeat(32));
    await mkdir(elsewhere);
    await rename(dirname(path), join(elsewhere, id));
    expect(await fsck(it.home.root)).toMatchObject({
      ok: false,
      findings: [{ message: expect.stringContaining('another owner') as string }],
    });
    await writeFile(join(elsewhere, id, 'upload.json'), '{}');
    expect((await fsck(it.home.root)).ok).toBe(false);
  });
});

describe('names of sent files', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\data\\rows.tsv.gz', 'rows.tsv.gz'],
    ['..', 'data'],
    ['', 'data'],
    ['.csv', 'csv'],
    ['a\0b\u202ecsv.exe', 'abcsv.exe'],
    ['  .hidden ', 'hidden'],
    ['upload.json', 'upload-data.json'],
    ['企鹅.csv', '企鹅.csv'],
    ['a<b>:"|?*c.csv', 'a-b------c.csv'],
  ])('%j becomes %j', (sent, kept) => {
    verifies('uploads.safe-names');
    expect(safeFileName(sent)).toBe(kept);
    expect(safeFileName(kept)).toBe(kept);
  });

  it('are short enough for every file system, and keep their ending', () => {
    verifies('uploads.safe-names');
    const name = safeFileName(`${'企'.repeat(500)}.csv.gz`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(120);
    expect(name.endsWith('企.csv.gz')).toBe(true);
  });
});
