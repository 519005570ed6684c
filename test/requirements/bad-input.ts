import type { Requirement } from '../requirements.ts';

export const badInputRequirements = {
  'bad-input.data': {
    says: 'A data file that is empty, has no rows, another encoding, one class, no such column or is no table is refused with what, why and what to do, exit 2.',
    source: 'spec: plans, benchmark harness',
  },
  'bad-input.data-shown': {
    says: 'A data file in a folder that every session sees whole (the system, the interpreter) is refused before anything runs, links followed.',
    source: 'spec: sandbox',
  },
  'bad-input.repository': {
    says: 'A repository that is missing, holds no code, lies behind a URL or has no entry point ends with a clear error.',
    source: 'spec: plans, repositories',
  },
  'bad-input.machine': {
    says: 'A machine without python3 or bubblewrap is told what to install, exit 3.',
    source: 'spec: sandbox',
  },
  'bad-input.home': {
    says: 'A home that is locked, read-only, newer or wrongly configured, or a taken port, stops the start with the reason, exit 3.',
    source: 'spec: formats, environment and locks',
  },
  'bad-input.home-version': {
    says: 'A home of a newer version, or one whose home.json is empty or damaged, is refused by every command with the file and what to do, exit 3, and nothing is written into it.',
    source: 'spec: formats, environment and locks',
  },
  'bad-input.disk-full': {
    says: 'A full disk fails the work by name and leaves a sound home.',
    source: 'spec: quality, crash anywhere',
  },
  'bad-input.disk-full-start': {
    says: 'A daemon that cannot start because the disk of its home is full is told as disk_full, also when it could not write that into its log.',
    source: 'spec: quality, crash anywhere',
  },
  'bad-input.journal-full': {
    says: 'A disk that fills under the journal ends the watching command with disk_full at once; with room the plan goes on to its end.',
    source: 'spec: formats, damage',
  },
  'benchmark.clarification': {
    says: 'When the target is not clear the plan waits with a question; the answer becomes an input.',
    source: 'spec: plans, from text to plan',
  },
} as const satisfies Record<string, Requirement>;
