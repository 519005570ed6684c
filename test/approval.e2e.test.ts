import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestDaemon, temporaryFolder, verifies } from '@assay/testkit';
import { runCli } from './support/cli.ts';
import { pointsCsv, thresholdRepo, writeTree } from './support/fixtures.ts';

test('a full run waits with what it needs, takes an edited budget, and then runs; reuse is refused', async () => {
  verifies('plans.full-approval', 'plans.reuse-refused');
  await using folder = await temporaryFolder();
  await using daemon = await startTestDaemon();
  const env = { ASSAY_HOME: daemon.home };
  const repository = await writeTree(join(folder.path, 'repo'), thresholdRepo);
  const data = join(folder.path, 'points.csv');
  await writeFile(data, pointsCsv());
  const inputs = { repository, data, target: 'label' };
  await expect(daemon.client.createPlan({ body: { inputs, reuse: true } })).rejects.toMatchObject({
    code: 'invalid_request',
    hint: 'leave reuse out, or set it to false',
  });
  const { plan } = await daemon.client.createPlan({ body: { inputs, mode: 'full' } });
  expect(plan).toMatchObject({
    status: 'awaiting_approval',
    approval: { reason: 'a full run was asked for', proposal: { probe: { cpus: { needs: 16 } }, costUsd: null } },
    budget: { maxTaskAttempts: 100, maxDurationSeconds: 28_800 },
  });
  const shown = await runCli(['plan', 'show', plan.id], env);
  expect(shown.stdout).toMatch(/waits for approval: a full run was asked for\n {2}machine {2}\d+ CPUs/);
  expect(shown.stdout).toContain('  cost     unknown: no model is asked');
  const tooMuch = await runCli(['plan', 'approve', plan.id, '--hours', '9'], env);
  expect(tooMuch).toMatchObject({ exit: 2, stderr: expect.stringContaining('full.max_duration_seconds') as string });
  const approved = await runCli(['plan', 'approve', plan.id, '--hours', '0.5', '--disk', '1', '--json'], env);
  expect(JSON.parse(approved.stdout)).toMatchObject({
    plan: { status: 'pending', budget: { maxTaskAttempts: 100, maxDurationSeconds: 1800, maxDiskBytes: 1024 ** 3 } },
  });
  const ran = await runCli(['plan', 'start', plan.id, '--json'], env);
  expect([ran.exit, (JSON.parse(ran.stdout) as { plan: { status: string } }).plan.status]).toEqual([0, 'completed']);
});
