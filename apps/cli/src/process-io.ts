import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { AssayError } from '@assay/foundation';
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
    askHidden: async (question) => {
      process.stderr.write(question);
      const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
      const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
      try {
        return await lines.question('');
      } finally {
        lines.close();
        process.stderr.write('\n');
      }
    },
    readInput: async (maxBytes) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > maxBytes)
          throw new AssayError('invalid_request', `standard input is longer than ${maxBytes} bytes`, {
            hint: 'give only what is asked for',
          });
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString('utf8');
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
