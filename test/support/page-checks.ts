import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { PageOptions } from './browser.ts';

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
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 100)).join(' | ')))`);
}

/** Labels of the page itself, other than names of the data, that have no Chinese character. */
export function untranslated(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('button:not([lang]), h1, h2, h3, .column-table th, .label:not(.mono), .status')]
    .map((element) => element.innerText.trim())
    .filter((text) => text !== '' && !/[\\u4e00-\\u9fff]/.test(text) && !/·|\\.csv|^[\\d.\\s]+$/.test(text))`);
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
