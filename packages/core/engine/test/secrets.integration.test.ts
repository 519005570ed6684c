import { readFileSync, statSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MovingClock, temporaryFolder, verifies } from '@assay/testkit';
import type { SetSecret } from '@assay/contracts';
import { createSecretStore } from '../src/index.ts';

const team = {
  name: 'team',
  hosts: ['Git.example.org:443'],
  use: 'repositories',
  username: 'ada',
  value: 'cAnArY',
} as const satisfies SetSecret;
/** Fields as the schema infers them. */
const given = (changes: Partial<SetSecret> = {}): SetSecret => ({ ...team, hosts: [...team.hosts], ...changes });

describe('the secrets of a home', () => {
  it('are kept for one host in a file that only its owner may read', async () => {
    verifies('secrets.kept');
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'secrets.json');
    const store = createSecretStore(path, new MovingClock());
    const kept = await store.set(given());
    expect(kept).toMatchObject({ name: 'team', hosts: ['git.example.org'], use: 'repositories', username: 'ada' });
    expect(JSON.stringify([kept, await store.list()])).not.toContain('cAnArY');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await store.credential('team', 'git.example.org')).toEqual({
      name: 'team',
      host: 'git.example.org',
      username: 'ada',
      value: 'cAnArY',
    });
    await expect(store.credential('team', 'evil.example.org')).rejects.toMatchObject({ code: 'secret_refused' });
    await expect(store.credential('other', 'git.example.org')).rejects.toMatchObject({
      code: 'secret_missing',
      why: 'this home keeps team',
    });
    await expect(store.credential('__proto__', 'git.example.org')).rejects.toMatchObject({ code: 'secret_missing' });
  });

  it('are replaced and forgotten, also by several commands at once', async () => {
    verifies('secrets.kept');
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'secrets.json');
    const store = createSecretStore(path, new MovingClock());
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => store.set(given({ name }))));
    expect((await store.list()).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    await store.set(given({ name: 'a', value: 'newer' }));
    expect((await store.credential('a', 'git.example.org')).value).toBe('newer');
    for (const name of ['a', 'b', 'c', 'd']) await store.remove(name);
    await expect(store.remove('a')).rejects.toMatchObject({ code: 'secret_missing' });
    expect(readFileSync(path, 'utf8')).not.toContain('cAnArY');
  });

  it('are not read from a file that others may read, and a damaged file is not quoted', async () => {
    verifies('secrets.kept');
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'secrets.json');
    const store = createSecretStore(path, new MovingClock());
    await store.set(given());
    await chmod(path, 0o644);
    await expect(store.list()).rejects.toMatchObject({ code: 'config_invalid' });
    await chmod(path, 0o600);
    await writeFile(path, '{"v": 1, "secrets": {"team": "cAnArY');
    const error = await store.list().catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: 'config_invalid', why: 'it is not JSON' });
    expect(JSON.stringify(error)).not.toContain('cAnArY');
  });

  it('are for repositories or for packages, never for both', async () => {
    verifies('secrets.one-store');
    await using folder = await temporaryFolder();
    const store = createSecretStore(join(folder.path, 'secrets.json'), new MovingClock());
    await store.set(given());
    const kept = await store.set({
      name: 'index',
      hosts: ['pypi.example.org', 'files.example.org:8443'],
      use: 'packages',
      value: 'cAnArY-2',
    });
    expect(kept.username).toBe('__token__');
    expect(await store.packageGrants()).toEqual([
      {
        name: 'index',
        hosts: ['pypi.example.org:443', 'files.example.org:8443'],
        user: '__token__',
        password: 'cAnArY-2',
      },
    ]);
    await expect(store.credential('index', 'pypi.example.org')).rejects.toMatchObject({
      code: 'secret_refused',
      message: 'the secret index is for packages',
    });
  });

  it('of the older forms are read as what they say today, and written anew by the next change', async () => {
    verifies('secrets.one-store');
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'secrets.json');
    const old = { host: 'git.example.org', username: 'ada', value: 'cAnArY', createdAt: '2026-01-01T00:00:00.000Z' };
    await writeFile(path, JSON.stringify({ v: 1, secrets: { team: old } }), { mode: 0o600 });
    const named = { name: 'index', hosts: ['pypi.example.org:443'], user: 'me', password: 'cAnArY-2' };
    const store = createSecretStore(path, new MovingClock(), [named]);
    expect(await store.list()).toEqual([
      { name: 'index', hosts: ['pypi.example.org'], use: 'packages', username: 'me', createdAt: null },
      { name: 'team', hosts: ['git.example.org'], use: 'repositories', username: 'ada', createdAt: old.createdAt },
    ]);
    expect((await store.credential('team', 'git.example.org')).value).toBe('cAnArY');
    expect(await store.packageGrants()).toEqual([named]);
    await expect(store.remove('index')).rejects.toMatchObject({ code: 'secret_refused' });
    await store.set({ name: 'index', hosts: ['pypi.example.org'], use: 'packages', username: 'me', value: 'newer' });
    expect((await store.packageGrants()).map(({ password }) => password)).toEqual(['newer']);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      v: 2,
      secrets: { team: { hosts: ['git.example.org'] } },
    });
    await store.remove('index');
    expect(await store.packageGrants()).toEqual([named]);
  });
});
