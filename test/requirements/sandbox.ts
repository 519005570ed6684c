import type { Requirement } from '../requirements.ts';

const source = 'spec: sandbox';

export const sandboxRequirements = {
  'sandbox.exit-code': { says: 'A session reports the exit code of its command.', source },
  'sandbox.signal-name': { says: 'A command that a signal ended is reported with the name of that signal.', source },
  'sandbox.setup-failed-never-ran': {
    says: 'A command that did not start ends as setup_failed and never counts as one that ran and failed.',
    source: 'field case E2',
  },
  'sandbox.timeout': { says: 'The time limit ends a session, and the end says so.', source },
  'sandbox.kill-grace': { says: 'A command that is ended gets TERM and three seconds before KILL.', source },
  'sandbox.cancel-five-seconds': { says: 'A cancelled session is gone within five seconds.', source },
  'sandbox.out-of-memory': {
    says: 'A session in which a process was killed for memory ends as out_of_memory whatever its exit code.',
    source,
  },
  'sandbox.odd-names': { says: 'Arguments, folders and files with any name arrive unchanged.', source },
  'sandbox.environment-cleared': { says: 'Nothing of the starting process’s environment reaches a command.', source },
  'sandbox.refusals-say-why': { says: 'What cannot be enforced is refused with the reason, never ignored.', source },
  'sandbox.network-none': { says: 'A session has no network but its own lo.', source },
  'sandbox.private-tmp': { says: 'Every session has a /tmp of its own and nothing on stdin.', source },
  'sandbox.output-order': { says: 'stdout and stderr are one log in the order of the writes.', source },
  'sandbox.output-separate': { says: 'stdout and stderr are two files when asked.', source },
  'sandbox.output-complete': { says: '200 MB of output arrive without loss.', source },
  'sandbox.output-limit': { says: 'The output limit ends a session, and no more than that is kept.', source },
  'sandbox.output-follow': { says: 'Output can be followed from any offset until the session has ended.', source },
  'sandbox.output-index': { says: 'output.idx samples time and offset at most every 50 ms.', source },
  'sandbox.mount-modes': { says: 'A read-only mount cannot be written, a writable one can.', source },
  'sandbox.masks': { says: 'A masked path appears empty and stays as it is outside.', source },
  'sandbox.mounts-confined': {
    says: 'A mount source must really be inside the allowed folders, or for reading inside the data folders.',
    source,
  },
  'sandbox.concurrent-sessions': { says: 'Sessions of one instance run at the same time without mixing.', source },
  'sandbox.records': { says: 'meta.json and exit.json say what ran and how it ended.', source },
  'sandbox.attestation': { says: 'The boundary in force is attested with a hash that changes with it.', source },
  'sandbox.folder-serves-once': { says: 'A session folder is used for one session only.', source },
  'sandbox.wait-abort': { says: 'Giving up waiting leaves the session running.', source },
  'sandbox.abort-ends': { says: 'Aborting a command’s signal ends its session.', source },
  'sandbox.dispose-ends': { says: 'Closing an instance ends what it runs.', source },
  'sandbox.attach': { says: 'A session is found again as running, ended or lost.', source: 'field case B7' },
  'sandbox.escape-network': {
    says: 'No socket family reaches anything outside a session.',
    source: 'spec: escape suite',
  },
  'sandbox.escape-processes': {
    says: 'No process outside a session is seen, read, signalled or traced, and none inside is without the filter.',
    source: 'spec: escape suite',
  },
  'sandbox.escape-kernel': {
    says: 'Calls that widen the kernel’s surface do not reach it.',
    source: 'spec: escape suite',
  },
  'sandbox.seccomp': { says: 'The system call filter is assembled in code and pinned byte for byte.', source },
  'sandbox.escape-files': {
    says: 'Nothing of the machine, its users or the home is read or written from inside.',
    source: 'spec: escape suite',
  },
  'sandbox.escape-planted-links': {
    says: 'A link planted in a writable mount is never followed on this machine.',
    source: 'spec: escape suite',
  },
  'sandbox.escape-survivors': {
    says: 'No process outlives its session, whatever it left.',
    source: 'field case E13',
  },
  'sandbox.escape-fork-bomb': { says: 'Forks stop at the bound on processes.', source: 'spec: escape suite' },
  'sandbox.escape-disk-bomb': {
    says: 'Writes stop at the disk bound: one file, many files, /tmp and shared memory.',
    source: 'spec: escape suite',
  },
  'sandbox.escape-inherited': {
    says: 'Descriptors and variables of the starting process reach neither host nor sandbox.',
    source: 'spec: escape suite',
  },
  'sandbox.outlives-client': {
    says: 'After SIGKILL of its client a session goes on within its limits.',
    source,
  },
  'sandbox.host-death-is-lost': {
    says: 'When the session host dies its sandboxes die with it and their sessions end lost.',
    source: 'field case B11',
  },
  'sandbox.nothing-left-behind': {
    says: 'No process, control group or socket of a session or host is left behind.',
    source,
  },
  'sandbox.one-host': { says: 'However many clients start at once, a home has one session host.', source },
  'sandbox.host-idle': { says: 'The session host leaves when it has no session and no client.', source },
  'sandbox.host-private': { says: 'Only its own user reaches the session host, in a home with any path.', source },
  'sandbox.every-start-ends': { says: 'Each of 200 starts is a session with an end.', source: 'field case C2' },
  'sandbox.boundary-built': { says: 'The root of a session is built from named parts, exactly as pinned.', source },
  'sandbox.limits-ladder': {
    says: 'Limits come from cgroup v2, cgroup v1, systemd or rlimits, the best that works, and the attestation says which.',
    source,
  },
  'sandbox.unavailable-says-why': {
    says: 'A backend that cannot start says why and names the setting or command that mends it.',
    source: 'field case E1',
  },
  'sandbox.interpreters': {
    says: 'Python of the system, of pyenv and of virtual environments works inside, at the same paths.',
    source,
  },
  'sandbox.interpreter-missing': { says: 'A missing interpreter is named with what to do.', source },
  'sandbox.self-test': { says: 'The quick self-test finds a boundary that holds, and one that does not.', source },
  'sandbox.works-unprivileged': { says: 'The sandbox holds for a user without any privilege.', source },
} as const satisfies Record<string, Requirement>;
