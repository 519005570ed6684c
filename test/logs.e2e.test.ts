import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@assay/client';
import { startTestDaemon, temporaryFolder, verifies } from '@assay/testkit';
import { expect, test } from 'vitest';
import { runBenchmark } from './support/benchmark.ts';
import { pointsCsv, thresholdRepo, writeTree } from './support/fixtures.ts';

test('what the commands of a plan wrote is read by its owner, and by nobody else', async () => {
  verifies('log.routes');
  await using folder = await temporaryFolder('assay-logs');
  await using daemon = await startTestDaemon();
  const data = join(folder.path, 'points.csv');
  await writeFile(data, pointsCsv());
  const repository = await writeTree(join(folder.path, 'repository'), thresholdRepo);
  const { plan } = await runBenchmark(daemon, { repository, data, target: 'label' });
  const quest = plan.questId;
  const { sessions } = await daemon.client.listSessions({ quest, query: { plan: plan.id } });
  expect(sessions.length).toBeGreaterThan(0);
  expect(sessions.every(({ exit }) => exit?.end === 'exited')).toBe(true);
  const at = { quest, session: sessions[0]!.id };
  const { rows, lines } = await daemon.client.sessionLog({ ...at, query: {} });
  expect(lines).toHaveLength(rows); // a few lines

  const other = createClient({ baseUrl: daemon.url, token: daemon.token, userId: 'bob' });
  const attempts = [
    other.listSessions({ quest, query: { plan: plan.id } }),
    other.sessionLog({ ...at, query: {} }),
    other.searchSessionLog({ ...at, query: { text: 'a' } }),
    other.sessionLogContent(at),
  ];
  for (const outcome of await Promise.allSettled(attempts))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'not_owner' } });
});
