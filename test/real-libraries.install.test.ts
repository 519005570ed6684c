import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  missing,
  startTestDaemon,
  temporaryFolder,
  verifies,
  type TemporaryFolder,
  type TestDaemon,
} from '@assay/testkit';
import { runBenchmark } from './support/benchmark.ts';
import { pointsCsv, writeTree } from './support/fixtures.ts';
import {
  arrayCases,
  commandLines,
  commandRequirements,
  mailCsv,
  savedModels,
  saveModels,
  sidesCsv,
  tableRequirements,
  trainedCases,
} from './support/real-libraries.ts';

const lacks = missing('package index').length > 0;
const isLong = process.env['ASSAY_TEST_LONG'] === '1';
const limitMs = 300_000;

/** Every `step`th case from the first one, and all of them in the long run. */
function some<T>(cases: readonly T[], step: number): readonly T[] {
  return isLong ? cases : cases.filter((_, at) => at % step === 0);
}

let daemon: TestDaemon;
let folder: TemporaryFolder;

beforeAll(async () => {
  if (lacks) return;
  folder = await temporaryFolder('assay-libraries');
  await writeFile(join(folder.path, 'mail.csv'), mailCsv());
  await writeFile(join(folder.path, 'points.csv'), pointsCsv());
  await writeFile(join(folder.path, 'sides.csv'), sidesCsv());
  const pip = Object.entries(process.env).filter(([name]) => /^(PIP_|SSL_|REQUESTS_)/.test(name));
  daemon = await startTestDaemon({ env: Object.fromEntries(pip) as Record<string, string> });
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

interface Run {
  readonly name: string;
  readonly data: string;
  readonly requirements: string;
  readonly files?: Readonly<Record<string, string>>;
}

async function run({ name, data, requirements, files = {} }: Run) {
  const repository = join(folder.path, name.replaceAll(/\W+/g, '-'));
  await writeTree(repository, { ...files, 'requirements.txt': requirements });
  const inputs = { repository, data: join(folder.path, data), target: 'label' };
  const { result, plan, failure } = await runBenchmark(daemon, inputs, limitMs - 10_000);
  const error = plan.tasks.find((task) => task.status === 'failed')?.error;
  expect({ failure, error }).toEqual({ failure: null, error: undefined });
  expect(result.verified.total).toBeGreaterThan(0);
  expect(result.verified.ok).toBe(result.verified.total);
  return result;
}

// Counted by hand: of 40 messages 4 are on the wrong side; of 60 points 4 are, and 29 lie above 5.
const mail = { accuracy: 36 / 40, macro_f1: (0.8 + 14 / 15) / 2 };
const points = { accuracy: 56 / 60, macro_f1: 0.9332591768631813 };

describe.skipIf(lacks)('command lines of real libraries', () => {
  test.each(some(commandLines, 4))(
    '$name',
    async ({ name, files, entry }) => {
      verifies('adapter.real-libraries');
      const result = await run({ name, data: 'mail.csv', requirements: commandRequirements, files });
      expect(result.entrypoint).toBe(entry);
      expect(result.metrics).toMatchObject(mail);
    },
    limitMs,
  );
});

describe.skipIf(lacks)('tables, arrays and saved models of real libraries', () => {
  test.each(some(arrayCases, 3))(
    '$name',
    async ({ name, files, entry }) => {
      verifies('adapter.real-libraries');
      const result = await run({ name, data: 'points.csv', requirements: tableRequirements, files });
      expect(result.entrypoint).toBe(entry);
      expect(result.metrics).toMatchObject(points);
    },
    limitMs,
  );

  test.each(some(trainedCases, 3))(
    'trained: $name',
    async ({ name, files, entry }) => {
      verifies('adapter.real-libraries');
      const result = await run({ name, data: 'sides.csv', requirements: tableRequirements, files });
      expect(result.entrypoint).toBe(entry);
      expect(result.metrics).toMatchObject({ accuracy: 1, macro_f1: 1 });
    },
    limitMs,
  );

  test.each(some(savedModels, 3))(
    'a pipeline of scikit-learn, saved with $name',
    async ({ name, entry }) => {
      verifies('adapter.real-libraries');
      for (const { name: kind } of savedModels) await mkdir(join(folder.path, kind), { recursive: true });
      saveModels(daemon.home, folder.path);
      const result = await run({ name, data: 'points.csv', requirements: tableRequirements });
      expect(result.entrypoint).toBe(entry);
      expect(result.metrics).toMatchObject(points);
    },
    limitMs,
  );
});
