import type { Plan, TaskStatus } from '@assay/contracts';
import { createLogUpdate } from 'log-update';
import type { Session } from '../session.ts';
import { taskLine, type TaskTableOptions } from '../render/task-table.ts';
import { safeText } from '../render/safe-text.ts';

/** Shows a plan that runs. */
export interface LiveView extends Disposable {
  show(plan: Plan): void;
  /** A line that stays above the table. */
  note(text: string): void;
}

const REFRESH_MS = 200;
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/** A table that is drawn anew on a terminal, plain lines everywhere else. */
export function openLiveView(session: Session): LiveView {
  return session.io.stderr.isTTY === true && session.io.env['TERM'] !== 'dumb'
    ? new TerminalView(session)
    : new LineView(session);
}

function tableOptions(session: Session): TaskTableOptions {
  return {
    colours: session.colours('stderr'),
    now: Date.now(),
    columns: session.io.stderr.columns ?? DEFAULT_COLUMNS,
  };
}

class TerminalView implements LiveView {
  readonly #session: Session;
  readonly #draw: ReturnType<typeof createLogUpdate>;
  readonly #timer: NodeJS.Timeout;
  #plan: Plan | undefined;

  constructor(session: Session) {
    this.#session = session;
    this.#draw = createLogUpdate(session.io.stderr as NodeJS.WriteStream);
    this.#timer = setInterval(() => this.#refresh(), REFRESH_MS);
    this.#timer.unref();
  }

  show(plan: Plan): void {
    this.#plan = plan;
    this.#refresh();
  }

  note(text: string): void {
    this.#draw.clear();
    this.#session.note(safeText(text));
    this.#refresh();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#refresh();
    this.#draw.done();
  }

  #refresh(): void {
    if (this.#plan === undefined) return;
    const rows = (this.#session.io.stderr.rows ?? DEFAULT_ROWS) - 2;
    this.#draw(liveLines(this.#plan, rows, tableOptions(this.#session)).join('\n'));
  }
}

const RELEVANCE: { readonly [S in TaskStatus]: number } = {
  in_progress: 0,
  failed: 1,
  ready: 2,
  pending: 3,
  blocked: 4,
  canceled: 5,
  completed: 6,
  skipped: 7,
};

/** The lines of the table: all tasks, or what matters most when the terminal is too low. */
export function liveLines(plan: Plan, rows: number, options: TaskTableOptions): string[] {
  const room = Math.max(3, rows);
  if (plan.tasks.length <= room) return plan.tasks.map((task) => taskLine(task, options));
  const kept = new Set([...plan.tasks].sort((a, b) => RELEVANCE[a.status] - RELEVANCE[b.status]).slice(0, room - 1));
  const { total, completed, failed } = plan.counts;
  return [
    ...plan.tasks.filter((task) => kept.has(task)).map((task) => taskLine(task, options)),
    `… ${completed} of ${total} tasks done, ${failed} failed`,
  ];
}

const SAID: ReadonlySet<TaskStatus> = new Set(['in_progress', 'completed', 'failed', 'blocked', 'skipped', 'canceled']);

/** One line whenever a task starts or ends, for logs and pipes. */
class LineView implements LiveView {
  readonly #session: Session;
  readonly #said = new Map<string, string>();

  constructor(session: Session) {
    this.#session = session;
  }

  show(plan: Plan): void {
    const options = tableOptions(this.#session);
    for (const task of plan.tasks) {
      const state = `${task.status} ${task.runCount}`;
      if (this.#said.get(task.id) === state) continue;
      this.#said.set(task.id, state);
      if (SAID.has(task.status)) this.#session.note(taskLine(task, options));
    }
  }

  note(text: string): void {
    this.#session.note(safeText(text));
  }

  [Symbol.dispose](): void {
    this.#said.clear();
  }
}
