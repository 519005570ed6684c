import type { DatasetColumn } from '@assay/contracts';

type Form = NonNullable<DatasetColumn['writtenAs']>['form'];

const NUMBER = String.raw`[+-]?\d[\d.,' \u00a0\u202f_]*`;
const CURRENCY = String.raw`(?:[$£€¥￥₹₩₽₺฿]|US\$|R\$|kr|zł|CHF|USD|EUR|GBP|JPY|CNY|RMB|INR|元)`;

const forms: readonly { readonly form: Form; readonly pattern: RegExp }[] = [
  {
    form: 'money',
    pattern: new RegExp(String.raw`^\s*[+-]?(?:${CURRENCY}\s*${NUMBER}|${NUMBER}\s*${CURRENCY})\s*$`, 'iu'),
  },
  { form: 'percent', pattern: new RegExp(String.raw`^\s*${NUMBER}\s*[%％‰]\s*$`, 'u') },
  { form: 'infinite', pattern: /^\s*[+-]?(?:inf|infinity|∞)\s*$/iu },
];

/** Of the texts that are looked at, so many must have the form. */
const SHARE = 0.9;

/**
 * What the texts of a column look like when they are numbers that are not written as plain ones: amounts of money,
 * percentages, or infinite values among numbers.
 */
export function writtenAs(texts: readonly string[], numbers: number): DatasetColumn['writtenAs'] {
  if (texts.length === 0) return undefined;
  const found = forms.find(({ pattern }) => texts.filter((text) => pattern.test(text)).length >= SHARE * texts.length);
  if (found === undefined || (found.form === 'infinite' && numbers === 0)) return undefined;
  return { form: found.form, example: texts.find((text) => found.pattern.test(text))!.slice(0, 40) };
}

const what: { readonly [F in Form]: string } = {
  money: 'amounts of money',
  percent: 'percentages',
  infinite: 'infinite values among numbers',
};
const instead: { readonly [F in Form]: string } = {
  money: 'write plain numbers, without the currency',
  percent: 'write plain numbers, without the percent sign',
  infinite: 'write finite numbers, or leave these cells empty',
};

/** What was recognised, such as `amounts of money, such as "$1,200"`; undefined for other columns. */
export function recognisedText({ writtenAs: written }: DatasetColumn): string | undefined {
  return written && `${what[written.form]}, such as ${JSON.stringify(written.example)}`;
}

/** What to do so that the column is read as numbers. */
export function plainNumbersHint({ writtenAs: written }: DatasetColumn): string | undefined {
  return written && instead[written.form];
}
