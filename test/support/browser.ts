import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { TestDaemon } from '@assay/testkit';

export const CHROMIUM = process.env['ASSAY_TEST_CHROMIUM'] ?? '/usr/bin/chromium';

/** A headless browser of this machine. As root, and inside containers, Chromium has no sandbox of its own. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

export interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
  /** What the browser complained about: scripts that failed, files that a policy refused. */
  readonly complaints: readonly string[];
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly locale?: string;
  readonly colorScheme?: 'light' | 'dark';
  /** Another address of the same daemon. */
  readonly through?: string;
}

/** Opens the page of a daemon by a fresh one-time link, in a browser profile of its own. */
export async function openPage(browser: Browser, daemon: TestDaemon, options: PageOptions = {}): Promise<OpenedPage> {
  const { width = 1440, height = 900, locale = 'en-US', colorScheme = 'light' } = options;
  const context: BrowserContext = await browser.newContext({ viewport: { width, height }, locale, colorScheme });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const { url } = await daemon.client.createLink();
  await page.goto(options.through === undefined ? url : url.replace(/^http:\/\/[^/]+/, options.through));
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}
