import type { BenchmarkResult } from '@assay/contracts';
import { decimalsFor, formatInterval, formatNumber, formatSeconds } from './numbers.ts';
import { safeText } from './safe-text.ts';
import type { Colours } from './style.ts';
import { table } from './table.ts';

const MAX_ROWS = 40;

type CellOptions = Pick<ResultTextOptions, 'colours' | 'unconfirmed'>;

export interface ResultTextOptions {
  readonly colours: Colours;
  /** Metrics that could not be confirmed, with the reason. */
  readonly unconfirmed: ReadonlyMap<string, string>;
  /** The command to try next. */
  readonly next: string;
}

/** The end of a benchmark for people: metrics with intervals, probes, the report and what to try next. */
export function resultText(result: BenchmarkResult, options: ResultTextOptions): string {
  const blocks = [
    metricTable(result, options),
    probeTable(result, options.colours),
    aboutLines(result),
    closingLines(result, options),
  ];
  return `\n${blocks.filter((block) => block !== '').join('\n')}`;
}

const MAX_NOTES = 8;

/** What was called, what else could have been, and how data and task were read. */
function aboutLines({ entrypoint, labels, otherEntrypoints = [], notes = [] }: BenchmarkResult): string {
  const others = otherEntrypoints.slice(0, 3).map(safeText).join(', ');
  const also = others === '' ? '' : `  (also possible: ${others}; choose with --entry)`;
  const lines = typeof entrypoint === 'string' ? [`entry   ${safeText(entrypoint)}${also}`] : [];
  if (labels !== undefined && labels !== null)
    lines.push(`labels  ${safeText(labels.map)}  (${safeText(labels.evidence)})`);
  for (const note of notes.slice(0, MAX_NOTES)) lines.push(`note    ${safeText(note)}`);
  if (notes.length > MAX_NOTES) lines.push(`note    … and ${notes.length - MAX_NOTES} more in the report`);
  return lines.map((line) => `${line}\n`).join('');
}

function closingLines(result: BenchmarkResult, { colours, next }: ResultTextOptions): string {
  const { verified, report } = result;
  const counts = `${verified.ok} of ${verified.total} numbers verified`;
  const good = verified.total > 0 && verified.ok === verified.total;
  const lines = [good ? colours.green(`✓ ${counts}`) : colours.red(`✗ ${counts}`), `time    ${timeText(result)}`];
  if (report !== null) lines.push(`report  ${safeText(report)}`);
  lines.push(`next    ${safeText(next)}`);
  return lines.map((line) => `${line}\n`).join('');
}

/** A plan that waited, or was interrupted, took longer than it worked. */
function timeText({ seconds, wallSeconds = seconds }: BenchmarkResult): string {
  const worked = `${formatSeconds(seconds)} of work`;
  return wallSeconds - seconds < 1 ? worked : `${worked}, ${formatSeconds(wallSeconds)} from start to end`;
}

function metricTable(result: BenchmarkResult, { colours, unconfirmed }: CellOptions): string {
  const metrics = Object.entries(result.metrics);
  const rows = metrics.slice(0, MAX_ROWS).map(([name, value]) => {
    const decimals = decimalsFor(value);
    const interval = result.intervals[name];
    return [
      safeText(name),
      formatNumber(value, decimals),
      interval === undefined ? '–' : formatInterval(interval, decimals),
      verifiedCell(name, result, { colours, unconfirmed }),
    ];
  });
  const columns = [
    { title: 'metric' },
    { title: 'value', align: 'right' },
    { title: '95 % interval', align: 'right' },
    { title: 'verified' },
  ] as const;
  const more = metrics.length - rows.length;
  return table(columns, rows) + (more > 0 ? `… and ${more} more in the report\n` : '');
}

/** A number counts as verified only when a verification has looked at it. */
function verifiedCell(name: string, result: BenchmarkResult, { colours, unconfirmed }: CellOptions): string {
  const reason = unconfirmed.get(name);
  if (reason !== undefined) return colours.red(`✗ ${safeText(reason.replaceAll('_', ' '))}`);
  if (result.verified.total === 0) return colours.gray('– not yet');
  return colours.green('✓ yes');
}

function probeTable(result: BenchmarkResult, colours: Colours): string {
  const rows = Object.entries(result.probes).map(([name, probe]) => [
    safeText(name),
    probe.value === null ? '–' : formatNumber(probe.value, decimalsFor(probe.value)),
    safeText(probe.metric),
    safeText(probe.expected),
    probe.passed ? colours.green('✓ as it should be') : colours.red('✗ not as it should be'),
  ]);
  if (rows.length === 0) return '';
  const columns = [
    { title: 'probe' },
    { title: 'value', align: 'right' },
    { title: 'metric' },
    { title: 'expected' },
    { title: 'result' },
  ] as const;
  return table(columns, rows);
}
