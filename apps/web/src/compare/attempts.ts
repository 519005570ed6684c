import type { AssayEvent } from '@assay/contracts';

export type AttemptEnd = 'running' | 'done' | 'failed' | 'retried' | 'released' | 'asked' | 'canceled';

/** One run of a task, from its start to whatever ended it. */
export interface Attempt {
  readonly task: string;
  readonly attempt: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly end: AttemptEnd;
  /** What it gave, or why it ended. */
  readonly why: string;
  /** Taken up again after a restart. */
  readonly rebound: boolean;
}

/** The attempts of a plan in the order of their starts: a fold of its events. */
export function attemptsOf(events: readonly AssayEvent[]): readonly Attempt[] {
  const attempts: Attempt[] = [];
  const change = (task: string | undefined, with_: Partial<Attempt>) => {
    const at = attempts.findLastIndex((one) => one.task === task && one.end === 'running');
    if (at >= 0) attempts[at] = { ...attempts[at]!, ...with_ };
  };
  for (const event of events) {
    const { task } = event.scope;
    const ends = (end: AttemptEnd, why: string) => change(task, { end, why, endedAt: event.at });
    switch (event.type) {
      case 'plan.task_started':
        if (task !== undefined)
          attempts.push({
            task,
            attempt: event.data.attempt,
            startedAt: event.at,
            endedAt: null,
            end: 'running',
            why: '',
            rebound: false,
          });
        break;
      case 'plan.task_rebound':
        change(task, { rebound: true });
        break;
      case 'plan.task_completed':
        ends('done', event.data.summary);
        break;
      case 'plan.task_retrying':
        ends('retried', event.data.error.message);
        break;
      case 'plan.task_failed':
        ends('failed', event.data.error.message);
        break;
      case 'plan.task_released':
        ends('released', event.data.reason);
        break;
      case 'plan.question_asked':
        ends('asked', event.data.clarification.question);
        break;
      case 'plan.canceled':
        for (const one of attempts.filter(({ end }) => end === 'running'))
          change(one.task, { end: 'canceled', why: event.data.reason, endedAt: event.at });
        break;
      default:
    }
  }
  return attempts;
}
