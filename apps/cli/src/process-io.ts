import { createInterface } from 'node:readline/promises';
import type { Io } from './io.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The terminal and environment of this process. */
export function processIo(): Io {
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    ask: async (question, signal) => {
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      try {
        return await lines.question(question, signal === undefined ? {} : { signal });
      } finally {
        lines.close();
      }
    },
    onInterrupt: (handler) => {
      for (const signal of SIGNALS) process.on(signal, handler);
      return {
        [Symbol.dispose]: () => {
          for (const signal of SIGNALS) process.off(signal, handler);
        },
      };
    },
    exit: (code) => process.exit(code),
  };
}
