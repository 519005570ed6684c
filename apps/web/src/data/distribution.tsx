import type { ColumnDistribution } from '@assay/contracts';
import { assertNever } from '@assay/foundation';
import { useTexts } from '../i18n/texts.tsx';
import { plain } from '../ui/format.ts';
import { short, whole } from './amounts.ts';

/** The values of a column in the room of a table cell, with the same in words. */
export function Distribution({ of }: { readonly of: ColumnDistribution | null }) {
  const { text } = useTexts();
  if (of === null) return <span className="faint">–</span>;
  switch (of.kind) {
    case 'none':
      return <span className="faint">{text('noValues')}</span>;
    case 'many':
      return <span className="faint">{text('manyValues')}</span>;
    case 'values':
      return <TopValues of={of} />;
    case 'dates':
      return (
        <Histogram
          bins={of.bins}
          says={text('rangeOf', { min: plain(of.first), max: plain(of.last) })}
          more={undefined}
        />
      );
    case 'numbers':
      return (
        <Histogram
          bins={of.bins}
          says={text('rangeOf', { min: short(of.min), max: short(of.max) })}
          more={`${text('meanOf', { mean: short(of.mean) })}${of.sampled ? ` · ${text('sampledOf', { rows: whole(of.rows) })}` : ''}`}
        />
      );
    default:
      return assertNever(of, 'distribution');
  }
}

const WIDTH = 128;
const HEIGHT = 26;

function Histogram({
  bins,
  says,
  more,
}: {
  readonly bins: readonly number[];
  readonly says: string;
  readonly more: string | undefined;
}) {
  const most = Math.max(...bins, 1);
  const step = WIDTH / bins.length;
  return (
    <div className="distribution">
      <svg width={WIDTH} height={HEIGHT} role="img" aria-label={says}>
        {bins.map((count, at) => {
          const height = count === 0 ? 0 : Math.max(1.5, (count / most) * HEIGHT);
          // A single bin would be a wall: it gets the width of a bar.
          const width = Math.min(step - 1, 24);
          return <rect key={at} x={at * step} y={HEIGHT - height} width={width} height={height} rx={1} />;
        })}
      </svg>
      <span className="meta">
        {says}
        {more !== undefined && <span className="only-wide"> · {more}</span>}
      </span>
    </div>
  );
}

function TopValues({ of }: { readonly of: Extract<ColumnDistribution, { kind: 'values' }> }) {
  const { text } = useTexts();
  const shown = of.top.slice(0, 3);
  const hidden = of.others.values + of.top.length - shown.length;
  return (
    <div className="top-values">
      {shown.map(({ value, count }) => (
        <span key={value} className="top-value" title={`${plain(value)}: ${whole(count)}`}>
          <span className="fill" style={{ width: `${(100 * count) / of.rows}%` }} aria-hidden="true" />
          <span className="truncate">{value === '' ? '“”' : plain(value)}</span>
          <span className="faint">{whole(count)}</span>
        </span>
      ))}
      {hidden > 0 && <span className="meta nowrap">{text('othersOf', { values: whole(hidden) })}</span>}
    </div>
  );
}
