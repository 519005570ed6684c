import type { Evidence } from '@assay/contracts';
import { decimal, plain } from '../../ui/format.ts';
import type { LoadedReport } from '../load-report.ts';
import type { Provenance } from './provenance.ts';

/** The report as Markdown: every number with its interval and the id of its evidence. */
export function markdownOf({ metrics, validation, registration, evidence, result }: LoadedReport, from: Provenance) {
  const rows = [...evidence.values()].filter(({ metric }) => !metric.startsWith('confusion/'));
  return `${[
    `# ${text(from.title)}`,
    from.sentence + '.',
    '## Numbers',
    table(['Metric', 'Value', '95 % interval', 'Evidence'], rows.map(numberRow)),
    ...matrixOf(metrics.labels, metrics.confusion),
    '## Probes of the evaluator',
    table(
      ['Submission', 'As it must be', 'Value', 'Expected'],
      Object.entries(validation.probes).map(([name, probe]) => [
        name.replaceAll('_', ' '),
        probe.passed ? 'yes' : 'no',
        probe.value === null ? 'refused' : decimal(probe.value),
        probe.expected,
      ]),
    ),
    '## Fixed before the run',
    `Pre-registration \`${registration.sha256}\`, data \`${registration.dataset.sha256}\` (${text(registration.dataset.name)}).`,
    '## Limits of this result',
    (result.notes ?? []).map((note) => `- ${text(note)}`).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

function numberRow({ metric, value, ci, id }: Evidence): readonly string[] {
  const digits = Number.isInteger(value) ? 0 : 4;
  return [metric, decimal(value, digits), ci === undefined ? '–' : `[${decimal(ci.low)}, ${decimal(ci.high)}]`, id];
}

function matrixOf(labels: readonly string[] | null, counts: readonly (readonly number[])[] | null): readonly string[] {
  if (labels === null || counts === null) return [];
  const rows = counts.map((row, at) => [labels[at] ?? '', ...row.map(String)]);
  return ['## Confusion matrix', 'Rows are labels, columns predictions.', table(['Label', ...labels], rows)];
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(text).join(' | ')} |`;
  return [line(header), `| ${header.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** Texts of data and repositories are shown and never taken as markup. */
function text(value: string): string {
  return plain(value)
    .replaceAll(/[\\`*_{}[\]<>#|!~]/g, String.raw`\$&`)
    .replaceAll(/\s*\n\s*/g, ' ');
}
