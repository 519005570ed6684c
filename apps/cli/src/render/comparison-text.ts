import type { ComparedPair, Comparison, ComparisonResult } from '@assay/contracts';
import stringWidth from 'string-width';
import { decimalsFor, formatInterval, formatNumber } from './numbers.ts';
import { safeText } from './safe-text.ts';
import type { Colours } from './style.ts';
import { table, type Column } from './table.ts';
import { padEnd } from './width.ts';

export interface ComparisonTextOptions {
  readonly colours: Colours;
  /** Cells of the terminal; undefined where lines may be as long as they like. */
  readonly columns: number | undefined;
  /** The command to try next. */
  readonly next: string;
}

/** A comparison for people: candidates by rank, pairs with their differences, the conclusion, and what to try next. */
export function comparisonText(result: ComparisonResult, options: ComparisonTextOptions): string {
  const { comparison } = result;
  const blocks = [
    listOrTable(candidateColumns(comparison), candidateRows(comparison), options.columns),
    comparison.pairs.length === 0
      ? ''
      : listOrTable(pairColumns(comparison), pairRows(comparison, options.colours), options.columns),
    conclusionLines(comparison, options.colours),
    closingLines(result, options),
  ];
  return `\n${blocks.filter((block) => block !== '').join('\n')}`;
}

/** A table where the terminal is wide enough for it; else each row as a list of its cells. */
function listOrTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  cells: number | undefined,
): string {
  const wide = table(columns, rows);
  if (cells === undefined || wide.split('\n').every((line) => stringWidth(line) <= cells)) return wide;
  const titles = columns.slice(1).map(({ title }) => title);
  const width = Math.max(...titles.map((title) => stringWidth(title)));
  const lines = rows.flatMap(([head = '', ...rest]) => [
    head,
    ...rest.map((cell, at) => `  ${padEnd(titles[at]!, width)}  ${cell}`),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

function metricsOf({ candidates, primary }: Comparison): string[] {
  const names = new Set(candidates.flatMap(({ metrics }) => Object.keys(metrics)));
  names.delete(primary);
  return [primary, ...names];
}

function candidateColumns(comparison: Comparison): Column[] {
  const metrics = metricsOf(comparison).map((name) => ({ title: safeText(name), align: 'right' as const }));
  return [{ title: 'candidate' }, { title: 'rank', align: 'right' }, ...metrics];
}

function candidateRows(comparison: Comparison): string[][] {
  const metrics = metricsOf(comparison);
  return [...comparison.candidates]
    .sort((a, b) => a.rank - b.rank)
    .map(({ name, rank, metrics: values }) => [
      safeText(name),
      String(rank),
      ...metrics.map((metric) => numberCell(values[metric])),
    ]);
}

function numberCell(
  one: { readonly value: number; readonly interval?: [number, number] | undefined } | undefined,
): string {
  if (one === undefined) return '–';
  const decimals = decimalsFor(one.value);
  const interval = one.interval === undefined ? '' : ` ${formatInterval(one.interval, decimals)}`;
  return `${formatNumber(one.value, decimals)}${interval}`;
}

function pairColumns({ primary, family }: Comparison): Column[] {
  return [
    { title: 'pair' },
    { title: `Δ ${safeText(primary)}`, align: 'right' },
    { title: '95 % interval', align: 'right' },
    { title: `corrected for ${family}`, align: 'right' },
    { title: 'Holm p', align: 'right' },
    { title: 'verdict' },
  ];
}

function pairRows(comparison: Comparison, colours: Colours): string[][] {
  // The same digits for all: the largest difference decides how many say something.
  const sizes = comparison.pairs.map(({ differences }) => Math.abs(differences[comparison.primary]?.value ?? 0));
  const decimals = decimalsFor(Math.max(...sizes));
  return comparison.pairs.map((pair) => {
    const pairName = `${nameOf(comparison, pair.first)} − ${nameOf(comparison, pair.second)}`;
    const paired = pair.differences[comparison.primary];
    if (pair.test === null || paired === undefined)
      return [pairName, '–', '–', '–', '–', verdictCell(pair, comparison, colours)];
    const { corrected, pHolm } = pair.test;
    return [
      pairName,
      `${paired.value > 0 ? '+' : ''}${formatNumber(paired.value, decimals)}`,
      paired.interval === undefined ? '–' : formatInterval(paired.interval, decimals),
      corrected.interval === undefined ? '–' : formatInterval(corrected.interval, decimals),
      pHolm.value < 0.001 ? '< 0.001' : formatNumber(pHolm.value, 3),
      verdictCell(pair, comparison, colours),
    ];
  });
}

function nameOf({ candidates }: Comparison, at: number): string {
  return safeText(candidates[at]?.name ?? '');
}

const sameness: Partial<Record<ComparedPair['code'], string>> = {
  same: '= the same code',
  same_tokens: '= the same code',
  seed_only: '= other seeds only',
};

function verdictCell(pair: ComparedPair, comparison: Comparison, colours: Colours): string {
  if (pair.verdict === 'first_better') return colours.green(`✓ ${nameOf(comparison, pair.first)} is better`);
  if (pair.verdict === 'second_better') return colours.green(`✓ ${nameOf(comparison, pair.second)} is better`);
  return colours.gray(sameness[pair.code] ?? '~ not distinguishable');
}

function conclusionLines({ conclusion, notCompared }: Comparison, colours: Colours): string {
  const hints = new Map(notCompared.map(({ name, hint }) => [`${name} could not be compared: `, hint]));
  const lines = conclusion.flatMap((sentence) => {
    const failed = [...hints].find(([start]) => sentence.startsWith(start));
    if (failed === undefined) return [`• ${safeText(sentence)}`];
    const [, hint] = failed;
    return [`${colours.red('✗')} ${safeText(sentence)}`, ...(hint === undefined ? [] : [`  do:  ${safeText(hint)}`])];
  });
  return lines.map((line) => `${line}\n`).join('');
}

function closingLines(
  { comparison, verified, report }: ComparisonResult,
  { colours, next }: ComparisonTextOptions,
): string {
  const counts = `${verified.ok} of ${verified.total} numbers verified`;
  const good = verified.total > 0 && verified.ok === verified.total;
  const runs = comparison.attempts.length;
  const failed = comparison.attempts.filter(({ outcome }) => outcome !== 'completed').length;
  const lines = [
    good ? colours.green(`✓ ${counts}`) : colours.red(`✗ ${counts}`),
    `runs    ${runs} formal ${runs === 1 ? 'run' : 'runs'} under this protocol${failed === 0 ? '' : `, ${failed} without a result`}`,
    `report  ${safeText(report)}`,
    `next    ${safeText(next)}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}
