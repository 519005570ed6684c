import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLogger, systemClock } from '@assay/foundation';
import { openFileJournal } from '@assay/event-store';
import { temporaryFolder, verifies } from '@assay/testkit';
import { QuestRegistry } from '../src/index.ts';

function open(questsDir: string): QuestRegistry {
  return new QuestRegistry({
    questsDir,
    clock: systemClock,
    logger: silentLogger,
    openJournal: ({ dir, quest }) => openFileJournal({ dir, quest, clock: systemClock }),
  });
}

test('a quest that was made is there after a restart; a half-made one is swept away', async () => {
  verifies('quests.whole-or-not-at-all');
  await using folder = await temporaryFolder();
  let id: string;
  {
    await using registry = open(folder.path);
    id = (await registry.create({ title: '企鹅', goal: '' })).quest.id;
    await mkdir(join(folder.path, `.new-${id.slice(0, -1)}0`, '.git'), { recursive: true });
  }
  await using again = open(folder.path);
  await again.sweep();
  expect(await readdir(folder.path)).toEqual([id]);
  const handle = await again.get(id);
  expect(handle.quest.title).toBe('企鹅');
  expect((await handle.journal.read({ after: 0, limit: 10 })).map((event) => event.type)).toEqual(['quest.created']);
});

test('a broken quest does not hide the others, and opens again when it is mended', async () => {
  verifies('quests.broken-does-not-hide');
  await using folder = await temporaryFolder();
  await using registry = open(folder.path);
  const good = await registry.create({ title: 'good', goal: '' });
  const bad = 'quest_01ARZ3NDEKTSV4RRFFQ69G5FAV';
  await mkdir(join(folder.path, bad));
  await writeFile(join(folder.path, bad, 'quest.yaml'), 'title: [');
  const { quests, broken } = await registry.all();
  expect(quests.map((quest) => quest.quest.id)).toEqual([good.quest.id]);
  expect(broken).toMatchObject([{ id: bad, problem: { code: 'record_invalid' } }]);
  await writeFile(
    join(folder.path, bad, 'quest.yaml'),
    `v: 1\nid: ${bad}\ntitle: mended\ngoal: ''\nactive_anchor: baseline\nmode: copilot\nlocale: en\ncreated_at: 2026-01-01T00:00:00.000Z\n`,
  );
  expect((await registry.get(bad)).quest.title).toBe('mended');
  await expect(registry.get('quest_01ARZ3NDEKTSV4RRFFQ69G5FAA')).rejects.toMatchObject({ code: 'not_found' });
  await expect(registry.get('../../etc')).rejects.toMatchObject({ code: 'not_found' });
});
