export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Structured log of the workbench itself; what users follow are events, not this. */
export interface Logger {
  log(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export const silentLogger: Logger = { log: () => undefined };

/** A logger that writes one JSON line per entry through `write`. */
export function jsonLineLogger(write: (line: string) => void, now: () => number): Logger {
  return {
    log: (level, message, fields) =>
      write(JSON.stringify({ at: new Date(now()).toISOString(), level, message, ...fields })),
  };
}
