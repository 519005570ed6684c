import type { Task } from '@assay/contracts';
import { useTexts } from '../i18n/texts.tsx';
import type { LogLine, TaskAttempt } from '../stream/live-store.ts';
import { duration, plain, secondsBetween } from '../ui/format.ts';
import { Status, type StatusLook } from '../ui/status.tsx';
import { useNow } from '../use-now.ts';

const looks: Readonly<Record<TaskAttempt['end'], StatusLook>> = {
  running: { tone: 'running', icon: 'running', word: 'statusRunning' },
  done: { tone: 'done', icon: 'done', word: 'statusDone' },
  failed: { tone: 'failed', icon: 'failed', word: 'statusFailed' },
  retried: { tone: 'failed', icon: 'again', word: 'attemptRetried' },
  released: { tone: 'blocked', icon: 'blocked', word: 'statusInterrupted' },
  discarded: { tone: 'blocked', icon: 'blocked', word: 'attemptDiscarded' },
  stopped: { tone: 'blocked', icon: 'blocked', word: 'statusCanceled' },
};

interface Props {
  readonly task: Task;
  readonly attempts: readonly TaskAttempt[];
  readonly lines: readonly LogLine[];
}

/** Each run of a task, the newest first: how long, how it ended and why, and what was mended in it. */
export function TaskAttempts({ task, attempts, lines }: Props) {
  const { text } = useTexts();
  const now = useNow(1000);
  if (attempts.length === 0) return <p className="section meta">{text('noAttempts')}</p>;
  return (
    <ol className="attempts">
      {attempts.toReversed().map((run) => {
        const repairs = lines.filter(
          ({ level, at }) => level === 'warn' && at >= run.startedAt && (run.endedAt === null || at <= run.endedAt),
        );
        return (
          <li key={run.executionId} className="section">
            <div className="row">
              <h3 className="grow">{text('attemptName', { attempt: run.attempt })}</h3>
              <Status look={looks[run.end]} />
            </div>
            <p className="meta">
              <time dateTime={run.startedAt}>{new Date(run.startedAt).toLocaleTimeString()}</time>
              {` · ${duration(secondsBetween(run.startedAt, run.endedAt, now) ?? 0)}`}
            </p>
            {run.error !== null && (
              <>
                <p>{plain(run.error.message)}</p>
                {run.error.why !== undefined && <p className="dim">{plain(run.error.why)}</p>}
                {run.error.hint !== undefined && <p className="dim">{plain(run.error.hint)}</p>}
              </>
            )}
            {repairs.length > 0 && (
              <ul className="meta repairs" aria-label={text('attemptNotes')}>
                {repairs.map((line, at) => (
                  <li key={at}>{plain(line.message)}</li>
                ))}
              </ul>
            )}
          </li>
        );
      })}
      <li className="section meta">
        {text('attemptsLeft', { left: Math.max(0, task.retryLimit + 1 - task.runCount), limit: task.retryLimit + 1 })}
      </li>
    </ol>
  );
}
