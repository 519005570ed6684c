import { Tokenizer, TokenType } from '@streamparser/json';
import { AssayError } from '@assay/foundation';
import type { JsonRows } from './json-rows.ts';
import { limits } from './limits.ts';
import { ObjectScan } from './object-scan.ts';
import { JsonNumber, type StrictJson } from './strict-json.ts';

/** Keys of a top-level object under which the array of rows is looked for. */
export const rowKeys = ['data', 'records', 'items', 'examples'] as const;

const OPEN_ARRAY = 91;
const OPEN_OBJECT = 123;
const COMMA = 44;
const noBytes = Buffer.alloc(0);

function isBlank(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

/** Keeps each number's text, because `Number` loses digits beyond 2^53. */
class ExactTokenizer extends Tokenizer {
  numberText = '';

  protected override parseNumber(text: string): number {
    this.numberText = text;
    const value = Number(text);
    if (Number.isNaN(value)) throw new Error(`not a number: ${text.slice(0, 40)}`);
    return value;
  }
}

interface Container {
  readonly kind: 'object' | 'array';
  /** `rows` = the array whose items are the table; `row` = inside one of them; `outside` = everything else. */
  readonly place: 'rows' | 'row' | 'outside';
  /** Members or items, kept only inside a row. */
  readonly members: Map<string, StrictJson> | undefined;
  readonly items: StrictJson[] | undefined;
  readonly keys: Set<string> | undefined;
  key: string;
  /** What the grammar allows next. */
  next: 'firstKey' | 'key' | 'colon' | 'value' | 'firstItem' | 'item' | 'comma';
}

/**
 * Reads a JSON document that is an array of objects, or an object that holds one under `data`, `records`, `items` or
 * `examples`. Rows that are plain objects are read as ranges of bytes, as lines of JSON lines are; everything else comes as
 * tokens from a streaming tokenizer. One row at a time is in memory, whatever the size of the file.
 */
export class JsonReader {
  readonly #rows: JsonRows;
  readonly #tokenizer = new ExactTokenizer();
  #stack: Container[] = [];
  #done = false;
  #found = false;
  #sinceToken = 0;
  /** The beginning of a row whose end is not there yet. */
  #held: Buffer = noBytes;
  readonly #scan = new ObjectScan();
  #failure: AssayError | undefined;

  constructor(rows: JsonRows) {
    this.#rows = rows;
    this.#tokenizer.onToken = ({ token, value }) => this.#token(token, value);
    this.#tokenizer.onError = (error) => {
      this.#failure ??= error instanceof AssayError ? error : this.#malformed(plain(error.message));
    };
  }

  write(chunk: Buffer): void {
    let bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = noBytes;
    while (bytes.length > 0) {
      const rows = this.#stack.at(-1);
      if (rows?.place === 'rows') bytes = this.#items(bytes, rows);
      else {
        // The array of rows begins behind a bracket; once it was read there is no other.
        const bracket = this.#found ? -1 : bytes.indexOf(OPEN_ARRAY);
        const end = bracket === -1 ? bytes.length : bracket + 1;
        this.#tokens(bytes.subarray(0, end));
        bytes = bytes.subarray(end);
      }
    }
  }

  /** Reads whole rows; gives back what is left for the tokens, or nothing after it was held for the next chunk. */
  #items(bytes: Buffer, rows: Container): Buffer {
    for (let at = 0; at < bytes.length;) {
      const byte = bytes[at]!;
      if (isBlank(byte)) at += 1;
      else if (byte === COMMA && rows.next === 'comma') {
        rows.next = 'item';
        at += 1;
      } else if (byte === OPEN_OBJECT && rows.next !== 'comma') {
        const end = this.#scan.endOf(bytes, at);
        if (end === -1) return this.#hold(bytes.subarray(at));
        const row = bytes.subarray(at, end);
        if (this.#rows.addLine(row)) rows.next = 'comma';
        else this.#tokens(row);
        at = end;
      } else {
        this.#tokens(bytes.subarray(at));
        return noBytes;
      }
    }
    return noBytes;
  }

  #hold(part: Buffer): Buffer {
    if (part.length > limits.rowBytes) throw this.#malformed('one row is longer than 16 MiB');
    this.#held = Buffer.from(part); // the chunk is used again
    return noBytes;
  }

  #tokens(bytes: Buffer): void {
    this.#sinceToken += bytes.length;
    this.#tokenizer.write(bytes);
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#sinceToken > limits.rowBytes + bytes.length) throw this.#malformed('one value is longer than 16 MiB');
  }

  finish(): void {
    const rest = this.#held;
    this.#held = noBytes;
    if (rest.length > 0) this.#tokens(rest);
    if (this.#failure === undefined && !this.#tokenizer.isEnded) this.#tokenizer.end();
    if (this.#failure !== undefined) throw this.#failure;
    if (!this.#done) throw this.#malformed('the file ends in the middle of the document');
    if (!this.#found) throw noRows();
  }

  #token(token: TokenType, value: unknown): void {
    this.#sinceToken = 0;
    switch (token) {
      case TokenType.LEFT_BRACE:
        this.#open('object');
        break;
      case TokenType.LEFT_BRACKET:
        this.#open('array');
        break;
      case TokenType.RIGHT_BRACE:
        this.#close('object');
        break;
      case TokenType.RIGHT_BRACKET:
        this.#close('array');
        break;
      case TokenType.COLON:
        this.#step('colon', 'value');
        break;
      case TokenType.COMMA:
        this.#comma();
        break;
      case TokenType.STRING:
        this.#string(String(value));
        break;
      case TokenType.NUMBER:
        this.#scalar(new JsonNumber(this.#tokenizer.numberText));
        break;
      case TokenType.TRUE:
      case TokenType.FALSE:
        this.#scalar(token === TokenType.TRUE);
        break;
      case TokenType.NULL:
        this.#scalar(null);
        break;
      case TokenType.SEPARATOR:
        throw this.#malformed('something stands behind the document');
    }
  }

  #open(kind: Container['kind']): void {
    if (this.#stack.length > limits.jsonDepth) throw this.#malformed(`nested deeper than ${limits.jsonDepth}`);
    const parent = this.#stack.at(-1);
    this.#expectValue(parent);
    const place = this.#placeOf(kind, parent);
    const keep = place === 'row';
    this.#stack.push({
      kind,
      place,
      members: keep && kind === 'object' ? new Map() : undefined,
      items: keep && kind === 'array' ? [] : undefined,
      keys: !keep && kind === 'object' ? new Set() : undefined,
      key: '',
      next: kind === 'object' ? 'firstKey' : 'firstItem',
    });
  }

  #placeOf(kind: Container['kind'], parent: Container | undefined): Container['place'] {
    if (parent?.place === 'row') return 'row';
    if (parent?.place === 'rows') {
      if (kind === 'object') return 'row';
      throw this.#notAnObject();
    }
    const named = parent?.kind === 'object' && (rowKeys as readonly string[]).includes(parent.key);
    if (kind !== 'array' || !(this.#stack.length === 0 || (this.#stack.length === 1 && named))) return 'outside';
    if (this.#found)
      throw this.#malformed(`more than one array of rows stands in it (${rowKeys.join(', ')}): leave only one`);
    this.#found = true;
    return 'rows';
  }

  #close(kind: Container['kind']): void {
    const container = this.#stack.pop();
    const empty = kind === 'object' ? 'firstKey' : 'firstItem';
    if (container?.kind !== kind || (container.next !== 'comma' && container.next !== empty))
      throw this.#malformed('a bracket closes in the wrong place');
    const parent = this.#stack.at(-1);
    if (parent === undefined) this.#done = true;
    else parent.next = 'comma';
    if (container.place !== 'row') return;
    if (parent?.place === 'rows') this.#rows.add(container.members!);
    else this.#keep(parent!, container.members ?? container.items!);
  }

  #scalar(value: StrictJson): void {
    const parent = this.#stack.at(-1);
    this.#expectValue(parent);
    if (parent === undefined) {
      this.#done = true;
      return;
    }
    if (parent.place === 'rows') throw this.#notAnObject();
    if (parent.place === 'row') this.#keep(parent, value);
    parent.next = 'comma';
  }

  #keep(parent: Container, value: StrictJson): void {
    if (parent.items !== undefined) parent.items.push(value);
    else parent.members!.set(parent.key, value);
  }

  #string(value: string): void {
    const parent = this.#stack.at(-1);
    if (parent?.next !== 'firstKey' && parent?.next !== 'key') {
      this.#scalar(value);
      return;
    }
    if (parent.members?.has(value) === true || parent.keys?.has(value) === true)
      throw this.#malformed(`the key ${JSON.stringify(value)} stands twice in one object`);
    if ((parent.keys?.size ?? 0) > limits.columns) throw this.#malformed('an object has too many keys');
    parent.keys?.add(value);
    parent.key = value;
    parent.next = 'colon';
  }

  #comma(): void {
    const container = this.#stack.at(-1);
    this.#step('comma', container?.kind === 'object' ? 'key' : 'item');
  }

  #step(from: Container['next'], to: Container['next']): void {
    const container = this.#stack.at(-1);
    if (container?.next !== from) throw this.#malformed('a comma or colon stands in the wrong place');
    container.next = to;
  }

  #expectValue(parent: Container | undefined): void {
    const allowed =
      parent === undefined
        ? !this.#done
        : parent.next === 'value' || parent.next === 'item' || parent.next === 'firstItem';
    if (!allowed) throw this.#malformed('a value stands in the wrong place');
  }

  #notAnObject(): AssayError {
    return new AssayError('dataset_format', `item ${this.#rows.rows} of the array is not an object`, {
      why: 'Every row must be an object whose keys are the columns.',
      hint: 'Write the rows as [{"column": value, …}, …].',
      details: { row: this.#rows.rows },
    });
  }

  #malformed(why: string): AssayError {
    return new AssayError('dataset_format', 'the file is not valid JSON that holds a table', {
      why: `Near row ${this.#rows.rows}: ${why}.`,
      hint: 'Write the rows as one array of objects, or as JSONL with one object per line.',
      details: { row: this.#rows.rows },
    });
  }
}

function noRows(): AssayError {
  return new AssayError('dataset_format', 'the JSON document holds no array of rows', {
    why: `It is neither an array nor an object with an array under ${rowKeys.join(', ')}.`,
    hint: 'Write the rows as one array of objects.',
  });
}

function plain(message: string): string {
  return message.replace(/\s+/g, ' ').replace(/\.$/, '').slice(0, 200);
}
