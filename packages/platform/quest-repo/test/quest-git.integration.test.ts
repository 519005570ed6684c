import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Quest } from '@assay/contracts';
import { temporaryFolder, verifies } from '@assay/testkit';
import { commitQuest, createQuestRepo, readQuestFile, runGit } from '../src/index.ts';

const quest: Quest = {
  v: 1,
  id: 'quest_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  title: '企鹅 & "penguins"',
  goal: 'Which classifier: is best?\nSecond line.',
  active_anchor: 'baseline',
  mode: 'copilot',
  locale: 'en',
  created_at: '2026-01-01T00:00:00.000Z',
};

test('a quest is a git repository whose first commit holds its files and nothing of .assay', async () => {
  verifies('quests.git-repository');
  await using folder = await temporaryFolder();
  const root = join(folder.path, quest.id);
  await createQuestRepo(root, quest);
  expect((await runGit(['ls-files'], { cwd: root })).split('\n')).toEqual(['.gitignore', 'brief.md', 'quest.yaml']);
  expect(await readQuestFile(join(root, 'quest.yaml'))).toEqual(quest);
  await writeFile(join(root, '.assay', 'events', 'x'), 'runtime');
  expect(await commitQuest({ root, message: 'nothing' })).toBeNull();
  await mkdir(join(root, 'evidence'));
  await writeFile(join(root, 'evidence', 'e.json'), '{}');
  expect(await commitQuest({ root, message: 'Evidence' })).toMatchObject({ files: 1 });
});

test('without a git command it says what to install, and with a full disk that it is full', async () => {
  verifies('quests.git-missing');
  await using folder = await temporaryFolder();
  const path = process.env['PATH'];
  try {
    process.env['PATH'] = folder.path;
    const root = join(folder.path, 'one');
    await expect(createQuestRepo(root, quest)).rejects.toMatchObject({
      code: 'not_configured',
      message: 'git is not installed',
      hint: expect.stringContaining('apt install git') as string,
    });
    const says = '#!/bin/sh\necho "fatal: cannot mkdir .git: No space left on device" >&2\nexit 128\n';
    await writeFile(join(folder.path, 'git'), says, { mode: 0o755 });
    await expect(createQuestRepo(join(folder.path, 'two'), quest)).rejects.toMatchObject({
      code: 'disk_full',
      message: 'the disk is full',
    });
  } finally {
    process.env['PATH'] = path;
  }
});

test('settings of the user and hooks of the repository run nothing', async () => {
  verifies('quests.git-harmless');
  await using folder = await temporaryFolder();
  const root = join(folder.path, quest.id);
  await createQuestRepo(root, quest);
  const mark = join(folder.path, 'hook-ran');
  await mkdir(join(root, '.git', 'hooks'), { recursive: true });
  for (const hook of ['pre-commit', 'post-commit', 'commit-msg', 'post-index-change'])
    await writeFile(join(root, '.git', 'hooks', hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  await runGit(['config', 'core.fsmonitor', `touch ${mark}`], { cwd: root });
  await writeFile(join(root, 'status.md'), 'changed');
  expect(await commitQuest({ root, message: 'A person changed a file' })).not.toBeNull();
  await expect(access(mark)).rejects.toThrow('ENOENT');
});

test('a quest.yaml that a person broke is refused with the field and left as it is', async () => {
  verifies('quests.edited-file');
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'quest.yaml');
  await writeFile(path, 'v: 1\nid: quest_x\ntitle: t\ngoal: g\nactive_anchor: lunch\n');
  await expect(readQuestFile(path)).rejects.toMatchObject({
    code: 'record_invalid',
    why: expect.stringContaining('active_anchor') as string,
  });
  await writeFile(path, 'v: 2\nid: quest_x\n');
  await expect(readQuestFile(path)).rejects.toMatchObject({ code: 'record_newer' });
  await writeFile(path, 'title: [unclosed');
  await expect(readQuestFile(path)).rejects.toMatchObject({ code: 'record_invalid' });
  expect(await readFile(path, 'utf8')).toBe('title: [unclosed');
});
