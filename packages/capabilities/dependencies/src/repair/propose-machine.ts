import type { DiagnosisKind } from './diagnosis.ts';
import { orWithout, placeOf, listed, stop, type Proposer } from './proposals.ts';

type Kinds = Extract<
  DiagnosisKind,
  | 'disk_full'
  | 'disk_bound'
  | 'output_too_long'
  | 'out_of_memory'
  | 'not_writable'
  | 'install_timed_out'
  | 'build_killed'
  | 'invalid_line'
  | 'invalid_option'
  | 'file_encoding'
  | 'file_cycle'
  | 'file_missing'
  | 'local_path_missing'
  | 'not_a_project'
  | 'git_needed'
>;

/** The machine and the files: nothing here is mended by choosing other packages. */
export const machineProposals: Readonly<Record<Kinds, Proposer>> = {
  disk_full: ({ diagnosis }) =>
    stop(
      'the disk is full',
      diagnosis.subject ?? `pip said: ${diagnosis.evidence}`,
      'free space on the disk of the home (assay doctor shows how much there is), then retry the task; nothing half installed is used',
      'disk_full',
    ),
  disk_bound: ({ diagnosis }) =>
    stop(
      'the installation needs more disk than it may have',
      diagnosis.subject ?? diagnosis.evidence,
      'raise sandbox.disk_bytes in config.yaml, or name smaller packages, then start the plan again',
      'output_limit',
    ),
  output_too_long: () =>
    stop(
      'the installation printed more than it may',
      'a program of a package prints without end',
      'name a version that has a wheel, so that nothing of it runs while it is installed',
    ),
  out_of_memory: (found) =>
    stop(
      'installing needed more memory than it may have',
      `it ended with: ${found.diagnosis.evidence}`,
      'raise sandbox.memory_bytes in config.yaml, or name versions that have wheels, so that nothing is built',
      'out_of_memory',
    ),
  build_killed: () =>
    stop(
      'a build was killed, most likely because memory ran out',
      'the program that builds a package ended with signal 9',
      'raise sandbox.memory_bytes in config.yaml, or name versions that have wheels, so that nothing is built',
      'out_of_memory',
    ),
  not_writable: ({ diagnosis }) =>
    stop(
      'the environment could not be written',
      `${diagnosis.subject ?? 'a file'} cannot be written: ${diagnosis.evidence}`,
      'check the rights and the file system of the home folder, then retry the task',
    ),
  install_timed_out: () =>
    stop(
      'installing took longer than it may',
      'the command was ended after its time',
      'retry the task; when the index is slow here, name a nearer one in pip’s configuration (pip config set global.index-url …)',
    ),
  invalid_line: ({ diagnosis }) =>
    stop(
      `"${diagnosis.subject}" is not a requirement`,
      'it has not the form name, name==version or name>=version',
      'correct the line in the repository’s requirements and start the plan again',
    ),
  invalid_option: ({ diagnosis }) =>
    stop(
      `pip does not know the option ${diagnosis.subject}`,
      'the requirements file holds an option that this version of pip does not have',
      'remove the option from the requirements file and start the plan again',
    ),
  file_encoding: ({ diagnosis }) =>
    stop(
      'a requirements file is in an encoding that pip cannot read',
      `pip said: ${diagnosis.subject}`,
      'save the file in UTF-8 and start the plan again',
    ),
  file_cycle: () =>
    stop(
      'requirements files include each other in a circle',
      'a -r line leads back to a file that includes it',
      'remove one of the -r lines and start the plan again',
    ),
  file_missing: ({ diagnosis }) =>
    stop(
      `the requirements file ${diagnosis.subject} is missing`,
      'a -r or -c line names it, and the repository does not have it',
      'add the file to the repository, or remove the line',
    ),
  local_path_missing: ({ diagnosis }) =>
    stop(
      `the local package ${diagnosis.subject} is missing`,
      'a requirement names a folder or file that is not in the repository',
      'add it to the repository, or name the package with a version instead',
    ),
  not_a_project: ({ diagnosis }) =>
    stop(
      `${diagnosis.subject} is not a Python project`,
      'it has neither pyproject.toml nor setup.py',
      'add one of them, or remove the line from the requirements',
    ),
  git_needed: (found) =>
    orWithout(found, `it comes from ${found.diagnosis.subject ?? 'git'}, which is not fetched`, () =>
      stop(
        'a package comes from git, and packages are taken from the package index only',
        `${placeOf(listed(found), found.diagnosis.package)} would be fetched from ${found.diagnosis.subject ?? 'git'}`,
        'name a released version of it in the requirements, or copy its code into the repository',
      ),
    ),
};
