import { deferred, throwIfAborted } from '@assay/foundation';
import type { AssayEvent, Plan } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import type { Caller } from '../engine.ts';

/** Changes are gathered this long: a list needs no more than four pictures a second. */
const GATHER_MS = 250;

/** Log lines change nothing that a list shows. */
const QUIET = new Set<AssayEvent['type']>(['plan.task_log']);

/** All plans of the caller, then those that changed. Holds one entry per changed plan, however slow the reader. */
export async function* followPlans(
  deps: EngineDeps,
  caller: Caller,
  signal: AbortSignal,
): AsyncGenerator<readonly Plan[]> {
  const changed = new Set<string>();
  let wake = deferred();
  using _events = deps.quests.subscribe((event) => {
    if (event.scope.plan === undefined || QUIET.has(event.type)) return;
    changed.add(event.scope.plan);
    wake.resolve();
  });
  const aborted = () => wake.resolve();
  signal.addEventListener('abort', aborted);
  try {
    await deps.recovered;
    yield deps.scheduler.list().filter((plan) => plan.ownerId === caller.ownerId);
    for (;;) {
      await wake.promise;
      if (signal.aborted) return;
      await deps.clock.sleep(GATHER_MS, signal).catch(() => undefined);
      throwIfAborted(signal);
      wake = deferred();
      const plans = deps.scheduler.list().filter((plan) => changed.has(plan.id) && plan.ownerId === caller.ownerId);
      changed.clear();
      if (plans.length > 0) yield plans;
    }
  } finally {
    signal.removeEventListener('abort', aborted);
  }
}
