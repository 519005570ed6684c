import { spawn, type ChildProcessWithoutNullStreams, type StdioOptions } from 'node:child_process';
import { AssayError } from '@assay/foundation';

export interface ProcessResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly timedOut: boolean;
}

export interface ProcessOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Bytes of standard output that are accepted; more ends the process with an error. */
  readonly stdoutLimit?: number;
  readonly input?: string | Buffer;
  /** A file that the command and its children find as descriptor 3. */
  readonly descriptor3?: number | undefined;
  /** Receives standard error as it comes, cut at line ends and carriage returns; a longer line is cut. */
  readonly onStderrLine?: (line: string) => void;
}

const STDERR_LIMIT = 64 * 1024;

/**
 * Runs one command in a process group of its own, so that a time-out or an abort ends its children too.
 * Rejects with the spawn error, the abort reason, or an error when the output passes its limit.
 */
export function runProcess(command: string, args: readonly string[], options: ProcessOptions): Promise<ProcessResult> {
  options.signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const { descriptor3 } = options;
    const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', ...(descriptor3 === undefined ? [] : [descriptor3])];
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...options.env },
      detached: true,
      stdio,
    }) as ChildProcessWithoutNullStreams;
    const stdout = new Collector(options.stdoutLimit ?? 64 * 1024 * 1024);
    const stderr = new Collector(STDERR_LIMIT);
    const lines = options.onStderrLine === undefined ? undefined : lineCutter(options.onStderrLine);
    let timedOut = false;
    let failure: unknown;
    const stop = (reason?: unknown) => {
      failure ??= reason;
      killGroup(child.pid);
    };
    const timer = setTimeout(() => {
      timedOut = true;
      stop();
    }, options.timeoutMs);
    const onAbort = () => stop(options.signal.reason);
    options.signal.addEventListener('abort', onAbort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      if (!stdout.add(chunk)) stop(tooMuch(command, stdout.limit));
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr.add(chunk);
      lines?.(chunk);
    });
    child.stdin.on('error', () => undefined); // the child may end before it has read its input
    child.stdin.end(options.input);
    const finish = () => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', onAbort);
    };
    child.on('error', (error) => {
      finish();
      reject(error);
    });
    child.on('close', (exitCode) => {
      finish();
      killGroup(child.pid); // what the command left behind
      if (failure !== undefined) reject(failure instanceof Error ? failure : new Error('aborted'));
      else resolve({ exitCode, stdout: stdout.bytes(), stderr: stderr.bytes().toString('utf8'), timedOut });
    });
  });
}

function tooMuch(command: string, limit: number): AssayError {
  return new AssayError('repository_too_large', `${command} lists more than can be read`, {
    why: `its answer is longer than ${Math.round(limit / 1024 / 1024)} MiB: far too many files, folders, branches or tags`,
    hint: 'give the subfolder that holds the code, or a plain copy of it',
  });
}

const LINE_LIMIT = 500;

function lineCutter(onLine: (line: string) => void): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    const parts = `${rest}${chunk.toString('utf8')}`.split(/[\r\n]+/);
    rest = (parts.pop() ?? '').slice(0, LINE_LIMIT);
    for (const part of parts) if (part.trim() !== '') onLine(part.trim().slice(0, LINE_LIMIT));
  };
}

/** Keeps the first `limit` bytes; `add` says false once there were more. */
class Collector {
  readonly limit: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  add(chunk: Buffer): boolean {
    const room = this.limit - this.#size;
    if (room > 0) this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#size += chunk.length;
    return this.#size <= this.limit;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // the group is gone already
  }
}
