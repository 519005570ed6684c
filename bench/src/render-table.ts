import type { BenchRow } from './bench-row.ts';

/** A row as it stands in the results file. */
export interface Recorded extends BenchRow {
  readonly at: string;
  readonly commit: string;
  readonly machine: string;
}

const HEAD = `# Benchmarks

Figures of \`npm run bench\`. Each row was measured beside its peer in the same run on the same machine: trust the ratios
more than the values, above all on a busy virtual machine. A ratio is our value divided by the peer's.
`;

/** The newest run of every suite as a page: a row or peer that a suite no longer has is not shown. */
export function renderTable(recorded: readonly Recorded[]): string {
  const lastRuns = new Map(recorded.map((row) => [row.suite, row.at]));
  const newest = new Map<string, Recorded>();
  // A suite keeps its place on the page when it is measured again.
  for (const [suite, at] of lastRuns)
    for (const row of recorded)
      if (row.suite === suite && row.at === at) newest.set(JSON.stringify([suite, row.name, row.peer?.name]), row);
  const machines = [...new Set([...newest.values()].map((row) => row.machine))];
  const lines = [...newest.values()].map((row) => `| ${cells(row).join(' | ')} |`);
  return [
    HEAD,
    ...machines.map((machine) => `Machine: ${machine}.`),
    '',
    '| suite | what | value | target | met | peer | peer’s value | ratio | day, commit |',
    '| --- | --- | ---: | --- | --- | --- | ---: | ---: | --- |',
    ...lines,
    '',
  ].join('\n');
}

function cells(row: Recorded): string[] {
  const peer =
    row.peer === undefined
      ? ['', '', '']
      : [row.peer.name, `${show(row.peer.value)} ${row.unit}`, row.peer.ratio.toFixed(2)];
  const met = row.met === undefined ? '' : row.met ? 'yes' : '**no**';
  return [
    row.suite,
    row.name,
    `${show(row.value)} ${row.unit}`,
    row.target ?? '',
    met,
    ...peer,
    `${row.at.slice(0, 10)} ${row.commit}`,
  ];
}

function show(value: number): string {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(Math.abs(value) >= 100 ? 0 : 2);
}
