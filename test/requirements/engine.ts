import type { Requirement } from '../requirements.ts';

export const engineRequirements = {
  'config.environment': {
    says: 'Environment variables override config.yaml; two of them only lower a limit.',
    source: 'spec: formats, environment and locks',
  },
  'config.refused-by-name': {
    says: 'A configuration with an unknown key, a wrong type or a value out of range is refused by its name.',
    source: 'spec: formats, home',
  },
  'benchmark.template-valid': {
    says: 'The benchmark template is a valid plan, and every task type in it has code.',
    source: 'spec: plans, validation',
  },
  'benchmark.formal-run-once': {
    says: 'The formal run is never repeated by itself.',
    source: 'decision 0008',
  },
  'plans.budget-within-limits': {
    says: 'Neither creation nor approval gives a plan more attempts or time than the home allows.',
    source: 'spec: plans, scheduler rule 7',
  },
  'home.private': {
    says: 'A home and its folders are readable by their owner only; the token is 256 random bits in a file of mode 0600.',
    source: 'spec: formats, home',
  },
  'home.not-foreign': {
    says: 'A folder that holds other files is not turned into a home.',
    source: 'field case E15',
  },
  'fsck.history': {
    says: 'fsck finds two executions at once, epochs that do not grow, completions without the lease, and events of unknown plans.',
    source: 'spec: quality, crash anywhere',
  },
  'doctor.what-why-do': {
    says: 'The doctor says of everything that failed what, why and what to do, and of what it could not try that it did not.',
    source: 'spec: quality, bad input',
  },
  'fsck.repair': {
    says: 'fsck --repair moves files without an event to the trash with a list of where they stood, never beside a daemon, and touches nothing that counts.',
    source: 'spec: formats, quest',
  },
  'quests.whole-or-not-at-all': {
    says: 'A quest appears with its repository and journal or not at all; what a crash left half made is removed at the next start.',
    source: 'spec: quality, crash anywhere',
  },
  'quests.broken-does-not-hide': {
    says: 'A quest that cannot be opened is named and does not hide the others.',
    source: 'spec: formats, durability',
  },
} as const satisfies Record<string, Requirement>;
