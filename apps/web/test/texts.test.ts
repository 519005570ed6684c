import { verifies } from '@assay/testkit';
import { expect, it } from 'vitest';
import { dataEn } from '../src/data/texts.en.ts';
import { evidenceEn } from '../src/i18n/evidence-en.ts';
import { en } from '../src/i18n/en.ts';
import { zhCN } from '../src/i18n/zh-cn.ts';

const names = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort((a = '', b = '') => (a < b ? -1 : 1));

it('every text has both languages, with the same values in it', () => {
  verifies('page.two-languages');
  expect(Object.keys(zhCN).sort()).toEqual(Object.keys(en).sort());
  for (const [key, text] of Object.entries(en)) {
    const other = zhCN[key as keyof typeof en];
    expect(names(other), key).toEqual(names(text));
    // Marks between sentences are no words, but are those of the language.
    if (/^[\p{P}\s]+$/u.test(text)) {
      expect(other, key).toMatch(/^[，。；：]$/);
      continue;
    }
    if (key !== 'language' && key !== 'languageTitle' && !key.endsWith('Example')) {
      expect(other, key).toMatch(/[一-鿿]/);
      expect(text, key).not.toMatch(/[一-鿿]/);
    }
  }
});

it('no part of the table takes the place of a text of another', () => {
  verifies('page.two-languages');
  for (const part of [dataEn, evidenceEn])
    for (const [key, text] of Object.entries(part)) expect(en[key as keyof typeof en], key).toBe(text);
});
