import { errorText, type Logger } from '@assay/foundation';
import type { AssayEvent } from '@assay/contracts';
import { commitQuest } from '@assay/quest-repo';
import type { QuestHandle } from './quest-handle.ts';

const endings = new Set<AssayEvent['type']>(['plan.completed', 'plan.failed', 'plan.canceled', 'comparison.made']);

/**
 * Commits a quest's files when one of its plans has ended or a comparison was made: records are written and journaled one by one, git follows in
 * batches. A commit that fails is logged and made up by the next one; files and journal are the truth.
 */
export function commitAfterPlans(handle: QuestHandle, logger: Logger): AsyncDisposable {
  let running: Promise<void> = Promise.resolve();
  const subscription = handle.journal.subscribe((event) => {
    if (endings.has(event.type)) running = running.then(() => commit(event));
  });

  async function commit(event: AssayEvent): Promise<void> {
    try {
      const made = await commitQuest({ root: handle.paths.root, message: messageFor(event) });
      if (made !== null)
        await handle.append([
          {
            type: 'git.committed',
            scope: event.scope,
            trace: event.trace,
            span: event.span,
            cause: event.id,
            data: made,
          },
        ]);
    } catch (error) {
      logger.log('warn', 'a quest could not be committed', { quest: handle.quest.id, error: errorText(error) });
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      subscription[Symbol.dispose]();
      await running;
    },
  };
}

function messageFor(event: AssayEvent): string {
  if (event.type === 'comparison.made') return `Comparison ${event.data.comparisonId}`;
  const ended = event.type.slice('plan.'.length);
  return `Plan ${event.scope.plan ?? ''} ${ended}`;
}
