import { adapterRequirements } from './requirements/adapter.ts';
import { badInputRequirements } from './requirements/bad-input.ts';
import { benchRequirements } from './requirements/bench.ts';
import { benchmarkRequirements } from './requirements/benchmark.ts';
import { carryOnRequirements } from './requirements/carry-on.ts';
import { cliRequirements } from './requirements/cli.ts';
import { compareRequirements } from './requirements/compare.ts';
import { crashRequirements } from './requirements/crash.ts';
import { dataRequirements } from './requirements/data.ts';
import { dependencyRequirements } from './requirements/dependencies.ts';
import { engineRequirements } from './requirements/engine.ts';
import { environmentRequirements } from './requirements/environments.ts';
import { evaluationRequirements } from './requirements/evaluation.ts';
import { eventStoreRequirements } from './requirements/event-store.ts';
import { filesRequirements } from './requirements/files.ts';
import { guideRequirements } from './requirements/guide.ts';
import { httpRequirements } from './requirements/http.ts';
import { logRequirements } from './requirements/log.ts';
import { networkRequirements } from './requirements/network.ts';
import { pageRequirements } from './requirements/page.ts';
import { planRequirements } from './requirements/plan.ts';
import { questRequirements } from './requirements/quests.ts';
import { repositoryRequirements } from './requirements/repository.ts';
import { repositorySourceRequirements } from './requirements/repository-sources.ts';
import { sandboxRequirements } from './requirements/sandbox.ts';
import { taskRequirements } from './requirements/tasks.ts';
import { testkitRequirements } from './requirements/testkit.ts';
import { trapRequirements } from './requirements/traps.ts';
import { uploadRequirements } from './requirements/uploads.ts';

/** One promised behaviour. Tests cite its id with `verifies()`. */
export interface Requirement {
  readonly says: string;
  /** Where it was promised: a chapter of the specification, a decision, a field case. */
  readonly source: string;
}

/** Every promise of the project. A gate fails on one that no test cites, and on a cited id that is not here. */
export const requirements = {
  ...adapterRequirements,
  ...badInputRequirements,
  ...benchRequirements,
  ...benchmarkRequirements,
  ...carryOnRequirements,
  ...cliRequirements,
  ...compareRequirements,
  ...crashRequirements,
  ...dataRequirements,
  ...dependencyRequirements,
  ...engineRequirements,
  ...environmentRequirements,
  ...evaluationRequirements,
  ...eventStoreRequirements,
  ...filesRequirements,
  ...guideRequirements,
  ...httpRequirements,
  ...logRequirements,
  ...networkRequirements,
  ...pageRequirements,
  ...planRequirements,
  ...questRequirements,
  ...repositoryRequirements,
  ...repositorySourceRequirements,
  ...sandboxRequirements,
  ...taskRequirements,
  ...testkitRequirements,
  ...trapRequirements,
  ...uploadRequirements,
} as const satisfies Record<string, Requirement>;

export type RequirementId = keyof typeof requirements;
