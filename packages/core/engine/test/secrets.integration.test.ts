import { readFileSync, statSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MovingClock, temporaryFolder, verifies } from '@assay/testkit';
import { createSecretStore } from '../src/index.ts';

const team = { name: 'team', host: 'Git.example.org:443', username: 'ada', value: 'cAnArY' };

describe('the secrets of a home', () => {
  it('are kept for one host in a file that only its owner may read', async () => {
    verifies('secrets.kept');
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'secrets.json');
    const store = createSecretStore(path, new MovingClock());
    const kept = await store.set(team);
    expect(kept).toMatchObject({ name: 'team', host: 'git.example.org', username: 'ada' });
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
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => store.set({ ...team, name })));
    expect((await store.list()).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    await store.set({ ...team, name: 'a', value: 'newer' });
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
    await store.set(team);
    await chmod(path, 0o644);
    await expect(store.list()).rejects.toMatchObject({ code: 'config_invalid' });
    await chmod(path, 0o600);
    await writeFile(path, '{"v": 1, "secrets": {"team": "cAnArY');
    const error = await store.list().catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: 'config_invalid', why: 'it is not JSON' });
    expect(JSON.stringify(error)).not.toContain('cAnArY');
  });
});
