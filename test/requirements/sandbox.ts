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
} as const satisfies Record<string, Requirement>;
