import type { Requirement } from '../requirements.ts';

export const crashRequirements = {
  'crash.every-event-boundary': {
    says: 'A daemon killed at any event boundary of a benchmark leaves nothing lost, doubled, stuck or orphaned; fsck is clean.',
    source: 'spec: quality, crash anywhere',
  },
  'crash.system-calls': {
    says: 'A daemon killed at a rename, sync or unlink recovers the same way.',
    source: 'spec: quality, crash anywhere',
  },
  'crash.living-task-adopted': {
    says: 'A task whose command lives through the crash keeps its execution and attempt and is not run twice.',
    source: 'spec: plans, scheduler rule 12',
  },
  'plans.cancel-kills': {
    says: 'Canceling a plan ends its process tree within five seconds, also processes that ignore TERM or left their session.',
    source: 'spec: plans, scheduler rule 8',
  },
} as const satisfies Record<string, Requirement>;
