import { appendFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  missing,
  startTestDaemon,
  temporaryFolder,
  verifies,
  type TemporaryFolder,
  type TestDaemon,
} from '@assay/testkit';
import { openBrowser, openPage } from './support/browser.ts';
import { looks, seriousFindings, tooWide, untranslated, WORDED_HEADS } from './support/page-checks.ts';
import { runBenchmark } from './support/benchmark.ts';
import { pointsCsv, thresholdRepo, writeTree } from './support/fixtures.ts';

describe.skipIf(missing('chromium').length > 0)('the page', () => {
  let browser: Browser;
  let folder: TemporaryFolder;
  let daemon: TestDaemon;
  let repository: string;
  let data: string;
  let planId: string;

  beforeAll(async () => {
    browser = await openBrowser();
    folder = await temporaryFolder('assay-page');
    repository = await writeTree(join(folder.path, 'threshold'), thresholdRepo);
    data = join(folder.path, 'points.csv');
    await writeFile(data, pointsCsv());
    daemon = await startTestDaemon();
    planId = (await runBenchmark(daemon, { repository, data, target: 'label' })).plan.id;
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await daemon?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  test('opens by a link that works once, and says how to get one', async () => {
    verifies('page.opens-by-link');
    await using opened = await openPage(browser, daemon);
    await opened.page.getByRole('heading', { name: 'Plans' }).waitFor();
    expect(opened.page.url()).toBe(`${daemon.url}/`);
    const context = await browser.newContext({ locale: 'en-US' });
    const other = await context.newPage();
    await other.goto(daemon.url);
    await other.getByText('npx assay up').waitFor();
    await other.goto(`${daemon.url}/#link=${'A'.repeat(43)}`);
    await other.reload();
    await other.getByText('this link has been used or is too old').waitFor();
    await context.close();
    expect(opened.complaints).toEqual([]);
  });

  test('a plan that is started on it is shown live to its end, and its numbers open their evidence', async () => {
    verifies('page.watches-a-plan', 'page.number-opens-evidence');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    const own = join(folder.path, 'own.csv');
    await writeFile(own, pointsCsv());
    await page.getByLabel('Repository').fill(repository);
    await page.getByLabel('Data file').fill(own);
    await page.getByLabel('Target column').fill('label');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { name: 'threshold · own.csv' }).waitFor();
    await page.locator('.head .status.tone-done').waitFor({ timeout: 60_000 });
    expect(await page.locator('.node').count()).toBe(11);
    await page.getByRole('button', { name: /Run the benchmark/ }).click();
    expect(await page.locator('.pane').innerText()).toContain('benchmark_predictions');
    await page.getByRole('link', { name: 'Report' }).click();
    await page.locator('.evidence-chip').first().click();
    await page.getByRole('button', { name: 'Recompute' }).click();
    await page.getByText('Recomputed: equal').waitFor();
    expect(await page.locator('.pane').innerText()).toContain('0.9333333333333333');
    await appendFile(own, '1,1,low\n');
    await page.getByRole('button', { name: 'Recompute' }).click();
    await page.getByText('a source file has changed').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('refuses bad input with what, why and what to do, and keeps what was typed', async () => {
    verifies('page.watches-a-plan');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    await page.getByLabel('Repository').fill('/no/such/folder');
    await page.getByLabel('Data file').fill(data);
    await page.getByLabel('Target column').fill('label');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('[role=alert], .status.tone-failed').first().waitFor({ timeout: 30_000 });
    await page.goto(`${daemon.url}/`);
    await page.getByRole('heading', { name: 'New benchmark' }).waitFor();
  });

  test('goes on when the daemon was killed and is back', async () => {
    verifies('page.survives-the-daemon');
    await using home = await temporaryFolder('assay-page-home');
    const env = { ASSAY_DAEMON_PORT: String(await freePort()) };
    const first = await startTestDaemon({ home: home.path, env });
    await using opened = await openPage(browser, first);
    await opened.page.getByText('Nothing has run yet').waitFor();
    await first.kill('SIGKILL');
    await opened.page.getByText('Offline, trying again').waitFor();
    await using second = await startTestDaemon({ home: home.path, env });
    await opened.page.getByText('Live', { exact: true }).waitFor({ timeout: 20_000 });
    await runBenchmark(second, { repository, data, target: 'label' });
    await opened.page.getByRole('link', { name: 'threshold · points.csv' }).waitFor();
  });

  test.each(looks)('fits and is accessible: %o', async (look) => {
    verifies('page.fits', 'page.accessible', 'page.two-languages');
    await using opened = await openPage(browser, daemon, look);
    const { page } = opened;
    await page.locator('.plan-list').waitFor();
    for (const path of ['/', `/plans/${planId}`, `/plans/${planId}/report`, '/machine', '/nowhere']) {
      await page.goto(`${daemon.url}${path}`);
      await page.locator('h1, h2').first().waitFor();
      if (path.endsWith('/report')) await page.locator('.evidence-chip').first().click();
      if (path === '/machine') await page.locator('.checks li').first().waitFor();
      expect(await tooWide(page, '.graph, .tabs, .report section'), path).toEqual([]);
      expect(await seriousFindings(page), path).toEqual([]);
      if (look.locale === 'zh-CN') expect(await untranslated(page, WORDED_HEADS), path).toEqual([]);
    }
    expect(opened.complaints).toEqual([]);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
