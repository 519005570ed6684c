// Called by pictures.mjs: photographs the page of a daemon that has run a real comparison, with Chromium, into docs/images.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const MOST_BYTES = 150 * 1024;

/** Benchmarks both examples in a home of their own, takes the pictures, and leaves nothing but these. */
export async function pagePictures(root, images) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-pictures-'));
  const env = { ...process.env, ASSAY_HOME: join(folder, 'home') };
  const assay = (...args) => {
    const run = spawnSync(process.execPath, [join(root, 'bin/assay.mjs'), ...args, '--json'], {
      cwd: root,
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (run.status !== 0) throw new Error(`assay ${args.join(' ')} ended with exit code ${run.status}`);
    return JSON.parse(run.stdout);
  };
  try {
    assay('demo', '--regression');
    const { planId } = assay('demo');
    await photograph({ planId, link: () => assay('up', '--no-open').page, images });
  } finally {
    spawnSync(process.execPath, [join(root, 'bin/assay.mjs'), 'down'], { env, stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  }
}

async function photograph({ planId, link, images }) {
  const executablePath = process.env['ASSAY_TEST_CHROMIUM'] ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  try {
    const pictures = [
      { name: 'home', path: '/', width: 1100, height: 620 },
      { name: 'plan', path: `/plans/${planId}`, width: 1100, height: 760 },
      { name: 'report', path: `/plans/${planId}/report`, width: 1100, height: 760, evidence: true },
      { name: 'report-dark', path: `/plans/${planId}/report`, width: 1100, height: 760, colorScheme: 'dark' },
      { name: 'plan-zh', path: `/plans/${planId}`, width: 390, height: 760, locale: 'zh-CN' },
    ];
    for (const picture of pictures) await take(browser, picture, { url: link(), images });
  } finally {
    await browser.close();
  }
}

async function take(browser, picture, { url, images }) {
  const { name, path, width, height, locale = 'en-US', colorScheme = 'light', evidence = false } = picture;
  const context = await browser.newContext({
    viewport: { width, height },
    locale,
    colorScheme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('.plan-list').waitFor();
  await page.goto(new URL(path, url).href);
  await page
    .locator(path.endsWith('/report') ? '.evidence-chip' : 'h1, h2')
    .first()
    .waitFor();
  if (evidence) {
    await page.locator('.evidence-chip').first().click();
    await page.locator('.pane').waitFor();
  }
  await page.waitForLoadState('networkidle').catch(() => undefined); // A page that follows live events is never idle.
  await page.waitForTimeout(500); // Fonts and the graph have settled.
  const file = join(images, `${name}.png`);
  await page.screenshot({ path: file });
  await context.close();
  const bytes = statSync(file).size;
  if (bytes > MOST_BYTES) throw new Error(`${name}.png has ${bytes} bytes, at most ${MOST_BYTES} are wanted`);
}
