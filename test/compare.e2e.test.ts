import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BenchmarkResult, ComparisonResult, Plan } from '@assay/contracts';
import { canonicalJson } from '@assay/foundation';
import { fsck, verifyOffline } from '@assay/engine/offline';
import { sha256Text } from '@assay/files';
import { startTestDaemon, temporaryFolder, verifies, type TemporaryFolder, type TestDaemon } from '@assay/testkit';
import { finishBenchmark } from './support/benchmark.ts';
import { runCli } from './support/cli.ts';
import { repositories, writeCompared } from './support/compared.ts';

let daemon: TestDaemon;
let folder: TemporaryFolder;
let data: string;
let plans: Readonly<Record<string, Plan>>;
let made: ComparisonResult;
let questId: string;

beforeAll(async () => {
  folder = await temporaryFolder('assay-compare');
  daemon = await startTestDaemon();
  data = await writeCompared(folder.path);
  const protocol = await daemon.client.registerProtocol({ body: { inputs: { data, target: 'label' } } });
  ({ questId } = protocol);
  const done: Record<string, Plan> = {};
  for (const name of Object.keys(repositories)) {
    const inputs = { repository: join(folder.path, name), protocol: protocol.artifactId };
    const { plan } = await daemon.client.createPlan({ body: { questId, inputs } });
    await daemon.client.executePlan({ plan: plan.id });
    done[name] = (await finishBenchmark(daemon, plan.id)).plan;
  }
  plans = done;
  made = await daemon.client.comparePlans({ body: { plans: Object.values(plans).map(({ id }) => id) } });
}, 170_000);

afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

const sentence = (words: string) => made.comparison.conclusion.find((one) => one.includes(words));

describe('a comparison of five repositories', () => {
  test('binds every plan to one protocol that was registered before the first run', async () => {
    verifies('compare.one-protocol');
    const { comparison } = made;
    const { artifacts } = await daemon.client.listArtifacts({ quest: questId, query: { limit: 500 } });
    const hashes = artifacts
      .filter(({ key }) => key === 'preregistration' || key === 'protocol')
      .map(({ value }) => (value as { sha256: string }).sha256);
    expect(hashes).toHaveLength(6);
    expect(new Set(hashes)).toEqual(new Set([comparison.protocol.sha256]));
    const { events } = await daemon.client.questEvents({ quest: questId, query: { limit: 10_000 } });
    const at = (found: (event: (typeof events)[number]) => boolean) => events.find(found)!.seq;
    const registered = at(
      ({ type, data }) => type === 'artifact.published' && (data as { key: string }).key === 'protocol',
    );
    const ran = at(({ type, scope }) => type === 'plan.task_started' && scope.task === 'benchmark_execute');
    expect([comparison.protocol.registeredSeq, comparison.protocol.firstRunSeq]).toEqual([registered, ran]);
    expect(registered).toBeLessThan(ran);
    // 30 % of 400 rows, the same for all, also for code that needs no training
    expect([comparison.rows, comparison.primary, comparison.task]).toEqual([120, 'accuracy', 'classification']);
  });

  test('says what is better, and of the same code that it is the same', () => {
    verifies('compare.better-only-when-proven', 'compare.same-code-recognised', 'compare.seed-only-recognised');
    const { candidates, pairs } = made.comparison;
    expect(candidates.map(({ name, rank }) => `${name} ${rank}`)).toEqual([
      'threshold 1',
      'coin 2',
      'disguised 2',
      'reseeded 2',
    ]);
    expect(pairs.map(({ first, second, code, verdict }) => `${first}${second} ${code} ${verdict}`)).toEqual([
      '01 different first_better',
      '02 different first_better',
      '03 different first_better',
      '12 same_tokens not_distinguishable',
      '13 seed_only not_distinguishable',
      '23 seed_only not_distinguishable',
    ]);
    const [first] = pairs;
    expect(first!.test!.corrected.interval![0]).toBeGreaterThan(0);
    expect(first!.test!.pHolm.value).toBeLessThan(0.05);
    expect(pairs[3]!.differences['accuracy']).toMatchObject({ value: 0, interval: [0, 0] });
    expect(pairs[4]!.differences['accuracy']!.value).not.toBe(0);
    expect(made.comparison.conclusion.slice(0, 2)).toEqual([
      'threshold ranks first in accuracy.',
      'threshold is better than coin in accuracy: the interval of their difference excludes zero after the correction for 10 comparisons.',
    ]);
    expect(sentence('coin and disguised')).toBe(
      'coin and disguised are the same code: they differ only in comments, white space or documentation (README.md, model.py).',
    );
    expect(sentence('coin and reseeded')).toBe(
      'coin and reseeded differ only in seeds of random numbers (model.py): a difference between them is chance.',
    );
  });

  test('counts every formal run, and names what could not be compared and why', () => {
    verifies('compare.attempts-corrected', 'compare.failures-named');
    const { attempts, family, notCompared } = made.comparison;
    expect(attempts.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['completed', null],
      ['completed', null],
      ['completed', null],
      ['completed', null],
      ['failed', 'adapter_failed'],
    ]);
    expect(family).toBe(10);
    expect(notCompared).toMatchObject([{ plan: plans['breaks']!.id, name: 'breaks', code: 'adapter_failed' }]);
    expect(sentence('breaks could not be compared: ')).toContain('cannot do that many');
  });

  test('proves each number, and its report shows them as links', async () => {
    verifies('compare.verified', 'compare.report');
    expect(made.verified.ok).toBe(made.verified.total);
    // 4 candidates × 2 metrics, 6 pairs × (2 differences + 7 numbers of the decision)
    expect(made.verified.total).toBe(4 * 2 + 6 * 9);
    const offline = await verifyOffline(daemon.home, made.comparison.id);
    expect(offline).toEqual({ ok: 62, total: 62, mismatches: [] });
    const text = await readFile(made.report, 'utf8');
    const { value } = made.comparison.pairs[0]!.differences['accuracy']!;
    expect(text).toContain(
      `[${value.toFixed(4)}](../evidence/${made.comparison.pairs[0]!.test!.corrected.evidence}.json)`,
    );
    expect(text).toContain('- threshold is better than coin in accuracy');
    expect(text).toContain('- rank 2: `coin`, `disguised`, `reseeded`');
    expect(text).toContain(`assay verify ${made.comparison.id}`);
    expect(await fsck(daemon.home)).toMatchObject({ ok: true });
  });

  test('counts later runs too: what was tried since is corrected for, and repeated plans are the same code', async () => {
    verifies('compare.attempts-corrected', 'compare.same-code-recognised');
    const inputs = { repository: join(folder.path, 'threshold'), protocol: plans['coin']!.inputs.protocol! };
    const { plan } = await daemon.client.createPlan({ body: { questId, inputs } });
    await daemon.client.executePlan({ plan: plan.id });
    await finishBenchmark(daemon, plan.id);
    const { comparison } = await daemon.client.comparePlans({ body: { plans: [plans['threshold']!.id, plan.id] } });
    expect([comparison.attempts.length, comparison.family]).toEqual([6, 15]);
    expect(comparison.candidates.map(({ name, rank }) => `${name} ${rank}`)).toEqual([
      'threshold #1 1',
      'threshold #2 1',
    ]);
    expect(comparison.conclusion).toEqual([
      'Nothing was shown to be better in accuracy than anything else.',
      'threshold #1 and threshold #2 are the same code: the same files, called in the same way.',
    ]);
    // The earlier comparison stays what it was, with the runs that there were.
    expect((await verifyOffline(daemon.home, made.comparison.id)).mismatches).toEqual([]);
  });
});

describe('a comparison that was made', () => {
  test('is listed and shown again over HTTP and on the command line, and why tells what it concluded', async () => {
    verifies('compare.stored', 'cli.comparison');
    const { id } = made.comparison;
    expect(await daemon.client.getComparison({ comparison: id })).toEqual(made);
    const { comparisons } = await daemon.client.listComparisons({ query: { quest: questId } });
    expect(comparisons.at(-1)).toEqual({
      id,
      quest: questId,
      createdAt: made.comparison.createdAt,
      dataset: 'points.csv',
      primary: 'accuracy',
      candidates: made.comparison.candidates.map(({ plan, name, rank }) => ({ plan, name, rank })),
      notCompared: [{ plan: plans['breaks']!.id, name: 'breaks' }],
      conclusion: 'threshold ranks first in accuracy.',
    });
    const ids = comparisons.map((one) => one.id);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const { sentence, state } = await daemon.client.why({ query: { ref: id } });
    expect(state).toBe('made');
    expect(sentence).toMatch(/^made: threshold ranks first in accuracy\. threshold is better than coin in accuracy: /);
    expect(sentence).toMatch(/62 of 62 numbers verify now$/);
    const env = { ASSAY_HOME: daemon.home };
    const shown = await runCli(['comparison', 'show', id], env);
    // as after the command that made it: a candidate could not be compared
    expect([shown.exit, shown.stderr]).toEqual([1, '']);
    expect(shown.stdout).toContain('✓ threshold is better');
    const listed = await runCli(['comparison', 'list', '--quest', questId], env);
    expect([listed.exit, listed.stderr]).toEqual([0, '']);
    expect(listed.stdout).toContain(id);
    expect((await runCli(['why', id], env)).stdout).toContain('threshold ranks first in accuracy. threshold is better');
  });

  test('that is not there, or is not the caller’s, is refused', async () => {
    verifies('compare.stored');
    const { id } = made.comparison;
    await expect(daemon.client.getComparison({ comparison: `${id.slice(0, -1)}0` })).rejects.toMatchObject({
      code: 'not_found',
      hint: 'list them with: assay comparison list',
    });
    const { url, token } = daemon;
    const asOther = { authorization: `Bearer ${token}`, 'x-user-id': 'somebody-else' };
    const other = await fetch(`${url}/api/comparisons/${id}`, { headers: asOther });
    expect([other.status, await other.json()]).toMatchObject([403, { error: { code: 'not_owner' } }]);
    const list = await fetch(`${url}/api/comparisons`, { headers: asOther });
    expect(await list.json()).toEqual({ comparisons: [], nextCursor: null });
  });
});

describe('a comparison with groups or time', () => {
  /** 300 rows in thirty groups, each of one month; a threshold on `x` decides the label but for every fifteenth row. */
  function grouped(): string {
    const rows = Array.from({ length: 300 }, (_, i) => {
      const x = ((i * 37) % 1000) / 100;
      const month = String(1 + (i % 12)).padStart(2, '0');
      return `${x},${(i * 13) % 7},p${i % 30},2024-${month}-15,${x > 5 === (i % 15 !== 0) ? 'high' : 'low'}`;
    });
    return `x,y,patient,visited,label\n${rows.join('\n')}\n`;
  }

  test.each([
    ['--group', 'patient', 'groups', /patient/],
    ['--time', 'visited', 'time', /visited/],
  ])('%s %s: all candidates predict the same rows, and every number verifies', async (option, column, _, named) => {
    verifies('compare.group-and-time');
    const file = join(folder.path, `grouped-${column}.csv`);
    await writeFile(file, grouped());
    const repo = (name: string) => ['--repo', join(folder.path, name)];
    const env = { ASSAY_HOME: daemon.home };
    const options = ['--data', file, '--target', 'label', '--input', 'x,y', option, column, '--json'];
    const run = await runCli(['benchmark', ...repo('threshold'), ...repo('coin'), ...options], env);
    expect(run.exit, run.stderr).toBe(0);
    const { comparison, verified, report } = JSON.parse(run.stdout) as ComparisonResult;
    expect(verified.ok).toBe(verified.total);
    expect(comparison.pairs[0]!.verdict).toBe('first_better');
    expect(await readFile(report, 'utf8')).toMatch(named);
    const rows = await Promise.all(comparison.candidates.map(({ plan }) => handedOut(comparison.quest, plan)));
    expect(rows[0]).toEqual(rows[1]);
    expect(rows[0]).toHaveLength(comparison.rows);
    const months = (list: readonly number[]) => new Set(list.map((row) => row % 12));
    const groups = (list: readonly number[]) => new Set(list.map((row) => row % 30));
    const others = Array.from({ length: 300 }, (_unused, row) => row).filter((row) => !rows[0]!.includes(row));
    if (option === '--time') expect(Math.min(...months(rows[0]!))).toBeGreaterThan(Math.max(...months(others)));
    else expect([...groups(rows[0]!)].filter((group) => groups(others).has(group))).toEqual([]);
    expect((await verifyOffline(daemon.home, comparison.id)).mismatches).toEqual([]);
  });

  /** The rows that the predictions of a plan are of. */
  async function handedOut(quest: string, plan: string): Promise<number[]> {
    const { artifacts } = await daemon.client.listArtifacts({ quest, query: { limit: 500 } });
    const found = artifacts.find(({ key, producer }) => key === 'benchmark_predictions' && producer.plan === plan)!;
    const text = await readFile(join(daemon.home, 'quests', quest, found.path!), 'utf8');
    const rows = text.trim().split('\n');
    return rows.map((line) => (JSON.parse(line) as { row_index: number }).row_index).sort((a, b) => a - b);
  }
});

describe('a forged comparison', () => {
  /** Changes the stored comparison, verifies it, and puts it back. */
  async function forged(change: (text: string) => string) {
    const { artifacts } = await daemon.client.listArtifacts({ quest: questId, query: { limit: 500 } });
    const { id } = artifacts.find(
      ({ key, producer }) => key === 'comparison' && producer.comparison === made.comparison.id,
    )!;
    const path = join(daemon.home, 'quests', questId, 'artifacts', 'metrics', `${id}.json`);
    const before = await readFile(path, 'utf8');
    const record = JSON.parse(before) as { value: unknown; sha256: string };
    const text = JSON.stringify(record.value);
    record.value = JSON.parse(change(text));
    if (JSON.stringify(record.value) === text) throw new Error('nothing was forged');
    record.sha256 = sha256Text(canonicalJson(record.value));
    await writeFile(path, JSON.stringify(record));
    try {
      expect((await fsck(daemon.home)).ok).toBe(false);
      // The journal knows the hash of the record; without it the words and numbers have to agree with one another.
      const journal = join(daemon.home, 'quests', questId, '.assay', 'events');
      await rename(journal, `${journal}.away`);
      try {
        return await verifyOffline(daemon.home, made.comparison.id);
      } finally {
        await rename(`${journal}.away`, journal);
      }
    } finally {
      await writeFile(path, before);
    }
  }

  test('is found when a number, a verdict or the number of runs was changed and its hash made to fit, also without the journal', async () => {
    verifies('compare.forgery-found');
    const difference = made.comparison.pairs[4]!.differences['accuracy']!;
    for (const change of [
      (text: string) => text.replaceAll(`"value":${difference.value},"interval"`, '"value":0.9,"interval"'),
      (text: string) => text.replace('"verdict":"not_distinguishable"', '"verdict":"first_better"'),
      (text: string) => text.replace('"family":10', '"family":1'),
      (text: string) => text.replace('threshold ranks first', 'coin ranks first'),
    ]) {
      const found = await forged(change);
      expect(found.ok).toBeLessThan(found.total);
      expect(found.mismatches[0]!.source).toMatch(/^artifacts\/metrics\/artifact_/);
    }
    expect((await verifyOffline(daemon.home, made.comparison.id)).mismatches).toEqual([]);
  });

  test('is found when its evidence or its rendered report was changed', async () => {
    verifies('compare.forgery-found', 'verify.report-as-written');
    const { evidence } = made.comparison.pairs[0]!.test!.corrected;
    const record = join(daemon.home, 'quests', questId, 'evidence', `${evidence}.json`);
    const before = await readFile(record, 'utf8');
    const low = made.comparison.pairs[0]!.test!.corrected.interval![0];
    await writeFile(record, before.replace(`"low": ${low}`, '"low": 0.99'));
    expect((await verifyOffline(daemon.home, made.comparison.id)).mismatches).toMatchObject([
      { evidenceId: evidence, reason: 'mismatch' },
    ]);
    await writeFile(record, before.replace('"family": 10', '"family": 1'));
    expect((await verifyOffline(daemon.home, made.comparison.id)).mismatches).toMatchObject([{ evidenceId: evidence }]);
    await writeFile(record, before);
    const text = await readFile(made.report, 'utf8');
    const shown = made.comparison.pairs[0]!.test!.corrected.value.toFixed(4);
    await writeFile(made.report, text.replace(`[${shown}]`, '[0.9999]'));
    expect((await verifyOffline(daemon.home, made.comparison.id)).mismatches).toMatchObject([{ claimed: 0.9999 }]);
    await writeFile(made.report, text.replace('threshold is better than coin', 'coin is better than threshold'));
    const words = await verifyOffline(daemon.home, made.comparison.id);
    await writeFile(made.report, text);
    const source = `documents/comparison-${made.comparison.id}.md`;
    expect(words).toMatchObject({
      ok: 61,
      total: 62,
      mismatches: [{ claimed: null, source, reason: 'source_changed' }],
    });
  });
});

describe('assay benchmark with several repositories', () => {
  test('compares them with what the quest has, answers in one line of JSON and ends with 1 when one failed', async () => {
    verifies('cli.comparison', 'compare.attempts-corrected');
    const repo = (name: string) => ['--repo', join(folder.path, name)];
    const options = ['--data', data, '--target', 'label', '--json'];
    const env = { ASSAY_HOME: daemon.home };
    const fresh = await runCli(['benchmark', ...repo('threshold'), ...repo('breaks'), ...options], env);
    expect(fresh.exit, fresh.stderr).toBe(1);
    expect(fresh.stdout.trim().split('\n')).toHaveLength(1);
    const first = (JSON.parse(fresh.stdout) as ComparisonResult).comparison;
    expect(first.candidates.map(({ name }) => name)).toEqual(['threshold']);
    expect(first.notCompared).toMatchObject([{ name: 'breaks', code: 'adapter_failed' }]);
    const more = await runCli(['benchmark', ...repo('coin'), '--quest', first.quest, ...options], env);
    expect(more.exit, more.stderr).toBe(0);
    const second = (JSON.parse(more.stdout) as ComparisonResult).comparison;
    // Three formal runs: the one that failed counts too.
    expect([second.protocol.sha256, second.family]).toEqual([first.protocol.sha256, 3]);
    expect(second.candidates.map(({ name, rank }) => `${name} ${rank}`)).toEqual(['threshold 1', 'coin 2']);
    const again = await runCli(['plan', 'compare', ...second.candidates.map(({ plan }) => plan)], env);
    expect([again.exit, again.stderr]).toEqual([0, '']);
    expect(again.stdout).toContain('threshold − coin');
    expect(again.stdout).toContain('✓ threshold is better');
    const checked = await runCli(['verify', second.id], env);
    expect(checked.exit).toBe(0);
    expect(checked.stdout).toMatch(/^✓ 13 of 13 numbers confirmed in \d+\.\d s\n$/);
  });
});

describe('assay benchmark with one repository', () => {
  test.each([
    ['all', 400],
    ['held-out', 120],
  ])('is a benchmark when --rows says %s', async (rows, predicted) => {
    verifies('cli.one-is-a-benchmark');
    const words = ['benchmark', '--repo', join(folder.path, 'threshold'), '--data', data, '--target', 'label'];
    const run = await runCli([...words, '--rows', rows, '--json'], { ASSAY_HOME: daemon.home });
    expect(run.exit, run.stderr).toBe(0);
    const result = JSON.parse(run.stdout) as BenchmarkResult;
    expect(result).toMatchObject({ status: 'completed', metrics: { accuracy: expect.any(Number) } });
    expect([result.verified.ok > 0, result.verified.ok]).toEqual([true, result.verified.total]);
    const { artifacts } = await daemon.client.listArtifacts({ quest: result.questId!, query: { limit: 500 } });
    const registration = artifacts.find(({ key }) => key === 'preregistration')!.value;
    expect(registration).toMatchObject({ split: { handedOut: predicted } });
  });
});

describe('a comparison is refused', () => {
  test('for plans under another protocol, of another quest, or without any result', async () => {
    verifies('compare.refusals');
    const run = async (body: { questId: string; inputs: { repository: string; data: string; target: string } }) => {
      const { plan } = await daemon.client.createPlan({ body });
      await daemon.client.executePlan({ plan: plan.id });
      return (await finishBenchmark(daemon, plan.id)).plan;
    };
    const own = { repository: join(folder.path, 'threshold'), data, target: 'label' };
    const alone = await run({ questId, inputs: own });
    const { comparison } = await daemon.client.comparePlans({ body: { plans: [plans['coin']!.id, alone.id] } });
    expect(comparison.notCompared).toMatchObject([
      { plan: alone.id, code: 'protocol_mismatch', why: 'this differs: split' },
    ]);
    expect(comparison.conclusion[0]).toBe('Only coin was measured; there is nothing to compare it with.');
    const { plan: elsewhere } = await daemon.client.createPlan({ body: { inputs: own } });
    const compare = (...ids: string[]) => daemon.client.comparePlans({ body: { plans: ids } });
    await expect(compare(plans['coin']!.id, elsewhere.id)).rejects.toMatchObject({ code: 'not_comparable' });
    await expect(compare(plans['breaks']!.id)).rejects.toMatchObject({ code: 'not_comparable' });
    await expect(compare(plans['coin']!.id, plans['coin']!.id)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('for a protocol that does not fit its data, its target or its plan', async () => {
    verifies('compare.refusals');
    const register = (inputs: { data: string; target?: string }) =>
      daemon.client.registerProtocol({ body: { inputs } });
    await expect(register({ data: join(folder.path, 'none.csv') })).rejects.toMatchObject({ code: 'dataset_missing' });
    await expect(register({ data, target: 'colour' })).rejects.toMatchObject({ code: 'column_missing' });
    const { artifactId } = await daemon.client.registerProtocol({
      body: { questId, inputs: { data, target: 'label' } },
    });
    // The same protocol of the same quest is registered once.
    expect(artifactId).toBe(plans['coin']!.inputs.protocol);
    const repository = join(folder.path, 'coin');
    const create = (inputs: Record<string, unknown>) =>
      daemon.client.createPlan({ body: { questId, inputs: { repository, ...inputs } } });
    await expect(create({ protocol: artifactId, target: 'y' })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(create({ protocol: 'artifact_0' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(create({ protocol: plans['coin']!.artifacts['repo_manifest'] })).rejects.toMatchObject({
      code: 'protocol_mismatch',
    });
    // What a plan takes over from the protocol stands in the record's metadata: the journal holds that too.
    const record = join(daemon.home, 'quests', questId, 'artifacts/json', `${artifactId}.json`);
    const before = await readFile(record, 'utf8');
    await writeFile(record, before.replace(/"target": "label"/, '"target": "y"'));
    const changed = await create({ protocol: artifactId }).catch((error: unknown) => error);
    await writeFile(record, before);
    expect(before).toContain('"target": "label"');
    expect(changed).toMatchObject({ code: 'protocol_mismatch', why: 'the journal of the quest holds another hash' });
  });
});
