import type { Requirement } from '../requirements.ts';

const source = 'spec: repositories and workspaces';
const security = 'spec: security posture';

export const repositoryRequirements = {
  'repository.inspects': {
    says: 'A path is told to be a plain folder, a git working tree, a bare repository or a folder inside one, without running anything of it.',
    source,
  },
  'repository.pins-commit': {
    says: 'HEAD, branches, tags and full ids are pinned to the full id of one commit.',
    source,
  },
  'repository.refuses-clearly': {
    says: 'Missing paths, files, addresses, folders without code and unknown names are refused with what was looked at and what to do.',
    source,
  },
  'repository.no-foreign-git': {
    says: 'A .git that leads into another repository, which does not know the folder, is refused.',
    source: security,
  },
  'repository.exports-commit': {
    says: 'A git repository is exported at the recorded commit, without .git, with the folders of the benchmark made beforehand.',
    source,
  },
  'repository.reports-changes': {
    says: 'Uncommitted and untracked files of a working tree are reported and not exported; its index is not touched.',
    source,
  },
  'repository.reports-missing-content': { says: 'LFS pointers and submodules are reported.', source },
  'repository.cache-depth': {
    says: 'A commit is fetched once, without its history, so that no answer can be read from it.',
    source: 'field case A15',
  },
  'repository.copies-safely': {
    says: 'A plain folder is copied without links that leave it, pipes, sockets, devices, .git and a .scholar of its own, all reported.',
    source: security,
  },
  'repository.names-not-utf8': {
    says: 'A file or folder whose name is not UTF-8 is left out of the export and named with its bytes; the benchmark goes on.',
    source: security,
  },
  'repository.leaves-source': { says: 'The person’s folder is never written to.', source: 'field case E5' },
  'repository.bounded': {
    says: 'An export has bounds in files, bytes and time, and leaves nothing behind when it ends early.',
    source,
  },
  'repository.hostile-harmless': {
    says: 'Filters, hooks, monitors, helpers, aliases, nested repositories, crafted trees and the environment run nothing and write nothing outside.',
    source: security,
  },
  'repository.manifest': {
    says: 'The manifest names commit, changes, licence, languages, dependency files, imports from elsewhere, candidate entry points, fingerprint and warnings.',
    source,
  },
  'repository.fingerprint': {
    says: 'The fingerprint covers path, mode and content of every file but .git and .scholar at the top, and nothing else.',
    source: 'spec: benchmark harness',
  },
  'repository.fingerprint-races': {
    says: 'A tree that changes while it is read has no fingerprint: it is an error.',
    source: 'spec: benchmark harness',
  },
} as const satisfies Record<string, Requirement>;
