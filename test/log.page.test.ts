import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { readFile, writeFile, appendFile, rm } from 'node:fs/promises';
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
import type { SessionInfo } from '@assay/contracts';
import { runBenchmark } from './support/benchmark.ts';
import { openBrowser, openPage } from './support/browser.ts';
import { expectClean, looks } from './support/page-checks.ts';
import { pointsCsv, thresholdRepo, writeTree } from './support/fixtures.ts';

/** As many rows as a careless program prints in a day. */
const MANY = 1_000_000;

describe.skipIf(missing('chromium').length > 0)('the log of a task', () => {
  let browser: Browser;
  let folder: TemporaryFolder;
  let daemon: TestDaemon;
  let planId: string;
  let quest: string;
  let session: SessionInfo;
  let log: string;

  beforeAll(async () => {
    browser = await openBrowser();
    folder = await temporaryFolder('assay-log-page');
    const repository = await writeTree(join(folder.path, 'threshold'), thresholdRepo);
    const data = join(folder.path, 'points.csv');
    await writeFile(data, pointsCsv());
    daemon = await startTestDaemon();
    const { plan } = await runBenchmark(daemon, { repository, data, target: 'label' });
    planId = plan.id;
    quest = plan.questId;
    const task = plan.tasks.find(({ type }) => type === 'benchmark_execute')!.id;
    const { sessions } = await daemon.client.listSessions({ quest, query: { plan: planId, task } });
    session = sessions.at(-1)!;
    log = join(daemon.home, 'quests', quest, '.assay', 'sessions', session.id, 'output.log');
    await writeFile(log, manyRows());
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await daemon?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const address = () => `${daemon.url}/logs/${quest}/${session.id}/output`;

  test('a million rows are shown at once, to their end, with the colours and nothing else of a terminal', async () => {
    verifies('log.shown', 'log.ansi');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    await page.locator('.find').waitFor();
    await page.goto(address());
    await page.getByText(`${MANY.toLocaleString('en')} rows`).waitFor();
    await page.getByText('the last row of all').waitFor();
    expect(await page.locator('.log-row').count()).toBeLessThan(120);
    await page.getByRole('log').press('Home');
    await page.getByText('error: <img src=x onerror=alert(1)>').waitFor();
    expect(await page.locator('.log-row .ansi-1').first().innerText()).toBe('error:');
    expect(await page.locator('.virtual img').count()).toBe(0);
    expect(await page.locator('.virtual').innerText()).not.toContain('a title');
    await page.getByRole('log').press('PageDown');
    await page.getByText('row 60 of many').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('a search counts the rows, goes from one to the next, and is cleared', async () => {
    verifies('log.shown', 'log.search');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    await page.locator('.find').waitFor();
    await page.goto(address());
    await page.getByText('the last row of all').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('row 77777');
    await page.getByText('11 / 11').waitFor();
    await page.getByText('row 777779 of many').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('10 / 11').waitFor();
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.press('Shift+Enter');
    await page.getByText('1 / 11').waitFor();
    await page.locator('.log-row.current', { hasText: 'row 77777 of many' }).waitFor();
    await page.getByLabel('Search the log').fill('no such text');
    await page.getByText('nothing found').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Search the log').inputValue()).toBe('');
  });

  test('the log is followed while it grows, until a person scrolls away', async () => {
    verifies('log.followed');
    const file = log.replace('output.log', 'stderr.log');
    const exit = log.replace('output.log', 'exit.json');
    const ended = await readFile(exit);
    await rm(exit);
    try {
      await writeFile(file, 'first\n');
      await using opened = await openPage(browser, daemon);
      const { page } = opened;
      await page.locator('.find').waitFor();
      await page.goto(address().replace('/output', '/stderr'));
      await page.getByText('first', { exact: true }).waitFor();
      await page.getByText('still growing').waitFor();
      await appendFile(file, Array.from({ length: 500 }, (_, at) => `line ${at}\n`).join(''));
      await page.getByText('line 499').waitFor();
      await appendFile(file, 'half of ');
      await page.getByText('half of').waitFor();
      await appendFile(file, 'a row\n');
      await page.getByText('half of a row').waitFor();
      await page.getByRole('log').press('Home');
      await page.getByRole('button', { name: 'Follow', exact: true }).waitFor();
      await appendFile(file, 'later\n');
      await page.getByText('503 rows').waitFor();
      expect(await page.getByText('later', { exact: true }).count()).toBe(0);
      await page.getByRole('button', { name: 'Follow', exact: true }).click();
      await page.getByText('later', { exact: true }).waitFor();
      await writeFile(exit, ended);
      await page.getByText('still growing').waitFor({ state: 'detached' });
    } finally {
      await writeFile(exit, ended);
    }
  });

  test('a task shows its log, what it reads and gives, its attempts and its boundary', async () => {
    verifies('page.task-inspector');
    await using opened = await openPage(browser, daemon);
    const { page } = opened;
    await page.locator('.find').waitFor();
    await page.goto(`${daemon.url}/plans/${planId}`);
    await page.getByRole('button', { name: /Run the benchmark/ }).click();
    await page.getByText('the last row of all').waitFor();
    await page.getByRole('tab', { name: /Gives/ }).click();
    await page.getByTitle('benchmark_predictions', { exact: true }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).first().click();
    expect((await download).suggestedFilename()).not.toBe('');
    await page.getByRole('tab', { name: /Reads/ }).click();
    await page.getByText('from “Profile the data”').first().waitFor();
    await page.getByRole('tab', { name: /Attempts/ }).click();
    await page.getByRole('heading', { name: 'Attempt 1' }).waitFor();
    await page.getByRole('tab', { name: /Boundary/ }).click();
    await page.getByText('No network of any kind.').waitFor();
    await page.getByText(/Exactly what the sandbox was told/).click();
    await page.getByText('--unshare').first().waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test('two windows of a browser share one stream, and the one that stays goes on', async () => {
    verifies('page.one-stream');
    await using proxy = await countingProxy(new URL(daemon.url).port);
    await using opened = await openPage(browser, daemon, { through: proxy.url });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Plans' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${proxy.url}/plans/${planId}`);
    await other.locator('.node').first().waitFor();
    await page.goto(`${proxy.url}/plans/${planId}`);
    await page.locator('.node').first().waitFor();
    await expect.poll(() => proxy.streams()).toBe(1);
    await page.close();
    await other.goto(`${proxy.url}/`);
    await other.getByRole('link', { name: 'threshold · points.csv' }).waitFor();
    await expect.poll(() => proxy.streams()).toBe(1);
    await other.close();
    await expect.poll(() => proxy.streams()).toBe(0);
  });

  test.each(looks)('fits and is accessible: %o', async (look) => {
    verifies('page.fits', 'page.accessible', 'page.two-languages');
    await using opened = await openPage(browser, daemon, look);
    const { page } = opened;
    await page.locator('.plan-list').waitFor();
    await page.goto(address());
    await page.getByText('the last row of all').waitFor();
    await expectClean(page, look);
    await page.goto(`${daemon.url}/plans/${planId}`);
    await page.locator('[role=tab]').first().waitFor();
    for (const tab of await page.locator('[role=tab]').all()) {
      await tab.click();
      await expectClean(page, look);
    }
    expect(opened.complaints).toEqual([]);
  });
});

function manyRows(): string {
  const rows = Array.from({ length: MANY }, (_, at) => `row ${at} of many, printed by a program`);
  rows[2] = '\u001b[31merror:\u001b[0m <img src=x onerror=alert(1)>\u001b]0;a title\u0007';
  rows[MANY - 1] = 'the last row of all';
  return `${rows.join('\n')}\n`;
}

interface CountingProxy extends AsyncDisposable {
  readonly url: string;
  /** Connections that carry a stream now. */
  streams(): number;
}

/** Passes everything on, and knows which connections have asked for the stream. */
async function countingProxy(port: string): Promise<CountingProxy> {
  const streaming = new Set<Socket>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(Number(port), '127.0.0.1');
    sockets.add(socket);
    socket.on('data', (bytes) => {
      if (bytes.includes('GET /api/stream?')) streaming.add(socket);
    });
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward])
      end
        .on('error', () => undefined)
        .on('close', () => {
          streaming.delete(socket);
          sockets.delete(socket);
          socket.destroy();
          onward.destroy();
        });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    streams: () => streaming.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
