import type { Plan } from '@assay/contracts';
import { titleOf } from '../home/home-screen.tsx';
import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { Figure } from '../report/figure.tsx';
import { axisOf } from '../report/interval-plot.tsx';
import { duration, plain } from '../ui/format.ts';
import type { IconName } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Status, type Tone } from '../ui/status.tsx';
import { useNow } from '../use-now.ts';
import type { Attempt, AttemptEnd } from './attempts.ts';
import { useAttempts } from './use-attempts.ts';

const looks: Readonly<Record<AttemptEnd, { readonly tone: Tone; readonly icon: IconName; readonly word: TextKey }>> = {
  running: { tone: 'running', icon: 'running', word: 'attemptRunning' },
  done: { tone: 'done', icon: 'done', word: 'attemptDone' },
  failed: { tone: 'failed', icon: 'failed', word: 'attemptFailed' },
  retried: { tone: 'failed', icon: 'again', word: 'attemptRetried' },
  released: { tone: 'blocked', icon: 'blocked', word: 'attemptReleased' },
  asked: { tone: 'waiting', icon: 'waiting', word: 'attemptAsked' },
  canceled: { tone: 'blocked', icon: 'blocked', word: 'attemptCanceled' },
};

/** Every attempt of every task over time, as a drawing and as a table. */
export function TimelineView({ plan }: { readonly plan: Plan }) {
  const { text, taskName } = useTexts();
  const { attempts, error } = useAttempts(plan);
  const now = useNow(attempts?.some(({ end }) => end === 'running') === true ? 1000 : 3_600_000);
  if (error !== undefined && attempts === undefined)
    return (
      <div className="empty">
        <ErrorNotice error={error} />
      </div>
    );
  if (attempts === undefined) return <p className="empty dim">{text('opening')}</p>;
  if (attempts.length === 0) return <p className="empty dim">{text('timelineNone')}</p>;
  const names = new Map(plan.tasks.map((task) => [task.id, taskName(task)]));
  const nameOf = (attempt: Attempt) => names.get(attempt.task) ?? attempt.task;
  const seconds = (attempt: Attempt) =>
    Math.max(
      0,
      ((attempt.endedAt === null ? now : Date.parse(attempt.endedAt)) - Date.parse(attempt.startedAt)) / 1000,
    );
  const about = { plan: plan.id, date: `${plan.updatedAt.slice(0, 16).replace('T', ' ')} UTC` };
  const done = text('tasksOf', { done: plan.counts.completed, total: plan.counts.total });
  const provenance = {
    ...about,
    title: titleOf(plan),
    ok: plan.counts.completed,
    total: plan.counts.total,
    sentence: [about.plan, about.date, done].join(text('comma')),
  };
  const table = {
    header: ['task', 'attempt', 'start', 'seconds', 'end', 'why'],
    rows: attempts.map((one) => [one.task, one.attempt, one.startedAt, seconds(one), one.end, one.why]),
  };
  return (
    <div className="scroll">
      <div className="compare">
        <Figure title={text('timeline')} provenance={provenance} table={table}>
          <Gantt attempts={attempts} nameOf={nameOf} seconds={seconds} />
        </Figure>
        <p className="meta">{text('timelineHelp')}</p>
        <div className="wide-table" tabIndex={0} role="region" aria-label={text('attempts')}>
          <table className="table">
            <thead>
              <tr>
                {(['columnTask', 'columnAttempt', 'columnStart', 'columnTime', 'columnEnd', 'columnWhy'] as const).map(
                  (key) => (
                    <th key={key} scope="col">
                      {text(key)}
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody>
              {attempts.map((one) => (
                <tr key={`${one.task} ${one.attempt}`}>
                  <th scope="row">{nameOf(one)}</th>
                  <td>
                    {one.attempt}
                    {one.attempt > 1 && <span className="meta"> {text('repairOf')}</span>}
                  </td>
                  <td className="nowrap dim">
                    <time dateTime={one.startedAt}>{one.startedAt.slice(11, 19)}</time>
                  </td>
                  <td className="nowrap">{duration(seconds(one))}</td>
                  <td>
                    <Status look={looks[one.end]} />
                    {one.rebound && <span className="meta"> {text('attemptRebound')}</span>}
                  </td>
                  <td className="dim" lang="en">
                    {plain(one.why)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </div>
  );
}

const LEFT = 180;
const WIDTH = 860;
const ROW = 24;

interface GanttProps {
  readonly attempts: readonly Attempt[];
  readonly nameOf: (attempt: Attempt) => string;
  readonly seconds: (attempt: Attempt) => number;
}

/** A row is one attempt; time runs to the right, in seconds since the first start. */
function Gantt({ attempts, nameOf, seconds }: GanttProps) {
  const { text } = useTexts();
  const zero = Date.parse(attempts[0]!.startedAt);
  const from = (one: Attempt) => (Date.parse(one.startedAt) - zero) / 1000;
  const { ticks, high } = axisOf([0, ...attempts.map((one) => from(one) + seconds(one))]);
  const x = (second: number) => LEFT + (second / high) * (WIDTH - LEFT - 56);
  const height = attempts.length * ROW + 24;
  return (
    <div className="wide-table" tabIndex={0} role="region" aria-label={text('timeline')}>
      <svg
        className="figure gantt"
        style={{ minWidth: 560 }}
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-label={text('timeline')}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line className="grid" x1={x(tick)} x2={x(tick)} y1="0" y2={height - 18} />
            <text className="axis" textAnchor="middle" x={x(tick)} y={height - 5}>
              {duration(tick)}
            </text>
          </g>
        ))}
        {attempts.map((one, at) => {
          const width = Math.max(2, x(from(one) + seconds(one)) - x(from(one)));
          return (
            <g key={`${one.task} ${one.attempt}`}>
              <text x="0" y={at * ROW + 16}>
                {`${nameOf(one)}${one.attempt > 1 ? ` · ${one.attempt}` : ''}`}
              </text>
              <rect
                className={`attempt-bar tone-${looks[one.end].tone}`}
                x={x(from(one))}
                y={at * ROW + 5}
                width={width}
                height="14"
                rx="2"
              />
              <text className="axis" x={x(from(one)) + width + 5} y={at * ROW + 16}>
                {duration(seconds(one))}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}
