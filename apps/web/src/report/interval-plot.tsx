import { decimal } from '../ui/format.ts';

export interface PlottedNumber {
  readonly name: string;
  readonly value: number;
  readonly interval: readonly [number, number] | undefined;
}

const LEFT = 132;
const WIDTH = 560;
const RIGHT = 60;
const ROW = 26;

/** Dots with intervals on one axis that starts where the data are and says so by its ticks. */
export function IntervalPlot({
  numbers,
  label,
  zero = false,
}: {
  readonly numbers: readonly PlottedNumber[];
  readonly label: string;
  readonly zero?: boolean;
}) {
  const all = numbers.flatMap(({ value, interval }) => [value, ...(interval ?? [])]);
  const { ticks, low, high } = axisOf(zero ? [...all, 0] : all);
  const x = (value: number) => LEFT + ((value - low) / (high - low)) * (WIDTH - LEFT - RIGHT);
  const height = numbers.length * ROW + 24;
  return (
    <svg className="figure wide" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className="grid" x1={x(tick)} x2={x(tick)} y1="0" y2={height - 18} />
          <text className="axis" textAnchor="middle" x={x(tick)} y={height - 5}>
            {tickText(tick, ticks)}
          </text>
        </g>
      ))}
      {zero && <line className="zero" x1={x(0)} x2={x(0)} y1="0" y2={height - 18} />}
      {numbers.map(({ name, value, interval }, at) => {
        const y = at * ROW + ROW / 2;
        return (
          <g key={name}>
            <text x="0" y={y + 4}>
              {name.length > 22 ? `${name.slice(0, 21)}…` : name}
            </text>
            {interval !== undefined && (
              <>
                <line className="mark" x1={x(interval[0])} x2={x(interval[1])} y1={y} y2={y} />
                {interval.map((end, side) => (
                  <line key={side} className="mark" x1={x(end)} x2={x(end)} y1={y - 4} y2={y + 4} />
                ))}
              </>
            )}
            <circle className="dot" cx={x(value)} cy={y} r="4" />
            <text textAnchor="end" x={WIDTH} y={y + 4}>
              {decimal(value)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

/** Round ticks that enclose all values. */
export function axisOf(values: readonly number[]): {
  readonly ticks: readonly number[];
  readonly low: number;
  readonly high: number;
} {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const range = most - least || Math.abs(most) || 1;
  const power = 10 ** Math.floor(Math.log10(range / 4));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((round) => range / round <= 5) ?? range;
  const first = Math.floor(least / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(most / step - 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
  return { ticks, low: first * step, high: last * step };
}

export function tickText(tick: number, ticks: readonly number[]): string {
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0));
  const digits = Math.min(
    6,
    Math.max(
      0,
      -Math.floor(Math.log10(step) + 1e-9) + (/[25]5?0*$/.test(String(step)) && String(step).includes('25') ? 1 : 0),
    ),
  );
  return Math.abs(tick) >= 1e6 ? tick.toExponential(1) : decimal(tick, digits);
}
