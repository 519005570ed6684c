import { appendFileSync, renameSync, statSync } from 'node:fs';
import { errorCode, jsonLineLogger, type Clock, type Logger } from '@assay/foundation';

export interface LogFileOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Also writes `debug` lines, such as one per request. */
  readonly debug: boolean;
  /** Receives the lines that the file does not take. */
  readonly fallback: (line: string) => void;
  /** Bytes at which a new file is begun. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 8 * 1024 * 1024;
/** Older files beside the current one: `daemon.jsonl.1` is the newest of them. */
const OLDER_FILES = 2;

/**
 * The daemon's own log: one JSON line per entry in at most three files of 8 MB. A log that cannot be written stops
 * nothing; its lines go to `fallback`.
 */
export function logFile(options: LogFileOptions): Logger {
  const { path, clock, debug, fallback, maxBytes = MAX_BYTES } = options;
  let size: number | undefined;
  const lines = jsonLineLogger(
    (line) => {
      const bytes = Buffer.byteLength(line) + 1;
      try {
        size ??= statSync(path, { throwIfNoEntry: false })?.size ?? 0;
        if (size > 0 && size + bytes > maxBytes) {
          rotate(path);
          size = 0;
        }
        appendFileSync(path, `${line}\n`, { mode: 0o600 });
        size += bytes;
      } catch {
        size = undefined; // what the file holds is asked anew
        fallback(line);
      }
    },
    () => clock.now(),
  );
  return { log: (level, ...entry) => (level === 'debug' && !debug ? undefined : lines.log(level, ...entry)) };
}

/** The oldest file is overwritten, the current one becomes `.1`. */
function rotate(path: string): void {
  for (let age = OLDER_FILES; age > 0; age -= 1)
    try {
      renameSync(age === 1 ? path : `${path}.${age - 1}`, `${path}.${age}`);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error; // there are not that many yet
    }
}
