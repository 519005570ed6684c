import { systemClock } from '@assay/foundation';
import { openFileJournal, type Journal } from '../src/index.ts';
import { note, QUEST } from './drafts.ts';

// A process that appends and says on standard output, line by line, what it was told. The tests kill it, or run it under
// strace. Every text is unique, so that a test can see what was lost, kept or doubled.
const [dir, prefix, writers, perWriter] = process.argv.slice(2);
if (dir === undefined) throw new Error('usage: append-child DIR PREFIX WRITERS PER_WRITER');

function say(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}

async function append(journal: Journal, text: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    try {
      const [event] = await journal.append([note(text)]);
      say({ acknowledged: text, seq: event!.seq });
      return;
    } catch (error) {
      say({ failed: text, code: (error as { code?: string }).code });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  say({ gaveUp: text });
}

await using journal = await openFileJournal({ dir, quest: QUEST, clock: systemClock, retryMs: 0 });
say({ opened: journal.lastSeq, problem: journal.problem?.code ?? null });
await Promise.all(
  Array.from({ length: Number(writers) }, async (_, writer) => {
    for (let turn = 0; turn < Number(perWriter); turn++) await append(journal, `${prefix}-${writer}-${turn}`);
  }),
);
say({ done: journal.lastSeq, generation: journal.generation });
