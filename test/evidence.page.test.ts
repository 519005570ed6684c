import { appendFile, copyFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
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

const examples = fileURLToPath(new URL('../examples', import.meta.url));

describe.skipIf(missing('chromium').length > 0)('evidence on the page', () => {
  let browser: Browser;
  let folder: TemporaryFolder;
  let daemon: TestDaemon;
  let data: string;
  let penguins: string;
  let diabetes: string;

  beforeAll(async () => {
    browser = await openBrowser();
    folder = await temporaryFolder('assay-evidence-page');
    data = join(folder.path, 'penguins.csv');
    await copyFile(join(examples, 'penguins', 'penguins.csv'), data);
    daemon = await startTestDaemon();
    const first = { repository: join(examples, 'penguins-classifier'), data, target: 'species' };
    penguins = (await runBenchmark(daemon, first)).plan.id;
    const second = { repository: join(examples, 'ridge-regression'), data: join(examples, 'diabetes', 'diabetes.csv') };
    diabetes = (await runBenchmark(daemon, { ...second, target: 'progression', task: 'regression' })).plan.id;
  }, 240_000);

  afterAll(async () => {
    await browser?.close();
    await daemon?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  async function openReport(page: Page, plan: string): Promise<void> {
    await page.locator('.plan-list').waitFor();
    await page.goto(`${daemon.url}/plans/${plan}/report`);
    await page.locator('.report .evidence-chip').first().waitFor();
  }

  test('a cell of the matrix opens exactly its rows, and files have what is shown', async () => {
    verifies('page.number-to-rows', 'page.exports');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    await openReport(page, penguins);
    const cell = page.locator('.matrix td.wrong button').first();
    const [labels = '', count = ''] = ((await cell.getAttribute('aria-label')) ?? '').split(': ');
    const [label, predicted] = labels.split(' → ');
    await cell.click();
    await page.locator('.rows tbody tr').first().waitFor();
    const rows = await page.locator('.rows tbody tr').allInnerTexts();
    expect(rows).toHaveLength(Number(count));
    for (const row of rows)
      expect(
        row
          .split('\t')
          .slice(1, 3)
          .map((cell) => cell.trim().split(/\s/).at(-1)),
      ).toEqual([label, predicted]);
    const csv = await saved(page, () => page.getByRole('button', { name: 'Rows, CSV' }).click());
    const lines = csv.text.trim().split('\r\n');
    expect(lines[1]).toMatch(new RegExp(`^# Plan ${penguins}, computed .*, \\d+ of \\d+ numbers verified$`));
    expect(lines[2]).toMatch(/^row,species,prediction,/);
    expect(lines).toHaveLength(3 + Number(count));
    const markdown = await saved(page, () => page.getByRole('button', { name: 'Markdown' }).click());
    expect(markdown.name).toMatch(/^penguins-classifier-penguins-csv-\d{4}-\d\d-\d\d-report\.md$/);
    const { metrics, verified } = await daemon.client.planResult({ plan: penguins });
    expect(markdown.text).toContain(metrics['accuracy']!.toFixed(4));
    expect(markdown.text).toContain(`${verified.ok} of ${verified.total} numbers verified`);
    const figure = page.locator('.figure-frame', { hasText: 'Confusion matrix' });
    const svg = await saved(page, () => figure.getByRole('button', { name: 'SVG' }).click());
    expect(svg.text).toContain(penguins);
    expect(svg.text).toContain('numbers verified');
    expect(svg.text).not.toContain('class=');
    for (const name of ['Adelie', 'Chinstrap', 'Gentoo']) expect(svg.text).toContain(name);
    const png = await saved(page, () => figure.getByRole('button', { name: 'PNG' }).click());
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(png.bytes.length).toBeGreaterThan(5000);
    await page.evaluate('window.print = () => { document.body.dataset.printed = document.title }');
    await page.getByRole('button', { name: 'PDF (print)' }).click();
    expect(await page.locator('body').getAttribute('data-printed')).toMatch(
      /^penguins-classifier-penguins-csv-.*-report$/,
    );
    const pdf = await page.pdf();
    expect(pdf.subarray(0, 4).toString()).toBe('%PDF');
    expect(pdf.length).toBeGreaterThan(20_000);
    expect(opened.complaints).toEqual([]);
  });

  test('a regression shows its residuals, and its rows with the largest error first', async () => {
    verifies('page.number-to-rows', 'page.figures');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    await openReport(page, diabetes);
    const { metrics } = await daemon.client.planResult({ plan: diabetes });
    await page.locator('.point').first().waitFor();
    const figure = page.locator('.figure-frame', { hasText: 'Predicted − actual' });
    const csv = await saved(page, () => figure.getByRole('button', { name: 'CSV' }).click());
    const counts = csv.text
      .trim()
      .split('\r\n')
      .slice(3)
      .map((line) => Number(line.split(',')[2]));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(await page.locator('.point').count());
    await page.getByRole('row', { name: /rmse/ }).locator('.evidence-chip').click();
    await page.getByRole('button', { name: 'Largest error' }).click();
    await page.locator('.rows tbody tr').first().waitFor();
    const inOrder = async () => {
      const shown = await errors(page);
      return shown.every((error, at) => at === 0 || shown[at - 1]! >= error);
    };
    await expect.poll(inOrder).toBe(true);
    expect((await errors(page))[0]).toBeGreaterThan(metrics['rmse']!);
    expect(opened.complaints).toEqual([]);
  });

  test('probes, pre-registration and signs of leakage are readable', async () => {
    verifies('page.figures');
    await using opened = await openPage(browser, daemon);
    await openReport(opened.page, penguins);
    const text = await opened.page.locator('.report').innerText();
    for (const part of [
      'No predictions',
      'refused',
      'Shuffled labels',
      'The truth itself',
      'Fixed before the run',
      'rows to predict',
      'Signs of leakage',
    ])
      expect(text).toContain(part);
    const { plan } = await daemon.client.getPlan({ plan: penguins });
    const artifact = plan.artifacts['preregistration']!;
    const { value } = await daemon.client.getArtifact({ quest: plan.questId, artifact });
    expect(text).toContain((value as { sha256: string }).sha256.slice(0, 8));
  });

  test.each(looks)('fits, is accessible and works by keyboard: %o', async (look) => {
    verifies('page.fits', 'page.accessible', 'page.two-languages');
    await using opened = await openPage(browser, daemon, look);
    const { page } = opened;
    await page.locator('.plan-list').waitFor();
    for (const path of [`/plans/${penguins}/report`, `/plans/${diabetes}/report`]) {
      await page.goto(`${daemon.url}${path}`);
      await page.locator('.report .evidence-chip').first().waitFor();
      if (path.includes(diabetes)) await page.locator('.point').first().waitFor();
      await page.locator('.evidence-chip').first().focus();
      await page.keyboard.press('Enter');
      await page.locator('.rows tbody tr').first().waitFor();
      expect(await tooWide(page, '.graph, .tabs, .wide-table, .figure-body'), path).toEqual([]);
      expect(await seriousFindings(page), path).toEqual([]);
      if (look.locale === 'zh-CN') expect(await untranslated(page, WORDED_HEADS), path).toEqual([]);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('.evidence-pane').count()).toBe(0);
    }
    expect(opened.complaints).toEqual([]);
  });

  test('number, rows, recomputed equal; after a file was changed, told with both values and on the rows', async () => {
    verifies('page.number-to-rows', 'page.number-opens-evidence');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    await openReport(page, penguins);
    await page.locator('.prose .evidence-chip').first().click();
    await page.locator('.rows tbody tr').first().waitFor();
    const { metrics } = await daemon.client.planResult({ plan: penguins });
    await page.getByRole('button', { name: 'Recompute' }).click();
    await page.getByText('Recomputed: equal').waitFor();
    expect(await page.locator('.notice .facts').innerText()).toContain(String(metrics['accuracy']));
    await appendFile(data, 'Adelie,Dream,1,1,1,1,male,2009\n');
    await page.getByRole('button', { name: 'Recompute' }).click();
    await page.getByText('a source file has changed').waitFor();
    const [claimed, again] = await page.locator('.notice .facts dd').allInnerTexts();
    expect([claimed, again]).toEqual([String(metrics['accuracy']), String(metrics['accuracy'])]);
    await page.getByRole('button', { name: 'Next rows' }).click();
    await page.getByText('These rows are not proven any more').waitFor();
    await page.getByRole('button', { name: 'Verify all' }).click();
    await page.getByText(/^0 of \d+ numbers verified$/).waitFor();
  });
});

interface Saved {
  readonly name: string;
  readonly text: string;
  readonly bytes: Buffer;
}

async function saved(page: Page, press: () => Promise<void>): Promise<Saved> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  const path = await file.path();
  expect((await stat(path)).size).toBeGreaterThan(0);
  const bytes = await readFile(path);
  return { name: file.suggestedFilename(), text: bytes.toString(), bytes };
}

/** Sizes of the errors in the order of the rows. */
async function errors(page: Page): Promise<number[]> {
  const cells = await page.locator('.rows tbody td:nth-child(4)').allInnerTexts();
  return cells.map((cell) => Math.abs(Number(cell.replace('−', '-'))));
}
