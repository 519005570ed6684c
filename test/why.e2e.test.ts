import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError } from '@assay/foundation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, temporaryFolder, verifies, type TemporaryFolder, type TestDaemon } from '@assay/testkit';
import { attacker, END } from './support/attacker.ts';
import { runBenchmark, type BenchmarkRequest } from './support/benchmark.ts';
import { runCli } from './support/cli.ts';
import { pointsCsv, thresholdRepo, writeTree } from './support/fixtures.ts';

let daemon: TestDaemon;
let folder: TemporaryFolder;
let repository: string;
let data: string;
let made = 0;

beforeAll(async () => {
  folder = await temporaryFolder('assay-why');
  daemon = await startTestDaemon();
  repository = await writeTree(join(folder.path, 'threshold'), thresholdRepo);
  data = await csv(pointsCsv());
});

afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

async function csv(content: string | Buffer): Promise<string> {
  const path = join(folder.path, `rows-${made++}.csv`);
  await writeFile(path, content);
  return path;
}

function repositoryOf(files: Readonly<Record<string, string>>): Promise<string> {
  return writeTree(join(folder.path, `repo-${made++}`), files);
}

const code = (text: string) => repositoryOf({ 'model.py': text });

interface Ending {
  readonly name: string;
  readonly inputs: () => Promise<Partial<BenchmarkRequest>>;
  readonly code: string;
  /** What, why and what to do, as one sentence says them. */
  readonly says: RegExp;
}

/** A plan that ends with a failure, and the sentence of why for it. */
const endings: readonly Ending[] = [
  {
    name: 'no repository',
    inputs: async () => ({ repository: join(folder.path, 'gone') }),
    code: 'repository_missing',
    says: /\/gone/,
  },
  {
    name: 'a repository without code',
    inputs: async () => ({ repository: await repositoryOf({ 'README.md': '# only words\n' }) }),
    code: 'repository_no_code',
    says: /no code in .*README\.md.*source files/,
  },
  {
    name: 'a server that does not answer',
    inputs: async () => ({ repository: 'http://127.0.0.1:9/some/repo.git' }),
    code: 'repository_unreachable',
    says: /127\.0\.0\.1.*network|address/,
  },
  {
    name: 'a target that is no column',
    inputs: async () => ({ target: 'colour' }),
    code: 'column_missing',
    says: /"colour".*x, y, label/,
  },
  {
    name: 'a group that is no column',
    inputs: async () => ({ group: 'patient' }),
    code: 'column_missing',
    says: /"patient".*x, y, label/,
  },
  {
    name: 'one class',
    inputs: async () => ({ data: await csv('x,label\n1,a\n2,a\n3,a\n') }),
    code: 'target_unsuitable',
    says: /label.*one|same/,
  },
  {
    name: 'nothing that predicts',
    inputs: async () => ({ repository: await code('def add(a, b):\n    return a + b\n') }),
    code: 'adapter_not_recognised',
    says: /1 Python file.*--entry/,
  },
  {
    name: 'packages that may not be installed',
    inputs: async () => ({
      repository: await code(
        'import numpy as np\n\n\ndef predict(row: dict) -> str:\n    return "high" if np.float64(row["x"]) > 5 else "low"\n',
      ),
      install: false,
    }),
    code: 'dependencies_required',
    says: /numpy/,
  },
  {
    name: 'a repository that ships the answers',
    inputs: async () => ({
      repository: await code(`ROWS = [${pointsCsv()
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => `(${line.replace(/,(\w+)$/, ", '$1'")})`)
        .join(', ')}]


def predict(row: dict) -> str:
    """The label of one row with the keys "x" and "y"."""
    return next(label for x, y, label in ROWS if x == row["x"] and y == row["y"])
`),
    }),
    code: 'repository_holds_labels',
    says: /model\.py/,
  },
  {
    name: 'predictions that are left out',
    inputs: async () => ({ repository: await repositoryOf(attacker(`write(out, good(rows[:-1])); ${END}`)) }),
    code: 'predictions_incomplete',
    says: /1 of 60 rows have no prediction \(predictions\.jsonl lacks the rows of the data file \d+\.\)/,
  },
  {
    name: 'a metric that was made up',
    inputs: async () => ({
      repository: await repositoryOf(
        attacker(
          `write(out, good(rows)); json.dump({"accuracy": 1.0}, open(os.path.join(out, "metrics.json"), "w")); ${END}`,
        ),
      ),
    }),
    code: 'metrics_forged',
    says: /accuracy/,
  },
  {
    name: 'an output that is a link',
    inputs: async () => ({
      repository: await repositoryOf(
        attacker(
          `write(out, good(rows)); p = os.path.join(out, "predictions.jsonl"); os.rename(p, p + ".x"); os.symlink(p + ".x", p); ${END}`,
        ),
      ),
    }),
    code: 'output_unsafe',
    says: /predictions\.jsonl/,
  },
  {
    name: 'code that breaks',
    inputs: async () => ({ repository: await repositoryOf(attacker('raise SystemExit("no more rows, please")')) }),
    code: 'adapter_failed',
    says: /exit code.*no more rows, please/s,
  },
];

describe('why', () => {
  test.each(endings)('$name: its task, the tasks behind it and its plan say what, why and what to do', async (one) => {
    verifies('guide.why-says-what-to-do');
    const inputs = { repository, data, target: 'label', ...(await one.inputs()) };
    const { plan, failure } = await runBenchmark(daemon, inputs);
    expect(failure).toBe(one.code);
    const task = plan.tasks.find(({ status }) => status === 'failed')!;
    const blocked = plan.tasks.find(({ status }) => status === 'blocked')!;
    for (const ref of [plan.id, `${plan.id}/${task.id}`, `${plan.id}/${blocked.id}`]) {
      const { sentence } = await daemon.client.why({ query: { ref } });
      expect(sentence).toMatch(one.says);
      const { message, why, hint } = task.error!;
      for (const part of [message, why ?? '', `; what to do: ${hint}`]) expect(sentence).toContain(part);
      expect(hint!.length).toBeGreaterThan(10);
    }
  });

  test('the command prints the sentence', async () => {
    verifies('guide.why-says-what-to-do');
    const { plan } = await runBenchmark(daemon, { repository, data, target: 'colour' });
    const run = await runCli(['why', `${plan.id}/dataset_profile`], { ASSAY_HOME: daemon.home });
    expect(run).toMatchObject({ exit: 0, stderr: '' });
    expect(run.stdout).toMatch(/^failed: .*"colour".*; what to do: .*\n$/);
  });

  test('a plan that waits for an answer, one that was canceled, and data that was changed', async () => {
    verifies('guide.why-says-what-to-do');
    const why = async (ref: string) => (await daemon.client.why({ query: { ref } })).sentence;
    const unclear = await csv(pointsCsv().replace('x,y,label', 'x,b,c'));
    const asks = await daemon.client.createPlan({ body: { inputs: { repository, data: unclear } } });
    expect(await why(asks.plan.id)).toMatch(/^pending: it waits for an answer: Which column .* is to be predicted\?/);
    await daemon.client.cancelPlan({ plan: asks.plan.id });
    expect(await why(asks.plan.id)).toMatch(/^canceled: .*; what to do: .*plan retry/);
    const moved = await csv(pointsCsv());
    const { plan } = await daemon.client.createPlan({ body: { inputs: { repository, data: moved, target: 'label' } } });
    await rm(moved);
    await daemon.client.executePlan({ plan: plan.id });
    await expect
      .poll(async () => (await daemon.client.getPlan({ plan: plan.id })).plan.status, { timeout: 20_000 })
      .toBe('failed');
    expect(await why(plan.id)).toMatch(/^failed: .*cannot open the data file .*There is no such file.*; what to do: /);
  });
});

interface Refused {
  readonly name: string;
  readonly body: () => Promise<object>;
  readonly code: string;
}

const say = (inputs: object, rest: object = {}) => ({
  inputs: { repository, data, target: 'label', ...inputs },
  ...rest,
});

const refusals: readonly Refused[] = [
  { name: 'no data', body: async () => ({ inputs: { repository } }), code: 'dataset_missing' },
  { name: 'no repository', body: async () => ({ inputs: { data } }), code: 'repository_missing' },
  { name: 'a relative data path', body: async () => say({ data: 'rows.csv' }), code: 'invalid_request' },
  { name: 'a relative repository', body: async () => say({ repository: './model' }), code: 'invalid_request' },
  { name: 'no data file', body: async () => say({ data: join(folder.path, 'gone.csv') }), code: 'dataset_missing' },
  { name: 'a folder as data', body: async () => say({ data: folder.path }), code: 'dataset_missing' },
  { name: 'an empty file', body: async () => say({ data: await csv('') }), code: 'dataset_empty' },
  {
    name: 'a file with zero bytes',
    body: async () => say({ data: await csv(Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256))) }),
    code: 'dataset_format',
  },
  { name: 'a task kind that is none', body: async () => say({ task: 'clustering' }), code: 'invalid_request' },
  { name: 'a limit of no rows', body: async () => say({ limit: 0 }), code: 'invalid_request' },
  {
    name: 'a way in that is closed',
    body: async () => say({ repository: 'ext::sh -c id' }),
    code: 'repository_unsupported',
  },
  {
    name: 'a password in an address',
    body: async () => say({ repository: 'https://me:pw@example.org/x.git' }),
    code: 'invalid_request',
  },
  {
    name: 'a package name that is none',
    body: async () => say({ repository: 'pypi:no such' }),
    code: 'invalid_request',
  },
  {
    name: 'two revisions',
    body: async () => say({ repository: 'git+https://example.org/x.git@a', ref: 'b' }),
    code: 'invalid_request',
  },
  { name: 'a subfolder outside', body: async () => say({ subfolder: '../x' }), code: 'invalid_request' },
  {
    name: 'a secret that is not kept',
    body: async () => say({ repository: 'https://example.org/x.git', secret: 'team' }),
    code: 'secret_missing',
  },
  { name: 'a mapping that is none', body: async () => say({ map: 'a' }), code: 'invalid_request' },
  {
    name: 'a budget beyond the home',
    body: async () => say({}, { budget: { maxTaskAttempts: 100_000 } }),
    code: 'invalid_request',
  },
  { name: 'reuse', body: async () => say({}, { reuse: true }), code: 'invalid_request' },
  { name: 'another kind of plan', body: async () => say({}, { intentType: 'General' }), code: 'invalid_request' },
  { name: 'a protocol without a quest', body: async () => say({ protocol: 'artifact_x' }), code: 'invalid_request' },
  {
    name: 'a quest that is not there',
    body: async () => say({}, { questId: 'quest_01JD2Z4T0V9X0000000000000A' }),
    code: 'not_found',
  },
  { name: 'a field that is unknown', body: async () => say({ targt: 'label' }), code: 'invalid_request' },
];

test.each(refusals)('a request that is refused: $name', async ({ body, code }) => {
  verifies('guide.refusals-say-what-to-do');
  const before = (await daemon.client.listPlans()).plans.length;
  const error = await daemon.client.createPlan({ body: await body() }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AssayError);
  const refusal = error as AssayError;
  expect({ code: refusal.code, message: refusal.message, hint: refusal.hint }).toMatchObject({
    code,
    message: expect.stringMatching(/\w{2,} \w+/) as string,
    hint: expect.stringMatching(/\w{2,} \w+/) as string,
  });
  expect((await daemon.client.listPlans()).plans).toHaveLength(before);
});
