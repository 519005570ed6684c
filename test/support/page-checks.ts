import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { PageOptions } from './browser.ts';

/** What every screen is looked at in. */
export const looks: readonly PageOptions[] = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, locale: 'zh-CN' },
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 1024, height: 700, locale: 'zh-CN', colorScheme: 'dark' },
];

/** Elements that stick out of the window, but for those inside something that scrolls by itself. */
export function tooWide(page: Page, scrolls: string): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('body *')]
    .filter((element) => !element.closest(${JSON.stringify(`svg, .visually-hidden, .truncate, ${scrolls}`)}))
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
    .map((element) => element.outerHTML.slice(0, 120))`);
}

/** Serious and critical findings of axe, each with where it is. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] })
    .then(({ violations }) => violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`);
}

/** Heads of tables that are words of the page, not names of the data. */
export const WORDED_HEADS = 'th:not(.matrix th):not(.mono):not(.data-name):not([scope=row])';

/**
 * Labels of the page itself (not names, numbers, messages of the daemon) without a Chinese character; `heads` are the heads of
 * tables that count as such.
 */
export function untranslated(page: Page, heads: string): Promise<string[]> {
  const labels = `button:not(.evidence-chip):not([lang]), h1, h2, h3, .label:not(.mono), .tabs a, .status, ${heads}`;
  return page.evaluate(`[...document.querySelectorAll(${JSON.stringify(labels)})]
    .map((element) => element.innerText.trim())
    .filter((text) => text !== '' && !/[\\u4e00-\\u9fff]/.test(text) && !/·|\\.csv|^[\\d.\\s%←→↑↓]+$/.test(text))`);
}

/**
 * Nothing sticks out of the window, nothing serious is found by axe, and no text of the page is of the other language
 * (names of tasks, files and answers come from the daemon).
 */
export async function expectClean(page: Page, { locale }: PageOptions): Promise<void> {
  expect(await tooWide(page, '.graph, .tabs, .virtual, option')).toEqual([]);
  expect(await seriousFindings(page)).toEqual([]);
  if (locale !== 'zh-CN') return;
  const words = `[...document.querySelectorAll('button:not([lang], .node, .answer), h1, h2, h3, th:not(.mono), [role=tab]')]
    .map((element) => element.innerText.trim())
    .filter((text) => text !== '' && !/[\\u4e00-\\u9fff]/.test(text))
    .filter((text) => !/·|^[\\d.\\s]+$|^(benchmark|adapter|Ctrl|g\\b)|^(low|high|x|y|label)$/.test(text))`;
  expect(await page.evaluate(words)).toEqual([]);
}
