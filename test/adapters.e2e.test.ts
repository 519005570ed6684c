import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, temporaryFolder, verifies, type TemporaryFolder, type TestDaemon } from '@assay/testkit';
import { finishBenchmark, runBenchmark } from './support/benchmark.ts';
import { writeTree } from './support/fixtures.ts';

let daemon: TestDaemon;
let folder: TemporaryFolder;
let data: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  daemon = await startTestDaemon();
  data = join(folder.path, 'mail.csv');
  const rows = Array.from({ length: 40 }, (_, at) =>
    at % 4 === 0 ? `a free prize ${at},spam` : `lunch at noon ${at},ham`,
  );
  await writeFile(data, `text,label\n${rows.join('\n')}\n`);
});

afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

async function repository(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const root = join(folder.path, name);
  await writeTree(root, files);
  return root;
}

describe('answers that only a person can read', () => {
  test('make the running plan wait for a mapping, and the answer lets it go on', async () => {
    verifies('adapter.plan-asks');
    const root = await repository('numbers', {
      'spam.py': 'def predict(text):\n    return 1 if "free" in text else 0\n',
    });
    const { plan } = await daemon.client.createPlan({ body: { inputs: { repository: root, data, target: 'label' } } });
    await daemon.client.executePlan({ plan: plan.id });
    for await (const item of daemon.client.followPlan(plan.id, { signal: AbortSignal.timeout(120_000) }))
      if (item.kind === 'event' && item.event.type === 'plan.question_asked') break;
    const waiting = (await daemon.client.getPlan({ plan: plan.id })).plan;
    expect(waiting.status).toBe('pending');
    expect(waiting.clarification).toMatchObject({ field: 'map', answer: null });
    expect(waiting.clarification?.options.map(({ value }) => value)).toEqual(['0=ham,1=spam', '0=spam,1=ham']);
    const preflight = waiting.tasks.find(({ id }) => id === 'benchmark_adapter_preflight');
    expect({ status: preflight?.status, runs: preflight?.runCount }).toEqual({ status: 'pending', runs: 0 });
    await expect(daemon.client.executePlan({ plan: plan.id })).rejects.toMatchObject({ code: 'needs_clarification' });
    await expect(daemon.client.clarifyPlan({ plan: plan.id, body: { answer: '0=ham,1=offer' } })).rejects.toMatchObject(
      {
        code: 'invalid_request',
      },
    );
    await daemon.client.clarifyPlan({ plan: plan.id, body: { answer: '0=ham,1=spam' } });
    await daemon.client.executePlan({ plan: plan.id });
    const done = await finishBenchmark(daemon, plan.id);
    expect(done.failure).toBeNull();
    expect(done.result.metrics['accuracy']).toBe(1);
    expect(done.result.labels).toEqual({ map: '0=ham,1=spam', evidence: 'given with --map' });
    const why = await daemon.client.why({ query: { ref: `${plan.id}/benchmark_adapter_preflight` } });
    expect(why.sentence).toContain('its answers mean 0=ham,1=spam (given with --map)');
  });
});

describe('an entry point that writes beside itself', () => {
  test('runs on a private copy, with a mapping that stands in the code', async () => {
    verifies('adapter.private-copy', 'adapter.labels-by-evidence');
    const root = await repository('writer', {
      'spam.py':
        'LABELS = ["ham", "spam"]\n\ndef predict(text):\n    with open("seen.log", "a") as log:\n        log.write(text + "\\n")\n    return 1 if "free" in text else 0\n',
    });
    const done = await runBenchmark(daemon, { repository: root, data, target: 'label' });
    expect(done.failure).toBeNull();
    expect(done.result.metrics['accuracy']).toBe(1);
    expect(done.result.labels).toEqual({ map: '0=ham,1=spam', evidence: 'spam.py:1 LABELS says 0 = ham, 1 = spam' });
    expect(done.result.notes?.join('\n')).toContain('it ran on a private copy of the repository');
    expect(done.result.verified.ok).toBe(done.result.verified.total);
  });
});
