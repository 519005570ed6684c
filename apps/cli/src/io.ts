/** The part of a terminal stream that is used. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** Everything that a command touches of the process it runs in. */
export interface Io {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths of arguments start here. */
  readonly cwd: string;
  /** True when a person can answer questions. */
  readonly interactive: boolean;
  /** Asks for one line on the terminal. Rejects when the input ends. */
  ask(question: string, signal?: AbortSignal): Promise<string>;
  /** Asks without showing what is typed. Rejects when the input ends. */
  askHidden(question: string): Promise<string>;
  /** Standard input to its end. Rejects when it is longer than `maxBytes`. */
  readInput(maxBytes: number): Promise<string>;
  /** Calls `handler` at Ctrl-C and at a polite kill until the returned value is disposed. */
  onInterrupt(handler: () => void): Disposable;
  /** Ends the process now, whatever still runs. */
  exit(code: number): void;
}
