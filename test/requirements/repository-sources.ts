import type { Requirement } from '../requirements.ts';

const source = 'spec: repositories and workspaces';
const secrets = 'spec: secrets and data';

export const repositorySourceRequirements = {
  'repository.addresses': {
    says: 'Folders, https, http, ssh and file addresses (also with git+, @REVISION and #subdirectory=) and pypi:NAME==VERSION are told apart; everything else is refused.',
    source,
  },
  'repository.no-passwords-in-addresses': {
    says: 'An address that holds a user name or a password for https is refused before anything is written, without repeating it.',
    source: secrets,
  },
  'repository.remote': {
    says: 'A git repository behind an address is fetched as one commit, named by branch, tag, full or short id, and its commit is recorded.',
    source,
  },
  'repository.subfolder': {
    says: 'A folder of the repository can be measured alone; one that is not there is answered with the nearest names.',
    source,
  },
  'repository.remote-cache': {
    says: 'Fetched commits stay in a cache with a bound, the longest unused go first; without a network it serves only a commit given in full, and says so.',
    source,
  },
  'repository.ssh': {
    says: 'ssh uses the person’s keys and agent, never asks, forwards nothing, and checks the key of the host.',
    source,
  },
  'repository.remote-failures': {
    says: 'Not found, refused, unknown host, certificate, proxy, time-out, empty repository, unknown revision and too large each end in one sentence with what to do.',
    source,
  },
  'repository.package': {
    says: 'pypi:NAME==VERSION is found in the index that pip is configured with; its source distribution (else its pure wheel, said) is checked against the index’s hash and unpacked, and none of its code runs.',
    source,
  },
  'repository.hostile-archive': {
    says: 'An archive makes no links and no devices, writes nothing outside its folder, and has bounds in files, bytes and depth.',
    source: 'spec: security posture',
  },
  'repository.content-missing': {
    says: 'A run that fails because a file is only a Git LFS pointer says which file, and what to do.',
    source,
  },
  'repository.secrets': {
    says: 'A password reaches the git process for its own host only, and stands in no address, argument, environment, configuration, event, log or error.',
    source: secrets,
  },
  'secrets.kept': {
    says: 'Secrets are kept in one file that only its owner may read, are shown without their value, and are refused for another host.',
    source: secrets,
  },
  'secrets.one-store': {
    says: 'Secrets for repositories and for package indexes are kept in one place and by one command, each for one use; the older forms are still read.',
    source: secrets,
  },
  'secrets.nowhere': {
    says: 'While a run uses secrets and after it, their values stand in no file of the home but the one that keeps them, and in no command line or environment of any process.',
    source: secrets,
  },
  'secrets.command-line': {
    says: 'assay secrets set reads the value from standard input, list shows names and hosts, remove forgets.',
    source: 'spec: surfaces',
  },
} as const satisfies Record<string, Requirement>;
