import type { Requirement } from '../requirements.ts';

export const testkitRequirements = {
  'testkit.leak-guard': {
    says: 'A process that outlives its test fails the test and is named.',
    source: 'spec: architecture, how it is written',
  },
  'testkit.moving-clock': {
    says: 'Tests move time themselves; sleepers wake in order of their time.',
    source: 'spec: architecture, how it is written',
  },
} as const satisfies Record<string, Requirement>;
