import { isoTime } from '@assay/foundation';
import type { Status } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';

export function status(deps: EngineDeps): Status {
  const plans = deps.scheduler.list();
  return {
    version: deps.version,
    pid: process.pid,
    startedAt: isoTime(deps.startedAt),
    home: deps.home.root,
    quests: new Set(plans.map((plan) => plan.questId)).size,
    plansRunning: plans.filter((plan) => plan.status === 'in_progress').length,
  };
}
