import type { Requirement } from '../requirements.ts';

export const benchRequirements = {
  'bench.page': {
    says: 'The page of benchmarks shows the newest figure of each row beside each of its peers, and names what was missed.',
    source: 'spec: quality, benchmarks',
  },
} as const satisfies Record<string, Requirement>;
