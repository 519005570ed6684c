interface Props {
  readonly value: number;
  readonly interval: readonly [number, number] | undefined;
  /** Whether it is a share, between 0 and 1. */
  readonly isShare: boolean;
}

const WIDTH = 220;

/** A dot and its interval. Shares are drawn from 0 to 1; other measures have no common scale and are not drawn. */
export function IntervalPlot({ value, interval, isShare }: Props) {
  if (interval === undefined || !isShare) return null;
  const x = (share: number) => 4 + share * (WIDTH - 8);
  return (
    <svg
      className="interval-plot"
      viewBox={`0 0 ${WIDTH} 18`}
      role="img"
      aria-label={`${interval[0].toFixed(3)} – ${interval[1].toFixed(3)}`}
    >
      <line x1={x(0)} x2={x(1)} y1="9" y2="9" style={{ stroke: 'var(--line)', strokeWidth: 1 }} />
      <line x1={x(interval[0])} x2={x(interval[1])} y1="9" y2="9" />
      <line x1={x(interval[0])} x2={x(interval[0])} y1="5" y2="13" />
      <line x1={x(interval[1])} x2={x(interval[1])} y1="5" y2="13" />
      <circle cx={x(value)} cy="9" r="4" />
    </svg>
  );
}
