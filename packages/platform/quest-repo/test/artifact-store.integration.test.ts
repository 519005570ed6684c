import { link, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newId, systemClock } from '@assay/foundation';
import { temporaryFolder, verifies } from '@assay/testkit';
import { createArtifactStore, questPaths, type ArtifactInput } from '../src/index.ts';

const quest = 'quest_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const producer = { plan: 'plan_01ARZ3NDEKTSV4RRFFQ69G5FAV', task: 'benchmark_execute', attempt: 1 };

async function openStore(root: string) {
  const attempt = questPaths(root).attempt(producer);
  await mkdir(attempt, { recursive: true });
  return { attempt, store: createArtifactStore({ root, quest, clock: systemClock }) };
}

test('a small file moves to one committed place, a pointer stays behind, the record finds it', async () => {
  verifies('artifacts.one-file');
  await using folder = await temporaryFolder();
  const { attempt, store } = await openStore(folder.path);
  const file = join(attempt, 'predictions.jsonl');
  await writeFile(file, '{"row_index":0,"prediction":"a"}\n');
  const { artifact, record } = await store.publish({ key: 'benchmark_predictions', type: 'json', producer, file });
  expect(artifact.path).toBe(`artifacts/json/${artifact.id}/predictions.jsonl`);
  expect(record).toBe(`artifacts/json/${artifact.id}.json`);
  expect(artifact.sha256).toBe('c24e768f74f6523a7eafa18a5bc7e2ac75eb48c13a2b50967bf2c9c9a895e05c');
  await expect(stat(file)).rejects.toThrow('ENOENT');
  expect(JSON.parse(await readFile(`${file}.artifact.json`, 'utf8'))).toMatchObject({
    path: artifact.path,
    sha256: artifact.sha256,
  });
  expect(await store.read(artifact.id)).toEqual(artifact);
  expect(await readFile(store.fileOf(artifact)!, 'utf8')).toBe('{"row_index":0,"prediction":"a"}\n');
});

test('a file over one MiB lives by its hash outside git', async () => {
  verifies('artifacts.large-by-hash');
  await using folder = await temporaryFolder();
  const { attempt, store } = await openStore(folder.path);
  const file = join(attempt, 'big.bin');
  await writeFile(file, Buffer.alloc((1 << 20) + 1, 7));
  const { artifact } = await store.publish({ key: 'benchmark_predictions', type: 'json', producer, file });
  expect(artifact.path).toBe(`.assay/blobs/${artifact.sha256}`);
  expect(artifact.size).toBe((1 << 20) + 1);
});

test('values are hashed in their canonical form', async () => {
  await using folder = await temporaryFolder();
  const { store } = await openStore(folder.path);
  const publish = (value: unknown) => store.publish({ key: 'some_value', type: 'json', producer, value });
  const first = (await publish({ b: 1, a: 2 })).artifact;
  const second = (await publish({ a: 2, b: 1 })).artifact;
  expect(first.sha256).toBe('d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772');
  expect(second.sha256).toBe(first.sha256);
  expect((await store.list()).map((artifact) => artifact.id)).toEqual([first.id, second.id]);
});

test('what is not a regular file of the attempt is never published', async () => {
  verifies('artifacts.own-attempt-only');
  await using folder = await temporaryFolder();
  const { attempt, store } = await openStore(folder.path);
  const outside = join(folder.path, 'outside.txt');
  await writeFile(outside, 'labels');
  await symlink(outside, join(attempt, 'link'));
  await link(outside, join(attempt, 'hard'));
  await mkdir(join(attempt, 'folder'));
  const refused: ArtifactInput['file'][] = [
    outside,
    join(attempt, 'link'),
    join(attempt, 'hard'),
    join(attempt, 'folder'),
  ];
  for (const file of refused)
    await expect(store.publish({ key: 'forged', type: 'text', producer, file: file! })).rejects.toMatchObject({
      code: 'output_unsafe',
    });
  expect(await readFile(outside, 'utf8')).toBe('labels');
  expect(await store.list()).toEqual([]);
});

test('a copy is kept only when it is the file that was hashed', async () => {
  verifies('artifacts.kept-copy');
  await using folder = await temporaryFolder();
  const { store } = await openStore(folder.path);
  const file = join(folder.path, 'data.csv');
  await writeFile(file, 'a,b\n1,2\n');
  const sha256 = '492d5ea496056f1a6a6592241032fab764c321596317930b4fa0e1e8bc3b7470';
  expect(await store.keepCopy(file, sha256)).toBe(`.assay/blobs/${sha256}`);
  expect(await readFile(join(folder.path, '.assay/blobs', sha256), 'utf8')).toBe('a,b\n1,2\n');
  await writeFile(file, 'a,b\n1,3\n');
  await expect(store.keepCopy(file, sha256)).rejects.toMatchObject({ code: 'dataset_changed' });
  expect(await readFile(join(folder.path, '.assay/blobs', sha256), 'utf8')).toBe('a,b\n1,2\n');
  expect(await readdir(join(folder.path, '.assay/blobs'))).toEqual([sha256]);
});

test('ids that are not ids are looked up nowhere', async () => {
  await using folder = await temporaryFolder();
  const { store } = await openStore(folder.path);
  for (const id of ['../../etc/passwd', '', 'artifact_x', 'ev_01ARZ3NDEKTSV4RRFFQ69G5FAV'])
    expect(await store.read(id)).toBeUndefined();
});

test('a publication that was cut short is completed by publishing again under the same id', async () => {
  verifies('artifacts.repeatable');
  await using folder = await temporaryFolder();
  const { attempt, store } = await openStore(folder.path);
  const file = join(attempt, 'metrics.json');
  await writeFile(file, '{}');
  const input = { id: newId('artifact'), key: 'run_metrics', type: 'json', producer, file } as const;
  const first = await store.publish(input);
  const again = await store.publish(input);
  expect(again.artifact).toEqual({ ...first.artifact, createdAt: again.artifact.createdAt });
  expect(await store.list()).toHaveLength(1);
  // the pointer was written, the file not yet moved
  await rename(store.fileOf(first.artifact)!, file);
  const third = await store.publish(input);
  expect(await readFile(store.fileOf(third.artifact)!, 'utf8')).toBe('{}');
});

test('a record from elsewhere cannot make a file of this machine readable', async () => {
  verifies('artifacts.no-way-out');
  await using folder = await temporaryFolder();
  const { attempt, store } = await openStore(join(folder.path, 'quest'));
  const secret = join(folder.path, 'token');
  await writeFile(secret, 'x');
  const file = join(attempt, 'out.txt');
  await writeFile(file, 'x');
  const { artifact } = await store.publish({ key: 'out', type: 'text', producer, file });
  expect(await store.openFile(artifact)).toBe(store.fileOf(artifact));
  for (const path of [
    '../token',
    'artifacts/../../token',
    '/etc/hostname',
    '.assay/events/1.jsonl',
    'artifacts//x',
    'quest.yaml',
  ])
    expect(() => store.fileOf({ ...artifact, path }), path).toThrow('is not one that was published');
  await writeFile(store.fileOf(artifact)!, 'y');
  await expect(store.openFile(artifact)).rejects.toMatchObject({ code: 'output_unsafe' });
  await rm(store.fileOf(artifact)!);
  await symlink(secret, store.fileOf(artifact)!);
  await expect(store.openFile(artifact)).rejects.toMatchObject({
    code: 'output_unsafe',
    why: 'it is reached through a link',
  });
});
