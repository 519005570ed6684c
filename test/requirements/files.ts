import type { Requirement } from '../requirements.ts';

export const filesRequirements = {
  'files.home-lock': {
    says: 'One process has a home at a time; a second one is refused with process, machine and what to do.',
    source: 'spec: formats, environment and locks',
  },
  'files.home-lock-takeover': {
    says: 'The lock of a dead process of the same machine is taken over, also when its process id lives again.',
    source: 'spec: formats, environment and locks',
  },
  'files.home-lock-other-host': {
    says: 'The lock of another machine is refused with its name.',
    source: 'spec: formats, environment and locks',
  },
  'files.remove-hostile-tree': {
    says: 'A tree is removed whole, also when it is deeper than a path can say or holds folders that nobody may enter.',
    source: 'spec: quality, security',
  },
} as const satisfies Record<string, Requirement>;
