import { readFile, writeFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty, verifies } from '@assay/testkit';
import type { Evidence } from '@assay/contracts';
import { prepareData, profileDataset, readRowsFile, verifyEvidence } from '../src/index.ts';
import { handOutOrder, orderFacts, recordedOrder } from '../src/split/hand-out-order.ts';
import { dataFile } from './data-files.ts';
import { questWithEvidence } from './quest-with-evidence.ts';

const rowsUpTo = (count: number) => Uint32Array.from({ length: count }, (_, row) => row);

test('rows are handed out in an order that data and seed decide, every row once', async () => {
  verifies('evaluation.order-hidden');
  const request = fc.record({
    rows: fc.nat(400),
    seed: fc.nat(0xffff_ffff),
    datasetSha256: fc.stringMatching(/^[0-9a-f]{64}$/),
  });
  await assertProperty(
    fc.asyncProperty(request, async ({ rows, seed, datasetSha256 }) => {
      const handedOut = rowsUpTo(rows).map((row) => 3 * row);
      const trainRows = rowsUpTo(rows).map((row) => 3 * row + 1);
      const sides = { handedOut, trainRows, seed, datasetSha256 };
      const order = handOutOrder({ ...sides, method: 'shuffled' });
      expect(order.handedOut.toSorted()).toEqual(handedOut);
      expect(order.train.toSorted()).toEqual(trainRows);
      expect(handOutOrder({ ...sides, method: 'shuffled' })).toEqual(order);
      expect(handOutOrder({ ...sides, method: 'time' })).toEqual({ handedOut: order.handedOut, train: trainRows });
      if (rows < 30) return;
      // What an adapter knows, the seed, does not give the order; nor does the order of one side that of the other.
      const other = handOutOrder({
        ...sides,
        method: 'shuffled',
        datasetSha256: datasetSha256.replace(/^./, (c) => (c === '0' ? '1' : '0')),
      });
      expect(other.handedOut).not.toEqual(order.handedOut);
      expect(order.train.map((row) => row - 1)).not.toEqual(order.handedOut);
      expect(order.handedOut).not.toEqual(handedOut);
    }),
    { name: 'hand-out-order', test: import.meta.url, numRuns: 100 },
  );
});

test('neither place nor number of a line tells the label of a file that is sorted by it', async () => {
  verifies('evaluation.order-hidden');
  const lines = Array.from({ length: 400 }, (_, i) => `${(i * 37) % 101},${i < 200 ? 'a' : 'b'}`);
  await using data = await dataFile('sorted.csv', `x,label\n${lines.join('\n')}\n`);
  const manifest = await profileDataset(data.path);
  const prepared = await prepareData(manifest, data.folder.path, { training: true, seed: 17 });
  const numbered = (await readFile(prepared.dataset.path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { row_index: number });
  expect(numbered.map((row) => row.row_index)).toEqual([...numbered.keys()]);
  const { handedOut } = await readRowsFile(prepared.rowsFile.path);
  expect(handedOut).toEqual(prepared.order.handedOut.toSorted());
  // A guess by the half of the file is right as often as a coin: within five standard deviations of 120 throws.
  const right = [...prepared.order.handedOut].filter((row, place) => row < 200 === place < numbered.length / 2).length;
  expect(Math.abs(right - 60)).toBeLessThan(28);
});

test('the order is part of what verification computes again', async () => {
  verifies('evaluation.order-verified');
  await using quest = await questWithEvidence();
  const { split } = quest.prepared;
  const withSplit = (changed: unknown) =>
    quest.evidence.map((one): Evidence => ({
      ...one,
      recipe: { ...one.recipe, parameters: { ...one.recipe.parameters, split: changed } },
    }));
  const verified = (evidence: readonly Evidence[]) => verifyEvidence(quest.root, evidence, quest.readArtifact);
  expect((await verified(quest.evidence)).mismatches).toEqual([]);
  const edited = withSplit({ ...split, order: { ...split.order!, handedOutSha256: '0'.repeat(64) } });
  expect((await verified(edited)).ok).toBe(0);
});

test('records of before rows were shuffled still verify', async () => {
  verifies('evaluation.order-of-old-records');
  await using quest = await questWithEvidence();
  const { split, order, handedOut, trainRows } = quest.prepared;
  const { order: facts, ...old } = split;
  expect(facts).toEqual(orderFacts(order));
  const datasetSha256 = quest.manifest.sha256;
  expect(recordedOrder({ handedOut, trainRows, datasetSha256 }, old)).toBeUndefined();
  const evidence = quest.evidence.map((one): Evidence => ({
    ...one,
    recipe: { ...one.recipe, parameters: { ...one.recipe.parameters, split: old } },
  }));
  const again = await verifyEvidence(quest.root, evidence, quest.readArtifact);
  expect(again).toMatchObject({ ok: evidence.length, total: evidence.length });
  const rowsFile = quest.prepared.rowsFile.path;
  const text = await readFile(rowsFile, 'utf8');
  await writeFile(rowsFile, text.replace(JSON.stringify(split), JSON.stringify(old)));
  expect(await readRowsFile(rowsFile)).toMatchObject({ handedOut, trainRows, order: undefined });
});
