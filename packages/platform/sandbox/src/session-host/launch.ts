import { closeSync, constants, lstatSync, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '@assay/foundation';
import { bridgeInside, PROXY_SOCKET } from '../bridge.ts';
import { sessionFiles } from '../session-files.ts';
import type { PathCheck, StartRequest } from './protocol.ts';
import { descriptors, type Starter } from './starters.ts';

/** POSIX counts `ulimit -f` in blocks of 512 bytes. */
const BLOCK_BYTES = 512;
const LOG_MODE = 0o600;
const LOG_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Turns a starter into the sandbox of one command, with the log file itself as its stdout and stderr. */
export function launch(
  request: StartRequest,
  starter: Starter,
  host: { readonly seccomp: boolean; readonly networkSocket: string | undefined },
): void {
  for (const check of request.checks) requireUnchanged(check);
  createLog(request.dir, sessionFiles.output);
  if (request.separateStreams) createLog(request.dir, sessionFiles.stderr);
  const { launcher, maxUserProcesses } = starter.group.apply(request);
  // Options go through a pipe: the command line of process 1 would show this machine's paths inside.
  starter.options.end(bubblewrapOptions(request, host).join(''));
  starter.script.end(startScript(request, { launcher, maxUserProcesses }));
}

/**
 * What the waiting shell runs: no core files, the bound of each file and, where nothing better bounds them, of the user's
 * processes (dash names that `-p`, bash `-u`), then it becomes the sandbox. Any failure ends it before that.
 */
export function startScript(
  request: Pick<
    StartRequest,
    'dir' | 'separateStreams' | 'diskBytes' | 'outputLimitBytes' | 'program' | 'argv' | 'egress'
  >,
  limits: { readonly launcher: readonly string[]; readonly maxUserProcesses: number | undefined },
): string {
  const output = quote(join(request.dir, sessionFiles.output));
  const errors = request.separateStreams ? `2>>${quote(join(request.dir, sessionFiles.stderr))}` : '2>&1';
  // The log is a file too: its own bound must come first.
  const blocks = Math.ceil(Math.max(request.diskBytes, 2 * request.outputLimitBytes) / BLOCK_BYTES);
  const processes = limits.maxUserProcesses;
  const command = [
    ...limits.launcher,
    request.program,
    '--args',
    String(descriptors.options),
    '--',
    ...innerCommand(request),
  ];
  return [
    'set -e',
    `exec >>${output} ${errors}`,
    'ulimit -c 0',
    `ulimit -f ${blocks}`,
    ...(processes === undefined ? [] : [`ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes}`]),
    // The script itself comes from stdin, so that stdin is changed by the last command only.
    `exec ${command.map(quote).join(' ')} </dev/null`,
    '',
  ].join('\n');
}

/** With a way out, the bridge is started first and becomes the command. Isolated: no file of the session's runs in it. */
function innerCommand({ argv, egress }: Pick<StartRequest, 'argv' | 'egress'>): readonly string[] {
  return egress === undefined ? argv : [egress.interpreter, '-I', '-S', '-B', bridgeInside.program, ...argv];
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** As `--args` takes them: each ended by a zero byte. */
function bubblewrapOptions(request: StartRequest, host: Parameters<typeof launch>[2]): string[] {
  const { networkSocket } = host;
  const options = [
    ...request.boundary.map((option) =>
      option === PROXY_SOCKET && networkSocket !== undefined ? networkSocket : option,
    ),
    ...Object.entries(request.env).flatMap(([name, value]) => ['--setenv', name, value]),
    '--chdir',
    request.cwd,
    '--json-status-fd',
    String(descriptors.status),
    ...(host.seccomp ? ['--seccomp', String(descriptors.seccomp)] : []),
  ];
  return options.map((option) => `${option}\0`);
}

function createLog(dir: string, name: string): void {
  try {
    closeSync(openSync(join(dir, name), LOG_FLAGS, LOG_MODE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new AssayError('conflict', 'a session was already started in this folder', {
      why: `${join(dir, name)} exists`,
      hint: 'retry the task; it gets a folder of its own',
    });
  }
}

/** Between the check of the specification and now, a path may have been swapped for a link out of the allowed folders. */
function requireUnchanged(check: PathCheck): void {
  let kind: PathCheck['kind'] | 'something else' = 'something else';
  let real: string | undefined;
  try {
    const stat = lstatSync(check.path);
    kind = stat.isDirectory() ? 'folder' : stat.isFile() ? 'file' : kind;
    real = realpathSync(check.path);
  } catch {
    // Named below.
  }
  if (real === check.path && kind === check.kind) return;
  throw new AssayError('sandbox_refused', `${check.path} is no longer the ${check.kind} that was allowed`, {
    why: real === undefined ? 'it is gone' : `it now leads to ${real} (${kind})`,
    hint: 'retry the task, and let nothing change these folders while it runs',
  });
}
