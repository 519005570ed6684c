import { AssayError } from '@assay/foundation';
import type { BadRows } from './bad-rows.ts';
import { BAD_BYTE } from './decode/byte-decoder.ts';
import type { JsonRows } from './json-rows.ts';
import { LineSplitter } from './line-splitter.ts';
import { limits } from './limits.ts';
import { parseStrictJson, StrictJsonError, type StrictJson } from './strict-json.ts';

/** Reads one JSON object per line into rows. Blank lines are skipped and counted. */
export class JsonlReader {
  readonly #rows: JsonRows;
  readonly #lines: LineSplitter;
  readonly #bad: BadRows;
  blankLines = 0;

  constructor(rows: JsonRows, bad: BadRows) {
    this.#rows = rows;
    this.#bad = bad;
    this.#lines = new LineSplitter({ maxBytes: limits.rowBytes, onLine: (line) => this.#line(line), onTooLong });
  }

  write(chunk: Buffer): void {
    this.#lines.write(chunk);
  }

  finish(): void {
    this.#lines.finish();
  }

  #line(line: Buffer): void {
    if (this.#bad.seen && line.includes(BAD_BYTE)) {
      this.#bad.add(this.#rows.rows, this.#lines.line);
      this.#rows.skip();
      return;
    }
    if (this.#rows.addLine(line)) return;
    const text = line.toString('utf8');
    if (text.trim() === '') {
      this.blankLines += 1;
      return;
    }
    const number = this.#lines.line;
    const value = parseLine(text, number);
    if (!(value instanceof Map))
      throw new AssayError('dataset_format', `line ${number} is not a JSON object`, {
        why: 'In JSONL every line is one object, and its keys are the columns.',
        hint: 'Write each row as {"column": value, …} on its own line.',
        details: { line: number, row: this.#rows.rows },
      });
    this.#rows.add(value as ReadonlyMap<string, StrictJson>);
  }
}

function parseLine(text: string, line: number): StrictJson {
  try {
    return parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new AssayError('dataset_format', `line ${line} is not valid JSON`, {
      why: `At character ${error.at + 1}: ${error.message}.`,
      hint: 'Write one complete JSON object per line.',
      details: { line, character: error.at + 1 },
    });
  }
}

function onTooLong(line: number): AssayError {
  return new AssayError('dataset_format', `line ${line} is longer than ${limits.rowBytes / 1024 / 1024} MiB`, {
    why: 'JSONL has one row per line.',
    hint: 'If the file is one JSON array, give it the ending .json.',
    details: { line },
  });
}
