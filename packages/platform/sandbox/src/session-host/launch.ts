import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, constants, lstatSync, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { AssayError } from '@assay/foundation';
import type { LimitGroup } from '../limits/limiter.ts';
import { sessionFiles } from '../session-files.ts';
import type { PathCheck, StartRequest } from './protocol.ts';

/** POSIX counts `ulimit -f` in blocks of 512 bytes. */
const BLOCK_BYTES = 512;
const LOG_MODE = 0o600;
const LOG_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND | constants.O_NOFOLLOW;

/**
 * Runs before the sandbox, in the process that becomes it: no core files, bound of each file (blocks, $1) and of the
 * user's processes ($2, 0 for none), then into the control groups ($3 of them), then the sandbox. Any failure ends it
 * before anything has started. dash names RLIMIT_NPROC `-p`, bash `-u`.
 */
const PROLOGUE = `set -e
ulimit -c 0
ulimit -f "$1"
if [ "$2" != 0 ]; then (ulimit -u "$2") 2>/dev/null && ulimit -u "$2" || ulimit -p "$2"; fi
groups=$3
shift 3
while [ "$groups" -gt 0 ]; do echo 0 > "$1"; shift; groups=$((groups - 1)); done
exec "$@"`;

export interface Launched {
  readonly process: ChildProcess;
  /** What the backend says on its status descriptor. */
  readonly status: Readable;
}

/** Starts the backend with the log file itself as the command's stdout and stderr. */
export function launch(request: StartRequest, group: LimitGroup, seccompFile: string | undefined): Launched {
  for (const check of request.checks) requireUnchanged(check);
  const opened: number[] = [];
  const open = (path: string, flags: number, mode?: number) => {
    const fd = openSync(path, flags, mode);
    opened.push(fd);
    return fd;
  };
  try {
    const stdin = open('/dev/null', constants.O_RDONLY);
    const stdout = openLog(request.dir, sessionFiles.output, open);
    const stderr = request.separateStreams ? openLog(request.dir, sessionFiles.stderr, open) : stdout;
    const seccomp = seccompFile === undefined ? [] : [open(seccompFile, constants.O_RDONLY)];
    const [program, ...args] = commandLine(request, group);
    const child = spawn(program!, args, {
      stdio: [stdin, stdout, stderr, 'pipe', 'pipe', ...seccomp],
      // Process 1 of the sandbox shows its environment to everybody inside.
      env: {},
      cwd: '/',
    });
    sendOptions(child.stdio[4] as Writable, request, seccompFile !== undefined);
    return { process: child, status: child.stdio[3] as Readable };
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

function commandLine(request: StartRequest, group: LimitGroup): string[] {
  // The log is a file too: its own bound must come first.
  const fileBlocks = Math.ceil(Math.max(request.diskBytes, 2 * request.outputLimitBytes) / BLOCK_BYTES);
  return [
    '/bin/sh',
    '-c',
    PROLOGUE,
    'sh',
    String(fileBlocks),
    String(group.maxUserProcesses ?? 0),
    String(group.joinFiles.length),
    ...group.joinFiles,
    ...group.launcher,
    request.program,
    '--args',
    '4',
    '--',
    ...request.argv,
  ];
}

/** Options go through a pipe: the command line of process 1 would show this machine's paths inside. */
function sendOptions(pipe: Writable, request: StartRequest, seccomp: boolean): void {
  const options = [
    ...request.boundary,
    ...Object.entries(request.env).flatMap(([name, value]) => ['--setenv', name, value]),
    '--chdir',
    request.cwd,
    '--json-status-fd',
    '3',
    ...(seccomp ? ['--seccomp', '5'] : []),
  ];
  // A backend that dies before it has read everything is seen by its exit.
  pipe.on('error', () => undefined);
  pipe.end(options.map((option) => `${option}\0`).join(''));
}

function openLog(dir: string, name: string, open: (path: string, flags: number, mode: number) => number): number {
  try {
    return open(join(dir, name), LOG_FLAGS, LOG_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new AssayError('conflict', 'a session was already started in this folder', {
      why: `${join(dir, name)} exists`,
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
  });
}
