import { AssayError, errorText, isoTime, newId, type Clock } from '@assay/foundation';
import { checkDraft, scopeSchema, EVENT_VERSION, type AssayEvent, type EventDraft } from '@assay/contracts';

export interface DraftContext {
  readonly quest: string;
  readonly clock: Clock;
  /** The sequence number of the first draft. */
  readonly firstSeq: number;
}

const emptyScope = Object.freeze({});

/**
 * Checks every draft and gives it its place. The data of an event is a checked copy, so a caller that changes its
 * draft later changes nothing here. Throws `record_invalid` that names type and field.
 */
export function draftEvents(drafts: readonly EventDraft[], context: DraftContext): AssayEvent[] {
  const at = instantOf(context.clock.now());
  const events: AssayEvent[] = [];
  for (const draft of drafts) events.push(place(draft, context.firstSeq + events.length, { quest: context.quest, at }));
  return events;
}

function place(draft: EventDraft, seq: number, of: { readonly quest: string; readonly at: string }): AssayEvent {
  const { scope, data } = check(draft);
  const trace = draft.trace ?? newId('trace');
  const span = draft.span ?? newId('span');
  const v = EVENT_VERSION;
  const id = newId('event');
  const { type } = draft;
  const { quest, at } = of;
  // Written out: a spread of these members costs more than checking them.
  const event =
    draft.cause === undefined
      ? { v, seq, id, at, type, quest, scope, trace, span, data }
      : { v, seq, id, at, type, quest, scope, trace, span, cause: draft.cause, data };
  return event as AssayEvent;
}

let lastInstant = { ms: Number.NaN, text: '' };

/** Many events share a millisecond, and writing a date is the dearest part of an envelope. */
function instantOf(ms: number): string {
  if (lastInstant.ms !== ms) lastInstant = { ms, text: isoTime(ms) };
  return lastInstant.text;
}

function check(draft: EventDraft): { scope: AssayEvent['scope']; data: unknown } {
  try {
    checkId(draft.trace);
    checkId(draft.span);
    checkId(draft.cause);
    return {
      scope: draft.scope === undefined ? emptyScope : scopeSchema.parse(draft.scope),
      data: checkDraft(draft),
    };
  } catch (error) {
    throw new AssayError('record_invalid', `an event of type ${draft.type as string} does not fit its schema`, {
      why: errorText(error),
      hint: 'nothing was written; this is a fault of the program, please report it',
      details: { type: draft.type },
      cause: error,
    });
  }
}

function checkId(name: string | undefined): void {
  if (name === undefined) return;
  if (typeof name !== 'string' || name.length < 1 || name.length > 128)
    throw new Error('trace, span and cause are ids of 1 to 128 characters');
}
