import type { AssayEvent, EventDraft } from '@assay/contracts';
import type { Projection } from '../src/index.ts';

export const QUEST = 'quest_01JD0000000000000000000000';

/** A small event whose text is what a test looks for. */
export function note(text: string): EventDraft {
  return { type: 'quest.opened', data: { notes: [text] } };
}

export function noteOf(event: AssayEvent): string {
  return event.type === 'quest.opened' ? (event.data.notes[0] ?? '') : `(${event.type})`;
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** How many events there were and the text of the last one. */
export interface Tally {
  readonly count: number;
  readonly last: string;
}

export const tally: Projection<Tally> = {
  name: 'tally',
  version: 1,
  initial: () => ({ count: 0, last: '' }),
  reduce: (state, event) => ({ count: state.count + 1, last: noteOf(event) }),
  serialize: (state) => state,
  parse: (stored) => {
    const { count, last } = stored as Tally;
    if (typeof count !== 'number' || typeof last !== 'string') throw new Error('not a tally');
    return { count, last };
  },
};
