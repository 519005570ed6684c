import { readdir, readFile, writeFile } from 'node:fs/promises';
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
import { looks, seriousFindings, tooWide, untranslated } from './support/page-checks.ts';

const penguins = fileURLToPath(new URL('../examples/penguins/penguins.csv', import.meta.url));
const classifier = fileURLToPath(new URL('../examples/penguins-classifier', import.meta.url));

describe.skipIf(missing('chromium').length > 0)('data on the page', () => {
  let browser: Browser;
  let folder: TemporaryFolder;
  let daemon: TestDaemon;

  beforeAll(async () => {
    browser = await openBrowser();
    folder = await temporaryFolder('assay-data-page');
    daemon = await startTestDaemon({ env: { ASSAY_UPLOADS_MAX_BYTES: String(32 << 20) } });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await daemon?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  test('a dropped file is shown, its target, inputs and split are corrected, and the plan runs with that', async () => {
    verifies('page.one-box', 'page.data-preview', 'page.sends-files');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    await page.getByLabel('What do you want to know?').fill(`Benchmark ${classifier}`);
    await drop(page, '.goal-box', { name: 'penguins.csv', content: await readFile(penguins, 'utf8') });
    await page.getByText('Benchmark penguins-classifier on penguins.csv, predict species, classification').waitFor();
    await page.getByText('Reads penguins-classifier; it is not changed').waitFor();
    await page.getByText('No network in the run itself').waitFor();
    await page.getByRole('link', { name: 'Look at the data' }).click();
    await page.getByText('344 rows, 8 columns').waitFor();
    expect(await page.locator('.column-table tbody tr').count()).toBe(8);
    await page.getByRole('radio', { name: 'Predict sex' }).check();
    await page.getByText('You chose it.').waitFor();
    await page.getByRole('checkbox', { name: 'Use year as an input' }).uncheck();
    await page.getByRole('radio', { name: 'Predict species' }).check();
    await page.getByLabel('Split', { exact: true }).selectOption('group');
    await page.getByLabel('by', { exact: true }).selectOption('island');
    await page.locator('.data-main[aria-busy=false]').waitFor();
    await page.reload();
    await page.getByText('344 rows, 8 columns').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Use year as an input' }).isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { name: 'penguins-classifier · penguins.csv' }).waitFor();
    await page.locator('.head .status').first().waitFor();
    const [plan] = (await daemon.client.listPlans()).plans;
    expect(plan!.inputs).toMatchObject({ repository: classifier, target: 'species', group: 'island' });
    expect(plan!.inputs.input).not.toContain('year');
    expect(plan!.inputs.input).toContain('bill_length_mm');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.head .status.tone-blocked').waitFor({ timeout: 30_000 });
    await page.goto(`${daemon.url}/`);
    expect(await page.getByLabel('What do you want to know?').inputValue()).toBe('');
    expect(opened.complaints).toEqual([]);
  });

  test('the encoding that was found can be corrected, and what the file leaves open is asked before the start', async () => {
    verifies('page.data-preview');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    const latin = join(folder.path, 'latin.csv');
    await writeFile(latin, Buffer.from('größe,label\n1,süß\n2,sauer\n3,süß\n4,sauer\n', 'latin1'));
    await page.getByLabel('Repository').fill(classifier);
    await page.getByLabel('Data file').fill(latin);
    await page.getByRole('link', { name: 'Look at the data' }).click();
    await page.locator('.column-table').waitFor();
    await page.getByLabel('Encoding').selectOption('windows-1251');
    await page.getByText('grцЯe').first().waitFor();
    await page.getByLabel('Encoding').selectOption('windows-1252');
    await page.getByText('größe').first().waitFor();
    const bare = join(folder.path, 'bare.csv');
    await writeFile(bare, '1.5,2,7\n2.5,3,8\n3.5,4,7\n4.5,1,8\n');
    await page.goto(`${daemon.url}/`);
    await page.getByLabel('Data file').fill(bare);
    await page.getByText('Answer how the file is read').waitFor();
    expect(await page.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Look at the data' }).click();
    await page.getByRole('button', { name: 'data', exact: true }).click();
    await page.getByText('column_3').first().waitFor();
    await page.getByText('Confirm the target column').waitFor();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Ready to start').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('a file that is too large is refused with a reason, and one that is canceled leaves nothing', async () => {
    verifies('page.sends-files', 'uploads.whole-or-nothing');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    const large = join(folder.path, 'large.csv');
    await writeFile(large, Buffer.alloc((32 << 20) + 1, 'x'));
    await page.getByTestId('data-file').setInputFiles(large);
    await page.getByText('This file is too large to be sent').waitFor();
    await page.getByText('Type its path on this machine instead').waitFor();
    const before = await uploadFolders(daemon);
    const slow = await page.context().newCDPSession(page);
    await slow.send('Network.enable');
    const line = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1 << 20 };
    await slow.send('Network.emulateNetworkConditions', line);
    await writeFile(large, Buffer.alloc(30 << 20, 'x'));
    await page.getByTestId('data-file').setInputFiles(large);
    await page.getByText(/Sending large\.csv: [1-9]/).waitFor();
    await page.getByText('The file is being sent').waitFor();
    await page.getByRole('button', { name: 'Cancel sending' }).click();
    await page.getByText(/Sending large/).waitFor({ state: 'detached' });
    await expect.poll(() => uploadFolders(daemon), { timeout: 15_000 }).toEqual(before);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('a draft is kept across a reload and in another window; another goal is told not to be possible yet', async () => {
    verifies('page.keeps-drafts', 'page.one-box');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    await page.getByLabel('What do you want to know?').fill('Reproduce the paper on penguins');
    await page.getByText('This version starts benchmarks').waitFor();
    expect(await page.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true);
    await page.getByLabel('What do you want to know?').fill(`Benchmark pypi:tab-forest==1.2 on ${penguins}`);
    await page.getByText('Network to your package index, to fetch tab-forest==1.2').waitFor();
    await page.getByLabel('Target column').fill('island');
    await page.getByText('predict island').waitFor();
    await page.reload();
    const other = await page.context().newPage();
    await other.goto(daemon.url);
    for (const window of [page, other]) {
      await window
        .getByText('Benchmark tab-forest==1.2 on penguins.csv, predict island'.replace('tab', 'pypi:tab'))
        .waitFor();
      expect(await window.getByLabel('Target column').inputValue()).toBe('island');
    }
    await page.getByLabel('Target column').fill('nothing');
    await page.getByText('These choices do not fit the data').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test.each(looks)('fits and is accessible: %o', async (look) => {
    verifies('page.fits', 'page.accessible', 'page.two-languages');
    await using opened = await openPage(browser, daemon, look);
    const { page } = opened;
    const pictures = process.env['ASSAY_TEST_PICTURES'];
    const check = async (what: string) => {
      const name = `${what}-${look.width}-${look.locale ?? 'en'}-${look.colorScheme ?? 'light'}`;
      if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
      expect(await tooWide(page, '.wide-table, .tabs'), name).toEqual([]);
      expect(await seriousFindings(page), name).toEqual([]);
      if (look.locale === 'zh-CN') expect(await untranslated(page, '.column-table th'), name).toEqual([]);
    };
    await page.locator('.new-work').waitFor();
    await check('start-empty');
    await page.goto(`${daemon.url}/new`);
    await page.locator('.data-screen h2').waitFor();
    await check('data-empty');
    await page.goto(`${daemon.url}/`);
    await page.locator('textarea').fill(`Benchmark ${classifier} on ${penguins}`);
    await page.locator('.plan-of-work .facts').waitFor();
    await check('start');
    await page.goto(`${daemon.url}/new`);
    await page.locator('.column-table').waitFor();
    await check('data');
    if (look.width === 390) {
      await page.locator('.data-choices').scrollIntoViewIfNeeded();
      await check('data-choices');
    }
    expect(opened.complaints).toEqual([]);
  });
});

/** Drops a file as a person does with the mouse. */
async function drop(page: Page, where: string, { name, content }: { readonly name: string; readonly content: string }) {
  const transfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}, { type: 'text/csv' }));
    return data;
  })()`);
  await page.dispatchEvent(where, 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent(where, 'drop', { dataTransfer: transfer });
}

async function uploadFolders({ home }: TestDaemon): Promise<string[]> {
  return (await readdir(join(home, 'uploads'), { recursive: true })).sort();
}
