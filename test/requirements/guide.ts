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
  'guide.commands-run': {
    says: 'The commands of the guide do what it shows, in the order in which they stand there, in every language.',
    source: 'spec: repositories that nobody prepared, a guide whose commands are run by tests',
  },
  'guide.commands-exist': {
    says: 'Every command, option and link that the documents name exists.',
    source: 'spec: repositories that nobody prepared, a guide whose commands are run by tests',
  },
} as const satisfies Record<string, Requirement>;
