import { errorText, type Logger } from '@assay/foundation';
import type { Scheduler } from '@assay/scheduler';
import type { QuestRegistry } from './quests/quest-registry.ts';

export interface RecoveryOptions {
  readonly quests: QuestRegistry;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** Go on with interrupted plans at once. */
  readonly autoResume: boolean;
}

/** Opens every quest after a start and takes up its plans. A quest that cannot be opened does not stop the others. */
export async function recoverPlans(options: RecoveryOptions): Promise<void> {
  const { quests, broken } = await options.quests.all();
  for (const { id, problem } of broken)
    options.logger.log('error', 'a quest cannot be opened', { quest: id, code: problem.code, why: problem.why });
  for (const { quest } of quests) {
    try {
      const waiting = await options.scheduler.recover(quest.id);
      if (options.autoResume)
        for (const planId of waiting) await options.scheduler.resume(planId, 'auto_resume', 'the daemon started again');
    } catch (error) {
      options.logger.log('error', 'the plans of a quest could not be taken up', {
        quest: quest.id,
        error: errorText(error),
      });
    }
  }
}
