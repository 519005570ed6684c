import { readFile, writeFile } from 'node:fs/promises';
import { systemClock } from '@assay/foundation';
import { openFileJournal, type FileJournalOptions, type Journal } from '../src/index.ts';
import { note, QUEST } from './drafts.ts';

type Extra = Partial<Omit<FileJournalOptions, 'dir' | 'quest'>>;

export function open(dir: string, extra: Extra = {}): Promise<Journal> {
  return openFileJournal({ dir, quest: QUEST, clock: systemClock, retryMs: 0, ...extra });
}

/** A closed journal with one event per text, each appended alone. */
export async function written(dir: string, texts: readonly string[], extra: Extra = {}): Promise<void> {
  await using journal = await open(dir, extra);
  for (const text of texts) await journal.append([note(text)]);
}

export function segment(dir: string, first = 1): string {
  return `${dir}/events/${first}.jsonl`;
}

/** Rewrites the lines of a segment. */
export async function editLines(file: string, edit: (lines: string[]) => string[]): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  const edited = edit(lines);
  await writeFile(file, edited.map((line) => `${line}\n`).join(''));
}

/** A line as another program may write it: without a checksum. */
export function plainLine(seq: number, text: string, extra: Record<string, unknown> = {}): string {
  const id = `event_${String(seq).padStart(26, '0')}`;
  return JSON.stringify({
    v: 1,
    seq,
    id,
    at: '2026-01-01T00:00:00.000Z',
    type: 'quest.opened',
    quest: QUEST,
    scope: {},
    trace: 'trace_1',
    span: 'span_1',
    data: { notes: [text] },
    ...extra,
  });
}
