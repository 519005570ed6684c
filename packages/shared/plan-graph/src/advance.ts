import { isoTime } from '@assay/foundation';
import type { AssayEvent, EventDraft, Task } from '@assay/contracts';
import { commandDraft, isRecorded, type Command } from './commands.ts';
import { decide } from './decide.ts';
import { findTask, type PlanState } from './plan-state.ts';
import { reducePlan } from './reduce-plan.ts';
import { startDraft } from './start-draft.ts';

/** Drafts after which an append is made before the rules are asked again. */
const APPEND_LIMIT = 1000;

export interface AdvanceContext {
  /** Milliseconds. */
  readonly now: number;
  readonly slots: number;
  /** Takes what the task needs and names its execution; undefined when it must wait. */
  readonly admit: (task: Task) => string | undefined;
}

export interface Advance {
  /** What to append: the given drafts and everything that the rules make of them. */
  readonly drafts: readonly EventDraft[];
  /** True when the rules have more to say after the append. */
  readonly more: boolean;
}

/**
 * Folds drafts into a state that is thrown away, and asks the rules what follows, so that a result, the tasks that it
 * makes ready and their starts are one append and one sync.
 */
export function advance(state: PlanState, first: readonly EventDraft[], context: AdvanceContext): Advance {
  const drafts = [...first];
  let ahead = foldDrafts(state, first, context.now);
  while (drafts.length < APPEND_LIMIT) {
    const commands = decide(ahead, context.now, context.slots);
    const next = [...recorded(ahead, commands), ...starts(ahead, commands, context)];
    if (next.length === 0) return { drafts, more: false };
    drafts.push(...next);
    ahead = foldDrafts(ahead, next, context.now);
  }
  return { drafts, more: true };
}

function recorded(state: PlanState, commands: readonly Command[]): EventDraft[] {
  return commands.filter(isRecorded).map((command) => commandDraft(state, command));
}

function starts(state: PlanState, commands: readonly Command[], { admit, now }: AdvanceContext): EventDraft[] {
  const drafts: EventDraft[] = [];
  for (const command of commands) {
    if (command.do !== 'start_task') continue;
    const executionId = admit(findTask(state, command.taskId)!);
    if (executionId !== undefined) drafts.push(startDraft(state, command.taskId, { executionId, now }));
  }
  return drafts;
}

/** The state that the drafts would lead to if they were written at `now`. */
function foldDrafts(state: PlanState, drafts: readonly EventDraft[], now: number): PlanState {
  const envelope = { v: 1, seq: 0, id: 'draft', at: isoTime(now), quest: state.head.questId } as const;
  return drafts.reduce((state, draft) => {
    const event: AssayEvent = { trace: state.head.traceId, span: state.head.id, scope: {}, ...draft, ...envelope };
    return reducePlan(state, event);
  }, state);
}
