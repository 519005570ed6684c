import { subjectOf, type Rule } from './rule.ts';

/** Failures of this machine: no change of the requirements would help. */
export const machineRules: readonly Rule[] = [
  { kind: 'disk_full', pattern: /\[Errno 28\][^\n]*|No space left on device/ },
  {
    kind: 'out_of_memory',
    pattern: /^\s*MemoryError\b|Cannot allocate memory|virtual memory exhausted|out of memory allocating/m,
  },
  { kind: 'build_killed', pattern: /exit code: -9|Killed signal terminated program/, steps: ['install'] },
  {
    kind: 'not_writable',
    pattern: /\[Errno (?:30|13)\] (?:Read-only file system|Permission denied): '([^']*)'/,
    read: subjectOf,
    steps: ['install'],
  },
];
