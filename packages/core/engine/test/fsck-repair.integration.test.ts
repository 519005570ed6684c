import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { newId, silentLogger, systemClock } from '@assay/foundation';
import { openFileJournal } from '@assay/event-store';
import { acquireHomeLock, exists } from '@assay/files';
import { newPlan, newTask } from '@assay/plan-graph';
import { temporaryFolder, verifies } from '@assay/testkit';
import { openHome, QuestRegistry, type QuestHandle } from '../src/index.ts';
import { fsck, repairHome } from '../src/offline/index.ts';

const PLAN = 'plan_01ARZ3NDEKTSV4RRFFQ69G5FAV';

async function publish(quest: QuestHandle, task: string, journaled: boolean) {
  const producer = { plan: PLAN, task, attempt: 1 };
  const attempt = quest.paths.attempt(producer);
  await mkdir(attempt, { recursive: true });
  await writeFile(join(attempt, 'out.txt'), task);
  const { artifact, record } = await quest.artifacts.publish({
    key: 'out',
    type: 'text',
    producer,
    file: join(attempt, 'out.txt'),
  });
  if (journaled)
    await quest.append([
      { type: 'artifact.published', data: { artifactId: artifact.id, key: 'out', type: 'text', record } },
    ]);
  return artifact;
}

test('what a crash left without an event goes to the trash with a list; what counts stays', async () => {
  verifies('fsck.repair', 'fsck.unclaimed');
  await using folder = await temporaryFolder();
  const home = await openHome(join(folder.path, 'home'), Date.now());
  const open = () =>
    new QuestRegistry({
      questsDir: home.quests,
      clock: systemClock,
      logger: silentLogger,
      openJournal: ({ dir, quest }) => openFileJournal({ dir, quest, clock: systemClock }),
    });
  let root: string;
  let kept: { id: string; path?: string | undefined };
  let orphan: typeof kept;
  {
    await using registry = open();
    const quest = await registry.create({ title: 'repair', goal: '' });
    root = quest.paths.root;
    kept = await publish(quest, 'kept', true);
    orphan = await publish(quest, 'orphan', false);
    const lonely = newId('ev');
    await mkdir(quest.paths.evidence, { recursive: true });
    await writeFile(join(quest.paths.evidence, `${lonely}.json`), '{}');
    expect((await fsck(home.root)).findings.map((finding) => finding.severity)).toEqual(['note', 'note']);
    await rm(join(quest.paths.evidence, `${lonely}.json`));
  }
  const stray = join(root, 'artifacts/text/artifact_01ARZ3NDEKTSV4RRFFQ69G5FAV/stray.txt');
  await mkdir(dirname(stray));
  await writeFile(stray, 'of no record');
  const strayed = await fsck(home.root);
  expect([strayed.ok, strayed.findings.at(-1)]).toMatchObject([
    true,
    {
      severity: 'note',
      message: expect.stringMatching(
        /: the file artifacts\/text\/artifact_\w+\/stray.txt belongs to no record; /,
      ) as string,
    },
  ]);
  await rm(dirname(stray), { recursive: true });
  {
    await using _daemon = await acquireHomeLock(home.root);
    await expect(repairHome(home.root)).rejects.toMatchObject({ code: 'home_locked' });
  }
  expect((await repairHome(home.root)).map((finding) => finding.severity)).toEqual(['note']);
  expect(await fsck(home.root)).toEqual({ ok: true, findings: [] });
  expect(await readFile(join(root, kept.path!), 'utf8')).toBe('kept');
  expect(await exists(join(root, orphan.path!))).toBe(false);
  const [trash] = await readdir(join(root, '.assay/trash'));
  const list = JSON.parse(await readFile(join(root, '.assay/trash', trash!, 'trash.json'), 'utf8')) as {
    paths: string[];
  };
  expect(list.paths).toEqual([`artifacts/text/${orphan.id}.json`, orphan.path]);
  expect(await readFile(join(root, '.assay/trash', trash!, orphan.path!), 'utf8')).toBe('orphan');
  expect(await repairHome(home.root)).toEqual([]);
});

test('what a canceled plan left without an event is explained; that of a plan that waits is left alone', async () => {
  verifies('fsck.repair');
  await using folder = await temporaryFolder();
  const home = await openHome(join(folder.path, 'home'), Date.now());
  await using registry = new QuestRegistry({
    questsDir: home.quests,
    clock: systemClock,
    logger: silentLogger,
    openJournal: ({ dir, quest }) => openFileJournal({ dir, quest, clock: systemClock }),
  });
  const quest = await registry.create({ title: 'cancel', goal: '' });
  const plan = newPlan({
    id: PLAN,
    questId: quest.quest.id,
    traceId: newId('trace'),
    userIntent: 'x',
    intentType: 'General',
    tasks: [newTask({ id: 'late', name: 'Late', type: 'x', assignedTo: 'data' })],
    createdAt: Date.now(),
  });
  await quest.append([{ type: 'plan.created', scope: { plan: PLAN }, data: { plan } }]);
  const late = await publish(quest, 'late', false);
  const said = async () =>
    (await fsck(home.root)).findings.map(({ severity, message, hint }) => [severity, message, hint]);
  const what = `${quest.quest.id}: artifact ${late.id}: its record has no event`;
  expect(await said()).toEqual([
    ['note', `${what}; its task was interrupted, and publishes it when its plan goes on`, undefined],
  ]);
  expect(await repairHome(home.root)).toEqual([]);
  await quest.append([{ type: 'plan.canceled', scope: { plan: PLAN }, data: { by: 'local', reason: 'enough' } }]);
  expect(await said()).toEqual([
    [
      'note',
      `${what}: its plan was canceled before it was published, and it counts for nothing`,
      '"assay fsck --repair" moves it to the trash of its quest; the daemon must be down',
    ],
  ]);
  expect((await repairHome(home.root)).map(({ message }) => message)).toEqual([
    expect.stringContaining('2 files without an event were moved to .assay/trash'),
  ]);
  expect(await fsck(home.root)).toEqual({ ok: true, findings: [] });
});
