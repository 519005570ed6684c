import type { Requirement } from '../requirements.ts';

export const guideRequirements = {
  'guide.why-says-what-to-do': {
    says: 'Whatever ends a plan or a task, why says in one sentence what happened, why, and what to do.',
    source: 'spec: repositories that nobody prepared, why for every refusal',
  },
  'guide.refusals-say-what-to-do': {
    says: 'A request that is refused before there is a plan says what is wrong and what to do, and leaves no plan.',
    source: 'spec: repositories that nobody prepared, why for every refusal',
  },
} as const satisfies Record<string, Requirement>;
