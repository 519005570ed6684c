import { useTexts } from '../i18n/texts.tsx';
import { plain } from '../ui/format.ts';
import { Figure } from './figure.tsx';
import type { Provenance } from './export/provenance.ts';

const MOST_LABELS = 20;
const CELL = 64;
const LEFT = 120;

interface Props {
  readonly labels: readonly string[];
  readonly counts: readonly (readonly number[])[];
  readonly provenance: Provenance;
  readonly open: string | undefined;
  readonly onOpen: (metric: string) => void;
}

/** Count first, share of the label second; rows are the labels, columns what was predicted. A cell opens its rows. */
export function ConfusionMatrix({ labels, counts, provenance, open, onOpen }: Props) {
  const { text } = useTexts();
  const support = counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  const shown = mostRows(support, MOST_LABELS);
  const table = { header: ['label', ...labels], rows: counts.map((row, at) => [labels[at] ?? '', ...row]) };
  return (
    <Figure title={text('confusion')} provenance={provenance} table={table}>
      <div className="wide-table" tabIndex={0} role="region" aria-label={text('confusion')}>
        <table className="matrix">
          <thead>
            <tr>
              <td />
              <th colSpan={shown.length} className="dim">
                {text('predicted')}
              </th>
            </tr>
            <tr>
              <th scope="col">{text('confusionLabel')}</th>
              {shown.map((at) => (
                <th key={at} scope="col" title={plain(labels[at]!)}>
                  {plain(labels[at]!)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row}>
                <th scope="row" title={plain(labels[row]!)}>
                  {plain(labels[row]!)} <span className="faint">{support[row]}</span>
                </th>
                {shown.map((column) => {
                  const metric = `confusion/${labels[row]}/${labels[column]}`;
                  const count = counts[row]![column]!;
                  return (
                    <td key={column} className={kindOf(count, row === column)}>
                      <button
                        type="button"
                        aria-expanded={open === metric}
                        aria-label={`${plain(labels[row]!)} → ${plain(labels[column]!)}: ${count}`}
                        onClick={() => onOpen(metric)}
                      >
                        <b>{count}</b>
                        {count > 0 && shareOf(count, support[row]!)}
                      </button>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < labels.length && (
        <p className="meta">{text('labelsShown', { shown: shown.length, total: labels.length })}</p>
      )}
      <div hidden>
        <Drawing labels={labels} counts={counts} shown={shown} support={support} />
      </div>
    </Figure>
  );
}

interface DrawingProps extends Pick<Props, 'labels' | 'counts'> {
  readonly shown: readonly number[];
  readonly support: readonly number[];
}

/** The same table as a drawing, for files. */
function Drawing({ labels, counts, shown, support }: DrawingProps) {
  const size = shown.length * CELL;
  return (
    <svg className="figure" viewBox={`0 0 ${LEFT + size} ${size + 24}`} aria-hidden="true">
      {shown.map((row, y) => (
        <g key={row}>
          <text textAnchor="end" x={LEFT - 8} y={24 + y * CELL + CELL / 2 + 4}>
            {`${plain(labels[row]!).slice(0, 14)} ${support[row]}`}
          </text>
          <text textAnchor="middle" x={LEFT + y * CELL + CELL / 2} y="14">
            {plain(labels[row]!).slice(0, 9)}
          </text>
          {shown.map((column, x) => {
            const count = counts[row]![column]!;
            const kind = kindOf(count, row === column);
            const middle = LEFT + x * CELL + CELL / 2;
            return (
              <g key={column}>
                <rect
                  className={`cell ${kind}`}
                  x={LEFT + x * CELL + 1}
                  y={25 + y * CELL}
                  width={CELL - 2}
                  height={CELL - 2}
                  rx="3"
                />
                <text className={`in ${kind}`} textAnchor="middle" x={middle} y={24 + y * CELL + 30}>
                  {count}
                </text>
                <text className={`in small ${kind}`} textAnchor="middle" x={middle} y={24 + y * CELL + 45}>
                  {count > 0 ? shareOf(count, support[row]!) : ''}
                </text>
              </g>
            );
          })}
        </g>
      ))}
    </svg>
  );
}

/** Places of the labels with the most rows, in the order of the labels. */
function mostRows(support: readonly number[], most: number): readonly number[] {
  return support
    .map((rows, at) => ({ rows, at }))
    .sort((a, b) => b.rows - a.rows || a.at - b.at)
    .slice(0, most)
    .map(({ at }) => at)
    .sort((a, b) => a - b);
}

function kindOf(count: number, diagonal: boolean): string {
  return count === 0 ? 'none' : diagonal ? 'right' : 'wrong';
}

function shareOf(count: number, of: number): string {
  return of === 0 ? '' : `${((100 * count) / of).toFixed(1)}\u2009%`;
}
