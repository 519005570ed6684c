import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Comparison, Plan } from '@assay/contracts';
import {
  missing,
  startTestDaemon,
  temporaryFolder,
  verifies,
  type TemporaryFolder,
  type TestDaemon,
} from '@assay/testkit';
import { finishBenchmark } from './support/benchmark.ts';
import { openBrowser, openPage, type PageOptions } from './support/browser.ts';
import { seriousFindings, tooWide, untranslated } from './support/page-checks.ts';
import { writeCompared } from './support/compared.ts';

describe.skipIf(missing('chromium').length > 0)('compared runs on the page', () => {
  let browser: Browser;
  let folder: TemporaryFolder;
  let daemon: TestDaemon;
  let plans: readonly [Plan, Plan];
  let comparison: Comparison;

  beforeAll(async () => {
    browser = await openBrowser();
    folder = await temporaryFolder('assay-compared-page');
    daemon = await startTestDaemon();
    const data = await writeCompared(folder.path);
    const protocol = await daemon.client.registerProtocol({ body: { inputs: { data, target: 'label' } } });
    const run = async (name: string) => {
      const inputs = { repository: join(folder.path, name), protocol: protocol.artifactId };
      const { plan } = await daemon.client.createPlan({ body: { questId: protocol.questId, inputs } });
      await daemon.client.executePlan({ plan: plan.id });
      return (await finishBenchmark(daemon, plan.id)).plan;
    };
    plans = [await run('threshold'), await run('coin')];
    ({ comparison } = await daemon.client.comparePlans({ body: { plans: plans.map(({ id }) => id) } }));
  }, 240_000);

  afterAll(async () => {
    await browser?.close();
    await daemon?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  test('two runs are chosen and stand side by side: numbers, times, and outputs with their hashes', async () => {
    verifies('page.compares-runs');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    await page.locator('.plan-list').waitFor();
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByLabel('First').selectOption(plans[0].id);
    await page.getByLabel('Second').selectOption(plans[1].id);
    await page.getByRole('button', { name: 'Compare' }).click();
    const [first, second] = await Promise.all(plans.map(({ id }) => daemon.client.planResult({ plan: id })));
    const accuracy = await page.getByRole('row', { name: /^accuracy/ }).innerText();
    for (const { metrics } of [first!, second!]) expect(accuracy).toContain(metrics['accuracy']!.toFixed(4));
    expect(await page.getByRole('row', { name: /^preregistration/ }).innerText()).toContain('same bytes');
    const predictions = page.getByRole('row', { name: /^benchmark_predictions/ });
    expect(await predictions.innerText()).toContain('different');
    for (const plan of plans) {
      const artifact = plan.artifacts['benchmark_predictions']!;
      const { sha256 } = await daemon.client.getArtifact({ quest: plan.questId, artifact });
      expect(await predictions.innerText()).toContain(sha256.slice(0, 8));
    }
    expect(await page.getByRole('row', { name: /^Run the benchmark/ }).innerText()).toMatch(/\d s/);
    expect(opened.complaints).toEqual([]);
  });

  test('a stored comparison says what is better, and its numbers open their rows', async () => {
    verifies('page.compares-runs', 'page.number-to-rows');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    await page.locator('.plan-list').waitFor();
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('link', { name: /threshold, coin/ }).click();
    await page.getByRole('heading', { name: 'Ranking' }).waitFor();
    const [pair] = comparison.pairs;
    expect(pair!.verdict).toBe('first_better');
    const row = page.getByRole('row', { name: /threshold is better than coin/ });
    expect(await row.innerText()).toContain(pair!.test!.pHolm.value.toFixed(4));
    const [, , , onlyFirst] = await row.locator('.evidence-chip').all();
    await onlyFirst!.click();
    await page.locator('.rows tbody tr').first().waitFor();
    await page.getByText(`1–20 of ${pair!.test!.firstOnly.value}`).waitFor();
    await page.getByRole('button', { name: 'Recompute' }).click();
    await page.getByText('Recomputed: equal').waitFor();
    await page.getByText(/^(\d+) of \1 numbers verified$/).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('every attempt of a plan is drawn over time and told in a table', async () => {
    verifies('page.timeline');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    await page.locator('.plan-list').waitFor();
    await page.goto(`${daemon.url}/plans/${plans[0].id}/attempts`);
    await page.locator('.attempt-bar').first().waitFor();
    const { taskAttempts } = plans[0].usage;
    expect(await page.locator('.attempt-bar').count()).toBe(taskAttempts);
    expect(await page.locator('.table tbody tr').count()).toBe(taskAttempts);
    const summary = plans[0].tasks.find(({ type }) => type === 'benchmark_validate')!.summary!;
    expect(await page.getByRole('row', { name: /^Recompute and validate/ }).innerText()).toContain(summary);
    expect(opened.complaints).toEqual([]);
  });

  const looks: readonly PageOptions[] = [
    { width: 1440, height: 900 },
    { width: 390, height: 844, locale: 'zh-CN', colorScheme: 'dark' },
  ];

  test.each(looks)('fits and is accessible: %o', async (look) => {
    verifies('page.fits', 'page.accessible', 'page.two-languages');
    await using opened = await openPage(browser, daemon, look);
    const { page } = opened;
    await page.locator('.plan-list').waitFor();
    const { artifacts } = await daemon.client.listArtifacts({ quest: comparison.quest, query: { limit: 500 } });
    const stored = artifacts.find(({ key }) => key === 'comparison')!.id;
    const ids = plans.map(({ id }) => id);
    const paths = [
      '/compare',
      `/compare/${ids.join('/')}`,
      `/comparisons/${comparison.quest}/${stored}`,
      `/plans/${ids[0]}/attempts`,
    ];
    for (const path of paths) {
      await page.goto(`${daemon.url}${path}`);
      await page.locator('.compare h1, .attempt-bar').first().waitFor();
      if (path.startsWith('/comparisons')) await page.locator('svg.figure').waitFor();
      expect(await tooWide(page, '.tabs, .wide-table, .figure-body'), path).toEqual([]);
      expect(await seriousFindings(page), path).toEqual([]);
      // Heads of its tables name metrics.
      if (look.locale === 'zh-CN') expect(await untranslated(page, 'h1'), path).toEqual([]);
    }
    expect(opened.complaints).toEqual([]);
  });
});
