import type { Requirement } from '../requirements.ts';

export const questRequirements = {
  'quests.git-repository': {
    says: 'A quest is one git repository; runtime state under .assay is never committed.',
    source: 'spec: formats, quest',
  },
  'quests.git-harmless': {
    says: 'Hooks and settings of a quest repository run no program.',
    source: 'spec: repositories',
  },
  'quests.edited-file': {
    says: 'A quest.yaml that was broken by hand is refused with its field and never rewritten.',
    source: 'spec: formats, quest',
  },
  'artifacts.one-file': {
    says: 'A published artifact is exactly one file under its own name; the attempt keeps a pointer.',
    source: 'spec: formats, artifact',
  },
  'artifacts.large-by-hash': {
    says: 'Artifact files over 1 MiB live once, by hash, outside git.',
    source: 'spec: formats, quest',
  },
  'artifacts.own-attempt-only': {
    says: 'Only a regular file of its own attempt directory can become an artifact: no link, no hard link, no folder.',
    source: 'spec: formats, artifact',
  },
  'artifacts.repeatable': {
    says: 'A publication that a crash cut short is completed by publishing again under the same id.',
    source: 'spec: formats, quest',
  },
  'artifacts.no-way-out': {
    says: 'An artifact record whose path leads out of the published places, through a link or to other bytes gives no file.',
    source: 'spec: quality, security',
  },
  'artifacts.kept-copy': {
    says: 'A data set is kept by hash only when the copy has the hash that was profiled.',
    source: 'spec: formats, quest',
  },
  'quests.git-missing': {
    says: 'Without a git command the error says what to install, exit 3; git that finds no space is disk_full.',
    source: 'spec: quests and git',
  },
} as const satisfies Record<string, Requirement>;
