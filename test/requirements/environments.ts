import type { Requirement } from '../requirements.ts';

const source = 'spec: sandbox, dependencies';

export const environmentRequirements = {
  'environments.built': {
    says: 'An environment of packages is built in the sandbox from the person’s own index and works where it is mounted read-only.',
    source,
  },
  'environments.lock': {
    says: 'The lock of an environment names every installed package with version, file and hash, and is not believed when it does not fit what is there.',
    source,
  },
  'environments.cached': {
    says: 'The same dependencies are built once per home and found again with the same hash.',
    source,
  },
  'environments.built-once': { says: 'Two plans that want the same environment at once build it once.', source },
  'environments.failure-is-data': {
    says: 'What the requirements are to blame for is an outcome with the installer’s own words and the refused hosts.',
    source,
  },
  'environments.nothing-left': { says: 'A build that failed or was canceled leaves nothing behind.', source },
  'environments.file-hosts': {
    says: 'The hosts that an index’s pages point to are allowed and named, but never a private one.',
    source,
  },
  'environments.secrets': {
    says: 'A password in pip’s settings is used only when it was kept for that host, and the sandbox never sees it, with TLS neither.',
    source: 'spec: secrets and data',
  },
  'environments.cancel': { says: 'A build that is canceled has ended within five seconds.', source },
  'environments.offline': { says: 'With folders of packages alone there is no network at all.', source },
  'environments.wheels-first': {
    says: 'Source distributions are built in a second step, only when allowed, and the report says so.',
    source,
  },
  'environments.build-confined': {
    says: 'Programs of source distributions see no secret, no home and no other host.',
    source,
  },
  'environments.tree-checked': {
    says: 'Links that lead out and special files make an environment unusable; files that run at each start are named.',
    source,
  },
  'environments.bounds': { says: 'A build is stopped at the bound of its disk.', source },
  'environments.damage': { says: 'A damaged or half environment is never used and is built again.', source },
  'environments.eviction': { says: 'A full cache loses its oldest environments, never those lately used.', source },
  'environments.requirement-lines': {
    says: 'A requirement is one line without options: it cannot name another index, file or folder.',
    source,
  },
  'environments.person-settings': {
    says: 'Where packages come from is read from the person’s pip: its index, folders, constraints, certificates and proxy, and nothing else is reachable.',
    source,
  },
  'environments.doctor': {
    says: 'The doctor says which pip would be used and which hosts and folders it could reach.',
    source: 'spec: sandbox, dependencies',
  },
} as const satisfies Record<string, Requirement>;
