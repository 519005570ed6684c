/** A word of a text, or the value of a number however it is written: 5.10, +5.1 and 51e-1 are the same token. */
export type Token = string | number;

/** Hears of the tokens of a text one by one, and of the places where a line ends. */
export interface TokenListener {
  token(token: Token): void;
  /** The same token as one number: see `symbolOf`. */
  symbol?(value: number): void;
  lineEnd?(): void;
  /** The text itself, piece by piece, without escapes. */
  text?(piece: string): void;
}

export interface Tokenizer {
  push(text: string): void;
  /** Gives what is left. Nothing may be pushed after it. */
  end(): void;
}

/** Longer words are cut here: what follows could not tell rows apart, and binary files must not fill the memory. */
const LONGEST_TOKEN = 256;
/** `\uXXXX` may be cut by the end of a piece of text; shorter escapes too. */
const LONGEST_ESCAPE = 6;

/** One for every UTF-16 unit that parts words: quotes, brackets, commas, colons and so on, and white space. */
const separates = new Uint8Array(1 << 16);
for (let code = 0; code <= 0x20; code++) separates[code] = 1;
for (const mark of '"\'`()[]{}<>,;:=|\\\u007f\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff\ufffd')
  separates[mark.charCodeAt(0)] = 1;
for (let code = 0x2000; code <= 0x200b; code++) separates[code] = 1;

const NEW_LINE = 10;

/** What an unwanted word comes as: no token of a text is empty. */
export const UNWANTED: Token = '';

/**
 * Cuts a text that arrives in pieces into tokens. Escapes of source text count as what they stand for: `\n` ends a line,
 * `\r` and `\t` part words, `\uXXXX` is its character. With a list of wanted tokens, most other words come as `UNWANTED`, which
 * saves making them.
 */
export function createTokenizer(listener: TokenListener, wanted?: readonly Token[] | Signatures): Tokenizer {
  const mayBeWanted = wanted === undefined || wanted instanceof Uint8Array ? wanted : signaturesOf(wanted);
  let heldEscape = '';
  let begun = '';

  function give(text: string, start: number, end: number): void {
    const first = text.charCodeAt(start);
    if (isNumeric(first)) {
      const value = plainDecimal(text, start, end);
      const token = Number.isNaN(value) ? numericToken(text.slice(start, end)) : value;
      listener.token(token);
      listener.symbol?.(typeof token === 'number' ? token : wordSymbol(text, start, end));
      return;
    }
    if (mayBeWanted?.[signature(end - start, first, text.charCodeAt(end - 1))] === 0) listener.token(UNWANTED);
    else listener.token(text.slice(start, end));
    listener.symbol?.(wordSymbol(text, start, end));
  }

  function scan(piece: string): void {
    listener.text?.(piece);
    const text = begun === '' ? piece : begun + piece;
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (separates[code] === 0) continue;
      if (at > start) give(text, start, Math.min(at, start + LONGEST_TOKEN));
      start = at + 1;
      if (code === NEW_LINE) listener.lineEnd?.();
    }
    begun = text.slice(start, start + LONGEST_TOKEN);
  }

  return {
    push(piece) {
      const text = heldEscape + piece;
      const backslash = text.lastIndexOf('\\');
      const isCut = backslash !== -1 && backslash > text.length - LONGEST_ESCAPE;
      heldEscape = isCut ? text.slice(backslash) : '';
      scan(unescaped(isCut ? text.slice(0, backslash) : text));
    },
    end() {
      scan(unescaped(heldEscape));
      if (begun !== '') give(begun, 0, begun.length);
    },
  };
}

/** All tokens of a short text, in order. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const tokenizer = createTokenizer({ token: (token) => tokens.push(token) });
  tokenizer.push(text);
  tokenizer.end();
  return tokens;
}

/**
 * A token as one number, so that long texts can be kept in typed arrays: numbers stand for themselves, words become
 * numbers below `WORDS_BELOW` by their hash (32 bits of FNV-1a over UTF-16 units).
 */
export function symbolOf(token: Token): number {
  return typeof token === 'number' ? token : wordSymbol(token, 0, token.length);
}

/** The tokens of one cell as one symbol. */
export function symbolOfTokens(tokens: readonly Token[]): number {
  return symbolOf(tokens.length === 1 ? tokens[0]! : tokens.join(' '));
}

/** A whole cell as one symbol. */
export function symbolOfText(text: string): number {
  return symbolOfTokens(tokensOf(text));
}

/** Every symbol below is a word. */
export const WORDS_BELOW = -1e299;

function wordSymbol(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return -1e300 * (1 + (hash >>> 0) / 0x1_0000_0000);
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\(?:u([\da-fA-F]{4})|[nrt])?/g, (whole, hex: string | undefined) =>
    hex === undefined ? (whole === '\\n' ? '\n' : ' ') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The first character of a number: a digit, `+`, `-` or `.`. */
function isNumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46;
}

function numericToken(word: string): Token {
  const value = Number(word);
  if (Number.isFinite(value)) return value;
  const unsuffixed = /^[^a-z]+[LlFfDdn]$/.test(word) ? Number(word.slice(0, -1)) : Number.NaN; // 3L, 5.1f, 7n
  return Number.isFinite(unsuffixed) ? unsuffixed : word;
}

const MOST_EXACT_DIGITS = 15;

/**
 * The value of digits with at most one dot and a sign, NaN for anything else. Exact as `Number`: up to fifteen digits
 * and the power of ten are exact doubles, and their quotient is rounded once (Clinger 1990).
 */
function plainDecimal(text: string, start: number, end: number): number {
  const sign = text.charCodeAt(start);
  let value = 0;
  let digits = 0;
  let scale = 0;
  for (let at = sign === 45 || sign === 43 ? start + 1 : start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) {
      value = value * 10 + (code - 48);
      digits++;
      scale *= 10;
    } else if (code === 46 && scale === 0) scale = 1;
    else return Number.NaN;
  }
  if (digits === 0 || digits > MOST_EXACT_DIGITS) return Number.NaN;
  const size = scale > 1 ? value / scale : value;
  return sign === 45 ? -size : size;
}

const SIGNATURES = 1 << 16;

/** A word's length, first and last character, mixed. */
function signature(length: number, first: number, last: number): number {
  return (Math.imul(length, 8191) + Math.imul(first, 127) + last) & (SIGNATURES - 1);
}

/** A quick look whether a word may be one of some; made once for many texts. */
export type Signatures = Uint8Array;

export function signaturesOf(tokens: readonly Token[]): Signatures {
  const found = new Uint8Array(SIGNATURES);
  for (const token of tokens)
    if (typeof token === 'string')
      found[signature(token.length, token.charCodeAt(0), token.charCodeAt(token.length - 1))] = 1;
  return found;
}
