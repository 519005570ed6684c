import type { Evidence, Residuals } from '@assay/contracts';
import { useTexts } from '../i18n/texts.tsx';
import { useClient } from '../stream/live.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAnswer } from '../use-answer.ts';
import type { Provenance } from './export/provenance.ts';
import { Figure } from './figure.tsx';
import { axisOf, tickText } from './interval-plot.tsx';

const WIDTH = 400;
const HEIGHT = 300;
const LEFT = 52;
const BOTTOM = 44;
const TOP = 10;
const RIGHT = 14;

/** Predictions against actual values, and how their differences are spread. */
export function ResidualsView({
  evidence,
  provenance,
}: {
  readonly evidence: Evidence;
  readonly provenance: Provenance;
}) {
  const { text } = useTexts();
  const client = useClient();
  const { answer, error } = useAnswer(
    (signal) => client.evidenceResiduals({ quest: evidence.quest, evidence: evidence.id }, { signal }),
    [client, evidence.id],
  );
  if (error !== undefined) return <ErrorNotice error={error} />;
  if (answer === undefined) return <p className="meta figure-wait">{text('rowsReading')}</p>;
  if (answer.total === 0) return <p className="meta">{text('rowsDoubt')}</p>;
  const { points, total, step, histogram } = answer;
  const drawn = { shown: points.length, total, step };
  return (
    <div className="figures">
      <div>
        <Figure
          title={text('predictedActual')}
          provenance={provenance}
          table={{
            header: ['row', 'actual', 'predicted'],
            rows: points.map(({ row, actual, predicted }) => [row, actual, predicted]),
          }}
        >
          <Scatter points={points} />
        </Figure>
        <p className="meta">{text(step === 1 ? 'pointsAll' : 'pointsSome', drawn)}</p>
      </div>
      <Figure
        title={text('residualHistogram', { total })}
        provenance={provenance}
        table={{
          header: ['from', 'to', 'rows'],
          rows: histogram.counts.map((count, at) => [histogram.edges[at]!, histogram.edges[at + 1]!, count]),
        }}
      >
        <Histogram {...histogram} />
      </Figure>
    </div>
  );
}

function Scatter({ points }: Pick<Residuals, 'points'>) {
  const { text } = useTexts();
  const { ticks, low, high } = axisOf(points.flatMap(({ actual, predicted }) => [actual, predicted]));
  const share = (value: number) => (value - low) / (high - low);
  const x = (value: number) => LEFT + share(value) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => HEIGHT - BOTTOM - share(value) * (HEIGHT - BOTTOM - TOP);
  return (
    <svg className="figure" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text('predictedActual')}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className="grid" x1={x(tick)} x2={x(tick)} y1={TOP} y2={HEIGHT - BOTTOM} />
          <line className="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text className="axis" textAnchor="middle" x={x(tick)} y={HEIGHT - BOTTOM + 16}>
            {tickText(tick, ticks)}
          </text>
          <text className="axis" textAnchor="end" x={LEFT - 6} y={y(tick) + 4}>
            {tickText(tick, ticks)}
          </text>
        </g>
      ))}
      <line className="zero" x1={x(low)} y1={y(low)} x2={x(high)} y2={y(high)} />
      {points.map(({ row, actual, predicted }) => (
        <circle key={row} className="point" cx={x(actual)} cy={y(predicted)} r="2.5" />
      ))}
      <text className="axis" textAnchor="middle" x={(LEFT + WIDTH) / 2} y={HEIGHT - 8}>
        {text('actual')}
      </text>
      <text className="axis" textAnchor="middle" transform={`translate(11 ${(HEIGHT - BOTTOM) / 2}) rotate(-90)`}>
        {text('predicted')}
      </text>
    </svg>
  );
}

function Histogram({ edges, counts }: Residuals['histogram']) {
  const { text } = useTexts();
  const low = edges[0]!;
  const high = edges.at(-1)!;
  const vertical = axisOf([0, ...counts]);
  const x = (value: number) => LEFT + ((value - low) / (high - low || 1)) * (WIDTH - LEFT - RIGHT);
  const y = (count: number) => HEIGHT - BOTTOM - (count / vertical.high) * (HEIGHT - BOTTOM - TOP);
  const ticks = axisOf([low, high]).ticks.filter((tick) => tick >= low && tick <= high);
  return (
    <svg className="figure" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text('residuals')}>
      {vertical.ticks.map((tick) => (
        <g key={tick}>
          <line className="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text className="axis" textAnchor="end" x={LEFT - 6} y={y(tick) + 4}>
            {tickText(tick, vertical.ticks)}
          </text>
        </g>
      ))}
      {counts.map((count, at) => (
        <rect
          key={at}
          className="bar f1"
          x={x(edges[at]!) + 0.5}
          y={y(count)}
          width={Math.max(1, x(edges[at + 1]!) - x(edges[at]!) - 1)}
          height={y(0) - y(count)}
        />
      ))}
      {low < 0 && high > 0 && <line className="zero" x1={x(0)} x2={x(0)} y1={TOP} y2={HEIGHT - BOTTOM} />}
      {ticks.map((tick) => (
        <text key={tick} className="axis" textAnchor="middle" x={x(tick)} y={HEIGHT - BOTTOM + 16}>
          {tickText(tick, ticks)}
        </text>
      ))}
      <text className="axis" x={LEFT} y={HEIGHT - 8}>
        {`← ${text('under')}`}
      </text>
      <text className="axis" textAnchor="end" x={WIDTH - RIGHT} y={HEIGHT - 8}>
        {`${text('over')} →`}
      </text>
    </svg>
  );
}
