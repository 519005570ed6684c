import { temporaryFolder, verifies } from '@assay/testkit';
import { expect, it } from 'vitest';
import { checkJournal } from '../src/index.ts';
import { bundleChild, startChild } from './child.ts';
import { open } from './disk.ts';
import { collect, noteOf, QUEST } from './drafts.ts';

const KILLS = 10;

it('loses nothing that was acknowledged when the process is killed at any moment', async () => {
  verifies('event-store.survives-kill');
  await using folder = await temporaryFolder();
  const program = await bundleChild(folder.path);
  const dir = `${folder.path}/quest`;
  const acknowledged = new Map<number, string>();
  for (let round = 0; round < KILLS; round++) {
    const child = startChild([process.execPath, program], [dir, `round${round}`, 16, 100_000]);
    await expect.poll(() => child.said.length, { interval: 1, timeout: 20_000 }).toBeGreaterThan(round);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    child.process.kill('SIGKILL');
    await child.ended;
    for (const { acknowledged: text, seq } of child.said) if (text !== undefined) acknowledged.set(seq!, text);
    await compare(dir, acknowledged);
  }
  expect(acknowledged.size).toBeGreaterThan(KILLS);
  expect(await checkJournal(dir, QUEST)).toMatchObject({ damage: [], torn: null, newer: null });
});

async function compare(dir: string, acknowledged: ReadonlyMap<number, string>): Promise<void> {
  await using journal = await open(dir);
  expect(journal.problem).toBeNull();
  const texts = (await collect(journal.scan())).map(noteOf);
  for (const [seq, text] of acknowledged) expect(texts[seq - 1]).toBe(text);
  expect(new Set(texts).size).toBe(texts.length);
}
