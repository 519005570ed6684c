import type { Requirement } from '../requirements.ts';

export const taskRequirements = {
  'benchmark.copies-found': {
    says: 'A copy of the data set inside the repository is found by hash or by five sampled rows with their target, in any common text form.',
    source: 'spec: plans, trust boundary',
  },
  'report.no-typed-numbers': {
    says: 'The text of a report holds references instead of measured numbers, and names from data or code cannot become markup.',
    source: 'spec: formats, report',
  },
} as const satisfies Record<string, Requirement>;
