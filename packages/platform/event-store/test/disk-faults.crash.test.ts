import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { missing, temporaryFolder, verifies, type TemporaryFolder } from '@assay/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkJournal } from '../src/index.ts';
import { bundleChild, startChild, type Said } from './child.ts';
import { open } from './disk.ts';
import { collect, note, noteOf, QUEST, tally } from './drafts.ts';

let folder: TemporaryFolder;
let program: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  program = await bundleChild(folder.path);
});
afterAll(() => folder[Symbol.asyncDispose]());

describe.skipIf(missing('strace').length > 0)('a system call that fails', () => {
  it.each([
    { fault: 'fdatasync:error=EIO', code: 'journal_read_only' },
    { fault: 'fdatasync:error=ENOSPC', code: 'disk_full' },
    { fault: 'pwrite64:error=EIO', code: 'journal_read_only' },
    { fault: 'pwrite64:error=ENOSPC', code: 'disk_full' },
    { fault: 'ftruncate,pwrite64:error=ENOSPC', code: 'disk_full' },
  ])('$fault is answered with $code, and nothing is lost or doubled', async ({ fault, code }) => {
    verifies('event-store.failed-sync-poisons', 'event-store.disk-full');
    for (const when of [3, 6]) {
      const { dir, said } = await underStrace(fault, `${when}..${when + 1}`);
      const failed = said.filter((line) => line.failed !== undefined);
      expect(failed.map((line) => line.code)).toContain(code);
      expect(said.at(-1)).toMatchObject({ done: 80 });
      await expectExactly(dir, said);
    }
  });

  it('the kill at a sync loses nothing that was acknowledged', async () => {
    verifies('event-store.survives-kill');
    for (const when of [2, 3, 5, 8]) {
      const { dir, said } = await underStrace('fdatasync:signal=SIGKILL', String(when));
      expect(said.some((line) => line.done !== undefined)).toBe(false);
      await expectExactly(dir, said);
    }
  });

  it('concurrent appends share one sync', async () => {
    verifies('event-store.group-commit');
    const dir = `${folder.path}/shared`;
    const trace = `${folder.path}/trace`;
    const strace = ['strace', '-f', '-qq', '--seccomp-bpf', '-e', 'trace=fdatasync', '-o', trace, process.execPath];
    const child = startChild([...strace, program], [dir, 'shared', 64, 20]);
    await child.ended;
    expect(child.said.at(-1)).toMatchObject({ done: 1280 });
    const syncs = (await readFile(trace, 'utf8')).split('\n').filter((line) => line.includes('fdatasync(')).length;
    expect(syncs).toBeGreaterThan(20);
    expect(syncs).toBeLessThan(160);
  });

  let runs = 0;
  async function underStrace(fault: string, when: string): Promise<{ dir: string; said: readonly Said[] }> {
    const dir = `${folder.path}/run${runs++}`;
    const strace = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', `inject=${fault}:when=${when}`, process.execPath];
    const child = startChild([...strace, program], [dir, 'event', 8, 10]);
    await child.ended;
    return { dir, said: child.said };
  }
});

/** Every acknowledged text stands once at its place, and every text at most once. */
async function expectExactly(dir: string, said: readonly Said[]): Promise<void> {
  await using journal = await open(dir);
  expect(journal.problem).toBeNull();
  const texts = (await collect(journal.scan())).map(noteOf);
  for (const { acknowledged, seq } of said) if (acknowledged !== undefined) expect(texts[seq! - 1]).toBe(acknowledged);
  expect(new Set(texts).size).toBe(texts.length);
  expect((await checkJournal(dir, QUEST)).damage).toEqual([]);
}

describe.skipIf(missing('root', 'tmpfs').length > 0)('a full disk', () => {
  it('refuses appends without losing any, and takes them again when there is space', async () => {
    verifies('event-store.disk-full');
    await using disk = await smallDisk();
    await writeFile(`${disk.path}/filler`, Buffer.alloc(300 * 1024));
    const acknowledged: string[] = [];
    {
      await using journal = await open(disk.path);
      const projected = await journal.project(tally);
      const refused = await appendUntilRefused(acknowledged, (text) => journal.append([note(text)]));
      expect(refused).toMatchObject({ code: 'disk_full', hint: expect.stringContaining('free some space') as string });
      expect(journal.lastSeq).toBe(acknowledged.length);
      await expect(journal.append([note('x'.repeat(5000))])).rejects.toMatchObject({ code: 'disk_full' });
      await rm(`${disk.path}/filler`);
      const [event] = await journal.append([note('after')]);
      expect(event?.seq).toBe(acknowledged.length + 1);
      expect(projected.state).toEqual({ count: acknowledged.length + 1, last: 'after' });
    }
    await using again = await open(disk.path);
    expect(again.notes).toEqual([]);
    expect((await collect(again.scan())).map(noteOf)).toEqual([...acknowledged, 'after']);
  });

  it('lets a journal with a torn line be read, and written again when there is space', async () => {
    verifies('event-store.disk-full');
    await using disk = await smallDisk();
    {
      await using journal = await open(disk.path);
      await journal.append([note('kept')]);
    }
    await writeFile(`${disk.path}/events/1.jsonl`, '{"v":1,"seq":2', { flag: 'a' });
    fill(`${disk.path}/filler`);
    await using journal = await open(disk.path);
    expect(journal.problem).toMatchObject({ code: 'disk_full' });
    expect((await journal.read({ limit: 5 })).map(noteOf)).toEqual(['kept']);
    await expect(journal.append([note('not yet')])).rejects.toMatchObject({ code: 'disk_full' });
    await rm(`${disk.path}/filler`);
    await journal.append([note('now')]);
    expect((await journal.read({ limit: 5 })).map(noteOf)).toEqual(['kept', 'now']);
    expect(journal.generation).toBe(2);
  });

  it('that is read-only can be read', async () => {
    verifies('event-store.read-only-disk');
    await using disk = await smallDisk();
    {
      await using journal = await open(disk.path);
      await journal.append([note('kept')]);
    }
    execFileSync('mount', ['-o', 'remount,ro', disk.path]);
    await using journal = await open(disk.path);
    expect(journal.problem).toMatchObject({ code: 'journal_read_only' });
    expect((await journal.read({ limit: 5 })).map(noteOf)).toEqual(['kept']);
    await expect(journal.append([note('no')])).rejects.toMatchObject({ code: 'journal_read_only' });
  });
});

async function appendUntilRefused(
  acknowledged: string[],
  append: (text: string) => Promise<unknown>,
): Promise<unknown> {
  for (let at = 0; at < 2000; at++) {
    const text = `${at}:${'filling'.repeat(200)}`;
    try {
      await append(text);
    } catch (error) {
      return error;
    }
    acknowledged.push(text);
  }
  return new Error('the disk was never full');
}

/** Writes until there is no space left for another page. */
function fill(file: string): void {
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=4096'], { stdio: 'ignore' });
  } catch {
    // That is how a full disk shows.
  }
}

async function smallDisk(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = `${folder.path}/disk`;
  await mkdir(path, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path]);
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      execFileSync('umount', [path]);
      await rm(path, { recursive: true });
    },
  };
}
