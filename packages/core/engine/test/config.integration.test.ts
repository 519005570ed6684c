import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { readConfig } from '../src/index.ts';

async function read(yaml: string | null, env: Record<string, string> = {}) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'config.yaml');
  if (yaml !== null) await writeFile(path, yaml);
  return await readConfig(path, env);
}

describe('the configuration', () => {
  test('has a default for everything', async () => {
    expect(await read(null)).toEqual({
      daemon: {},
      sandbox: { cpus: 2, memory_bytes: 4294967296, pids: 256, disk_bytes: 8589934592, workspace_roots: [] },
      plans: {
        max_concurrent: 2,
        max_task_attempts: 100,
        max_duration_seconds: 2100,
        require_approval: false,
        auto_resume: false,
      },
      full: {
        min_cpus: 16,
        min_memory_bytes: 68719476736,
        min_disk_bytes: 107374182400,
        min_gpus: 1,
        max_task_attempts: 100,
        max_duration_seconds: 28800,
        max_disk_bytes: 107374182400,
      },
      data: { roots: [], keep_bytes: 268435456 },
      uploads: {
        max_bytes: 1073741824,
        max_files: 100,
        total_bytes: 4294967296,
        per_minute: 60,
        expire_hours: 168,
        keep_free_bytes: 1073741824,
      },
      python: { environments_bytes: 21474836480 },
      secrets: { grants: [] },
      repositories: { timeout_seconds: 45, cache_bytes: 10737418240 },
    });
    expect(await read('')).toEqual(await read(null));
  });

  test('the environment wins over the file', async () => {
    verifies('config.environment');
    const config = await read('sandbox:\n  cpus: 3\n  pids: 9\n', {
      ASSAY_SANDBOX_CPUS: '1.5',
      ASSAY_DATA_ROOTS: '[/data, /more]',
      ASSAY_PLANS_AUTO_RESUME: 'true',
    });
    expect(config.sandbox).toMatchObject({ cpus: 1.5, pids: 9 });
    expect(config.data.roots).toEqual(['/data', '/more']);
    expect(config.plans.auto_resume).toBe(true);
    expect((await read(null, { SANDBOX_WORKSPACE_ROOTS: '/a:/b' })).sandbox.workspace_roots).toEqual(['/a', '/b']);
  });

  test('two variables only lower a limit', async () => {
    const env = { PLAN_MAX_TASK_ATTEMPTS: '500', PLAN_MAX_DURATION_SECONDS: '60' };
    expect((await read(null, env)).plans).toMatchObject({ max_task_attempts: 100, max_duration_seconds: 60 });
  });

  test.each([
    ['an unknown key', 'plans:\n  max_concurent: 3\n', 'max_concurent'],
    ['a wrong type', 'sandbox:\n  cpus: many\n', 'sandbox.cpus'],
    ['a value out of range', 'daemon:\n  port: 70000\n', 'daemon.port'],
    ['a grant without a port', 'secrets:\n  grants: [{name: a, hosts: [index.example], env: A}]\n', 'secrets.grants'],
    ['a grant of nothing', 'secrets:\n  grants: [{name: a, hosts: ["index.example:443"]}]\n', 'secrets.grants'],
    ['no YAML', 'plans: [unclosed', 'config.yaml'],
  ])('%s is refused by name', async (_, yaml, named) => {
    verifies('config.refused-by-name');
    await expect(read(yaml)).rejects.toMatchObject({ code: 'config_invalid' });
    const error = await read(yaml).catch((thrown: unknown) => thrown as { message: string; why: string });
    expect(`${(error as { message: string }).message} ${(error as { why: string }).why}`).toContain(named);
  });

  test('a limit that is not a number is refused', async () => {
    await expect(read(null, { PLAN_MAX_TASK_ATTEMPTS: 'few' })).rejects.toMatchObject({ code: 'config_invalid' });
  });
});
