import type { Plan, Task } from '@assay/contracts';
import { formatSeconds } from './numbers.ts';
import { safeText } from './safe-text.ts';
import { statusStyles, type Colours } from './style.ts';
import { fit, padEnd, padStart } from './width.ts';

export interface TaskTableOptions {
  readonly colours: Colours;
  /** Milliseconds since the epoch: running tasks show their time so far. */
  readonly now: number;
  /** Cells of the terminal. */
  readonly columns: number;
}

const STATE_CELLS = 10;
const SECONDS_CELLS = 12;
const MIN_NAME_CELLS = 12;

/** One line per task: icon and state, name, seconds, attempt when it is not the first. */
export function taskTable(plan: Plan, options: TaskTableOptions): string {
  return plan.tasks.map((task) => `${taskLine(shownTask(plan, task), options)}\n`).join('');
}

/** In a plan that does not run, a task that is bound to a run of before waits to be taken over. */
function shownTask({ status }: Plan, task: Task): Task {
  return status === 'pending' && task.status === 'in_progress' ? { ...task, status: 'pending', startedAt: null } : task;
}

export function taskLine(task: Task, { colours, now, columns }: TaskTableOptions): string {
  const { icon, word, colour } = statusStyles[task.status];
  const nameCells = Math.max(MIN_NAME_CELLS, Math.min(40, columns - STATE_CELLS - SECONDS_CELLS - 18));
  const seconds = secondsOf(task, now);
  const cells = [
    colours[colour](`${icon} ${padEnd(word, STATE_CELLS - 2)}`),
    padEnd(fit(safeText(task.name), nameCells), nameCells),
    padStart(seconds === undefined ? '' : formatSeconds(seconds), SECONDS_CELLS),
    task.runCount > 1 ? `attempt ${task.runCount}` : '',
  ];
  return cells.join('  ').trimEnd();
}

/** How long a task ran or runs, undefined while it has not started. */
function secondsOf(task: Task, now: number): number | undefined {
  if (task.startedAt === null) return undefined;
  const end = task.finishedAt === null ? now : Date.parse(task.finishedAt);
  return Math.max(0, end - Date.parse(task.startedAt)) / 1000;
}
