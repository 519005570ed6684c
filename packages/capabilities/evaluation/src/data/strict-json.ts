import { limits } from './limits.ts';

/** A JSON number as it is written, so that whole numbers beyond 2^53 and `3` versus `3.0` are not lost. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** NaN, Infinity and -Infinity are no JSON, but Python writes them; they are read so that they can be named. */
  get finite(): boolean {
    return Number.isFinite(Number(this.text));
  }

  get isWhole(): boolean {
    return /^-?(0|[1-9]\d*)$/.test(this.text);
  }
}

export type StrictJson = null | boolean | string | JsonNumber | readonly StrictJson[] | ReadonlyMap<string, StrictJson>;

/** Why a text is not strict JSON, with the place in it. */
export class StrictJsonError extends Error {
  override readonly name = 'StrictJsonError';
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NON_FINITE = /-?Infinity|NaN/y;

/**
 * Parses one JSON value and nothing behind it. Stricter than `JSON.parse`: a key that stands twice in one object is
 * refused, as are lone surrogates and nesting deeper than 64. Objects become Maps, so no key is special.
 */
export function parseStrictJson(text: string): StrictJson {
  const parser = new Parser(text);
  const value = parser.value(0);
  parser.end();
  return value;
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): StrictJson {
    if (depth > limits.jsonDepth) throw this.#error(`nested deeper than ${limits.jsonDepth}`);
    this.#blanks();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  end(): void {
    this.#blanks();
    if (this.#at < this.#text.length) throw this.#error('something stands behind the value');
  }

  #object(depth: number): ReadonlyMap<string, StrictJson> {
    const members = new Map<string, StrictJson>();
    this.#at += 1;
    if (this.#skip('}')) return members;
    for (;;) {
      this.#blanks();
      if (this.#text[this.#at] !== '"') throw this.#error('a key in quotes is expected');
      const key = this.#string();
      if (members.has(key)) throw this.#error(`the key ${JSON.stringify(key)} stands twice`);
      if (!this.#skip(':')) throw this.#error('":" is expected');
      members.set(key, this.value(depth + 1));
      if (this.#skip('}')) return members;
      if (!this.#skip(',')) throw this.#error('"," or "}" is expected');
    }
  }

  #array(depth: number): readonly StrictJson[] {
    const items: StrictJson[] = [];
    this.#at += 1;
    if (this.#skip(']')) return items;
    for (;;) {
      items.push(this.value(depth + 1));
      if (this.#skip(']')) return items;
      if (!this.#skip(',')) throw this.#error('"," or "]" is expected');
    }
  }

  #string(): string {
    const from = this.#at + 1;
    let at = from;
    let escaped = false;
    for (; ; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (Number.isNaN(code)) throw this.#error('a text is not closed');
      if (code === 34) break;
      if (code < 32) throw this.#error('a control character stands in a text');
      if (code === 92) {
        escaped = true;
        at += 1;
      }
    }
    this.#at = at + 1;
    return escaped ? this.#unescape(from, at) : this.#text.slice(from, at);
  }

  #unescape(from: number, to: number): string {
    let value: string;
    try {
      value = JSON.parse(this.#text.slice(from - 1, to + 1)) as string;
    } catch {
      throw this.#error('a text holds a bad escape');
    }
    if (/\p{Surrogate}/u.test(value)) throw this.#error('a text holds half a surrogate pair');
    return value;
  }

  #number(): JsonNumber {
    for (const pattern of [NUMBER, NON_FINITE]) {
      pattern.lastIndex = this.#at;
      const match = pattern.exec(this.#text);
      if (match === null) continue;
      this.#at += match[0].length;
      return new JsonNumber(match[0]);
    }
    throw this.#error('a JSON value is expected');
  }

  #word<T extends boolean | null>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#error('a JSON value is expected');
    this.#at += word.length;
    return value;
  }

  #skip(character: string): boolean {
    this.#blanks();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    this.#blanks();
    return true;
  }

  #blanks(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 32 && code !== 9 && code !== 10 && code !== 13) return;
      this.#at += 1;
    }
  }

  #error(message: string): StrictJsonError {
    return new StrictJsonError(message, this.#at);
  }
}

/** Writes a value back as JSON text, numbers as they were written. */
export function strictJsonText(value: StrictJson): string {
  if (value instanceof JsonNumber) return value.text;
  if (value instanceof Map)
    return `{${[...(value as ReadonlyMap<string, StrictJson>)].map(([key, member]) => `${JSON.stringify(key)}:${strictJsonText(member)}`).join(',')}}`;
  if (Array.isArray(value)) return `[${(value as readonly StrictJson[]).map(strictJsonText).join(',')}]`;
  return JSON.stringify(value);
}
