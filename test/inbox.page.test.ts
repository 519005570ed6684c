import { writeFile } from 'node:fs/promises';
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
import { expectClean, looks } from './support/page-checks.ts';
import { pointsCsv, thresholdRepo, writeTree } from './support/fixtures.ts';

describe.skipIf(missing('chromium').length > 0)('what waits, what is found, what is set', () => {
  let browser: Browser;
  let folder: TemporaryFolder;
  let daemon: TestDaemon;
  let repository: string;

  /** A plan on a data file of its own, so that it is told apart by its title. */
  const waiting = async (name: string, more: { readonly target?: string; readonly mode?: 'full' }) => {
    const data = join(folder.path, `${name}.csv`);
    await writeFile(data, more.target === undefined ? pointsCsv().replace('x,y,label', 'x,kind,group') : pointsCsv());
    const { target, ...rest } = more;
    const inputs = { repository, data, ...(target === undefined ? {} : { target }) };
    return (await daemon.client.createPlan({ body: { inputs, ...rest } })).plan;
  };

  beforeAll(async () => {
    browser = await openBrowser();
    folder = await temporaryFolder('assay-inbox');
    repository = await writeTree(join(folder.path, 'threshold'), thresholdRepo);
    daemon = await startTestDaemon({
      env: { ASSAY_PLANS_MAX_CONCURRENT: '1', ASSAY_FULL_MAX_DURATION_SECONDS: '7200' },
    });
    await daemon.client.setSecret({
      body: { name: 'mine', hosts: ['code.example'], username: 'ada', value: 'hush-hush' },
    });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await daemon?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  test('approvals and questions of all plans are decided in one place', async () => {
    verifies('page.inbox');
    const approved = await waiting('approved', { target: 'label', mode: 'full' });
    const denied = await waiting('denied', { target: 'label', mode: 'full' });
    const asked = await waiting('asked', {});
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    await page.getByLabel('3 wait for you').waitFor();
    await expect.poll(() => page.title()).toBe('(3) Assay');
    await page.getByRole('link', { name: /Inbox/ }).click();
    await page.getByRole('button', { name: /approved\.csv/ }).click();
    await page.getByText('Less than a full run needs').first().waitFor();
    await page.getByLabel('Active minutes').fill('500');
    await page.getByRole('button', { name: 'Approve with this budget' }).click();
    await page.getByText('full.max_duration_seconds').first().waitFor();
    await page.getByLabel('Active minutes').fill('30');
    await page.getByRole('button', { name: 'Approve with this budget' }).click();
    await page.getByLabel('2 wait for you').waitFor();
    const { plan } = await daemon.client.getPlan({ plan: approved.id });
    expect(plan.budget.maxDurationSeconds).toBe(1800);
    await page.getByRole('button', { name: /denied\.csv/ }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByLabel('1 wait for you').waitFor();
    expect((await daemon.client.getPlan({ plan: denied.id })).plan.status).toBe('canceled');
    await page.getByRole('button', { name: /^group \(text/ }).click();
    await page.getByText('Nothing waits for you.').waitFor();
    expect(await page.title()).toBe('Assay');
    expect((await daemon.client.getPlan({ plan: asked.id })).plan.clarification?.answer).toBe('group');
    expect(opened.complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });

  test('the palette finds screens and plans by a few letters, and runs what the open plan can do', async () => {
    verifies('page.palette');
    const plan = await waiting('found', { target: 'label' });
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    await page.getByRole('link', { name: /found\.csv/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find or run anything' }).fill('setti');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Configuration of the daemon' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find or run anything' }).fill('found');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/plans/${plan.id}`);
    await page.locator('.node').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find or run anything' }).fill('cancel the');
    await page.keyboard.press('Enter');
    await page.locator('.head .status', { hasText: 'Stopped' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find or run anything' }).fill('qqqq');
    await page.getByText('Nothing fits').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Find or run anything' }).waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.getByRole('heading', { name: 'This machine' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('settings show what is set and where, keep the look, and no secret', async () => {
    verifies('page.settings');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    await page.getByRole('link', { name: 'Settings' }).click();
    const row = page.getByRole('row', { name: /max_concurrent/ });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/1\s+variable ASSAY_PLANS_MAX_CONCURRENT/);
    await page.getByText('for repositories, sent to code.example only').waitFor();
    expect(await page.content()).not.toContain('hush-hush');
    await page.getByRole('button', { name: 'Dark', exact: true }).click();
    await page.getByRole('button', { name: 'Compact', exact: true }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Secrets' }).waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await page.locator('html').getAttribute('data-density')).toBe('compact');
    await page.getByRole('button', { name: '简体中文' }).click();
    await page.getByRole('heading', { name: '守护进程的配置' }).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('each check of the machine says what it is for, and runs again', async () => {
    verifies('page.checks');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    await page.getByRole('link', { name: 'Machine' }).click();
    await page.getByText('tries to break out of the sandbox, which must fail').waitFor({ timeout: 60_000 });
    const again = page.waitForResponse('**/api/doctor');
    await page.getByRole('button', { name: 'Check again' }).click();
    expect((await again).status()).toBeLessThan(400);
    expect(opened.complaints).toEqual([]);
  });

  test.each(looks)('fits and is accessible: %o', async (look) => {
    verifies('page.fits', 'page.accessible', 'page.two-languages');
    await waiting(`look-${look.width}-${look.colorScheme ?? 'light'}`, { target: 'label', mode: 'full' });
    await using opened = await openPage(browser, daemon, look);
    const { page } = opened;
    await page.locator('.plan-list').waitFor();
    for (const path of ['/inbox', '/settings', '/machine', '/shortcuts', '/gallery']) {
      await page.goto(`${daemon.url}${path}`);
      await page.locator('h1').first().waitFor();
      if (path === '/settings') await page.locator('.config').first().waitFor();
      if (path === '/machine') await page.locator('.check').first().waitFor({ timeout: 60_000 });
      await expectClean(page, look);
    }
    await page.keyboard.press('Control+k');
    await page.locator('.palette input').waitFor();
    await expectClean(page, look);
    expect(opened.complaints).toEqual([]);
  });
});
