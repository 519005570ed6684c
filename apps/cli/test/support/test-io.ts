import type { Io } from '../../src/index.ts';

export interface TestIo extends Io {
  readonly out: () => string;
  readonly err: () => string;
  /** What Ctrl-C does now. */
  readonly interrupt: () => void;
  readonly exits: number[];
  readonly asked: string[];
}

export interface TestIoOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly tty?: boolean;
  /** Answers of the person at the terminal, in order. */
  readonly answers?: readonly string[];
  /** Standard input. */
  readonly input?: string;
}

/** A terminal in memory. */
export function testIo(options: TestIoOptions = {}): TestIo {
  const { env = {}, cwd = '/work', tty = false, answers = [] } = options;
  const handlers: (() => void)[] = [];
  const left = [...answers];
  const asked: string[] = [];
  const exits: number[] = [];
  let out = '';
  let err = '';
  return {
    stdout: { write: (text) => (out += text), isTTY: tty, columns: 80 },
    stderr: { write: (text) => (err += text), isTTY: tty, columns: 80 },
    env,
    cwd,
    interactive: tty,
    ask: async (question) => {
      asked.push(question);
      return left.shift() ?? '';
    },
    askHidden: async (question) => {
      asked.push(question);
      return left.shift() ?? '';
    },
    readInput: async () => options.input ?? '',
    onInterrupt: (handler) => {
      handlers.push(handler);
      return { [Symbol.dispose]: () => void handlers.splice(handlers.indexOf(handler), 1) };
    },
    exit: (code) => void exits.push(code),
    out: () => out,
    err: () => err,
    interrupt: () => handlers.at(-1)?.(),
    exits,
    asked,
  };
}
