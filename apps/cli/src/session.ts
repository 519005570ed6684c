import { exitCodeOf } from '@assay/contracts';
import { AssayError, errorText } from '@assay/foundation';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { errorLines } from './render/error-lines.ts';
import { colours, type Colours } from './render/style.ts';

/** One run of the command line: where it speaks and what it ends with. */
export class Session {
  readonly io: Io;
  /** True when the result goes to stdout as one line of JSON and everything else to stderr. */
  readonly json: boolean;
  exitCode: number = exitCodes.ok;
  #answered = false;

  constructor(io: Io, argv: readonly string[]) {
    this.io = io;
    // "npm run demo --json" swallows the flag and tells it in the environment.
    this.json = argv.includes('--json') || (argv[0] === 'demo' && io.env['npm_config_json'] === 'true');
  }

  /** Colours for a stream: with FORCE_COLOR; else none without a terminal, with NO_COLOR, or in a dumb terminal. */
  colours(stream: 'stdout' | 'stderr'): Colours {
    const { env } = this.io;
    const forced = !['', '0', undefined].includes(env['FORCE_COLOR']);
    const wanted = this.io[stream].isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
    return colours(forced || wanted);
  }

  /** The answer of a command: `text` for people, or `value` as one line of JSON. */
  answer(value: unknown, text: () => string): void {
    this.#answered = true;
    this.io.stdout.write(this.json ? `${JSON.stringify(value)}\n` : ensureNewline(text()));
  }

  /** Something to know beside the answer. */
  note(text: string): void {
    this.io.stderr.write(ensureNewline(text));
  }

  /**
   * Says what failed, why and what to do; gives the exit code. With --json the answer is the error, or what `value`
   * makes of it.
   */
  fail(error: unknown, value?: (error: AssayError) => unknown): number {
    const known = error instanceof AssayError ? error : unexpected(error);
    this.note(errorLines(known, this.colours('stderr')));
    if (this.json && !this.#answered) this.answer(value?.(known) ?? { error: errorValue(known) }, () => '');
    return exitCodeOf(known.code);
  }
}

/** An error as the HTTP interface writes it. */
export function errorValue({ code, message, why, hint, details }: AssayError): {
  code: string;
  message: string;
  why?: string;
  hint?: string;
  details: Record<string, unknown>;
} {
  return {
    code,
    message,
    ...(why === undefined ? {} : { why }),
    ...(hint === undefined ? {} : { hint }),
    details: { ...details },
  };
}

function unexpected(error: unknown): AssayError {
  return new AssayError('internal', 'something went wrong inside Assay', {
    why: errorText(error),
    hint: 'run "assay doctor"; if that finds nothing, this is a fault of the program',
    cause: error,
  });
}

function ensureNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
