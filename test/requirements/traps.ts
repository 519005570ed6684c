import type { Requirement } from '../requirements.ts';

export const trapRequirements = {
  'traps.false-success-zero': {
    says: 'A run that forges, omits, doubles or hides results, fails quietly or reaches out ends as failed with the right reason.',
    source: 'spec: quality, false success',
  },
  'cheats.labels-out-of-reach': {
    says: 'An adapter that hunts for labels in files, processes, memory, descriptors, sockets, keys, mounts and devices finds none.',
    source: 'spec: plans, trust boundary',
  },
  'cheats.refused': {
    says: 'Output that is ambiguous, of the wrong type, hidden, endless or not a plain file is refused with its reason.',
    source: 'spec: quality, false success',
  },
  'cheats.nothing-gained': {
    says: 'Late children, junk beside the output and files that Python or the shell would run change no number.',
    source: 'spec: quality, false success',
  },
  'cheats.labels-shown-safely': {
    says: 'Labels with markup, terminal controls, references or text that reorders are shown as harmless text in report, table and JSON.',
    source: 'spec: quality, security',
  },
  'cheats.nothing-left': {
    says: 'Runs in a row, also of programs that leave children, leave no process, mount, control group, socket, lock or temporary file.',
    source: 'spec: quality, crash anywhere',
  },
  'traps.changed-from-outside': {
    says: 'A repository, data file or adapter that changes during a run fails it by name.',
    source: 'spec: plans, trust boundary',
  },
  'traps.shipped-results': {
    says: 'Files of an earlier run that a repository ships are not taken for results.',
    source: 'spec: quality, false success',
  },
  'benchmark.data-copies-hidden': {
    says: 'Files of the repository that hold the data set appear empty in every run and are reported.',
    source: 'spec: plans, trust boundary',
  },
  'benchmark.labels-in-entry-point': {
    says: 'A plan whose entry point is defined in a file that holds the data set fails before anything runs, and one whose code needs a hidden file says so.',
    source: 'spec: plans, trust boundary',
  },
} as const satisfies Record<string, Requirement>;
