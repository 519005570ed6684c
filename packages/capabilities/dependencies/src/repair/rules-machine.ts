import { subjectOf, type Rule } from './rule.ts';

/** Failures of this machine: no change of the requirements would help. */
export const machineRules: readonly Rule[] = [
  {
    kind: 'out_of_memory',
    where: 'whole',
    pattern: /^\s*MemoryError\b|Cannot allocate memory|virtual memory exhausted|out of memory allocating/m,
  },
  {
    kind: 'build_killed',
    where: 'whole',
    pattern: /exit code: -9|Killed signal terminated program/,
    steps: ['install'],
  },
  {
    kind: 'not_writable',
    pattern: /\[Errno (?:30|13)\] (?:Read-only file system|Permission denied): '([^']*)'/,
    read: subjectOf,
    steps: ['install'],
  },
];
