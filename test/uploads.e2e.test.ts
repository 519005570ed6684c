import { openAsBlob } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@assay/client';
import { startTestDaemon, temporaryFolder, verifies } from '@assay/testkit';
import { describe, expect, test } from 'vitest';

const penguins = fileURLToPath(new URL('../examples/penguins/penguins.csv', import.meta.url));
const classifier = fileURLToPath(new URL('../examples/penguins-classifier', import.meta.url));
const MiB = 1 << 20;

describe('files that were sent to a daemon', () => {
  test('are there when it was killed, are what a plan of their owner runs on, and stay while it can run', async () => {
    verifies('uploads.kept', 'uploads.expire');
    await using home = await temporaryFolder('assay-uploads');
    const first = await startTestDaemon({ home: home.path });
    const { id } = await first.client.createUpload({ file: await openAsBlob(penguins), name: 'penguins.csv' });
    await first.kill('SIGKILL');
    await using second = await startTestDaemon({ home: home.path });
    const { uploads } = await second.client.listUploads();
    expect(uploads).toMatchObject([{ id, name: 'penguins.csv' }]);
    const preview = await second.client.profileData({ body: { uploadId: id } });
    expect(preview.manifest).toMatchObject({ rowCount: 344, targetColumn: 'species', sha256: uploads[0]!.sha256 });
    const body = { inputs: { repository: classifier, target: 'species' }, attachments: [{ uploadId: id }] };
    const { plan } = await second.client.createPlan({ body });
    expect(await readFile(plan.inputs.data!)).toEqual(await readFile(penguins));
    await expect(second.client.removeUpload({ upload: id })).rejects.toMatchObject({ code: 'conflict' });
    const bob = createClient({ baseUrl: second.url, token: second.token, userId: 'bob' });
    await expect(bob.createPlan({ body })).rejects.toMatchObject({ code: 'not_owner' });
    await expect(bob.profileData({ body: { uploadId: id } })).rejects.toMatchObject({ code: 'not_owner' });
    await second.client.cancelPlan({ plan: plan.id });
    await second.client.removeUpload({ upload: id });
    expect(await readdir(join(home.path, 'uploads'))).toEqual([]);
  });

  test('are written while they come: memory does not grow with them', async () => {
    verifies('uploads.streamed');
    await using folder = await temporaryFolder('assay-uploads');
    const large = join(folder.path, 'large.csv');
    const file = await open(large, 'w');
    await file.truncate(400 * MiB);
    await file.close();
    await using daemon = await startTestDaemon();
    await daemon.client.createUpload({ file: await openAsBlob(penguins), name: 'warm.csv' });
    const before = await peakBytes(daemon.pid);
    const upload = await daemon.client.createUpload({ file: await openAsBlob(large), name: 'large.csv' });
    expect(upload.size).toBe(400 * MiB);
    expect((await peakBytes(daemon.pid)) - before).toBeLessThan(150 * MiB);
  });
});

/** The most memory that a process has had. */
async function peakBytes(pid: number): Promise<number> {
  return Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
}
