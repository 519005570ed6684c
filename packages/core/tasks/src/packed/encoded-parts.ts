import { BLOB_RUN, isLongEnough, longestRuns } from './encoded-run.ts';

/** Of one text, so much is decoded. */
const MOST_DECODED = 64 * (1 << 20);
const MOST_PARTS = 10_000;

/** A constant may be cut into pieces of this length. */
const BASE64_RUN = 32;
const base64Run = /[A-Za-z0-9+/_-]{32,}={0,2}/g;
/** Between the pieces of one constant: quotes, line ends, a plus, an escaped line end. */
const between = /^(?:["'`+\s,()]|\\n|\\$){1,24}$/;
const escapedRun = /(?:\\x[0-9a-fA-F]{2}){16,}/g;
const bytesLiteral = /b(['"])(?:x\\x9c|x\\xda|x\\x01|x\^|\\x1f\\x8b)/g;
const base85Run = /[0-9A-Za-z!#$%&()*+\-;<=>?@^_`{|}~]{64,}/g;

/**
 * What stands in a text in another writing: base64, hexadecimal digits, escaped bytes, base85, also when it is cut into
 * lines or string constants that follow one another. Each part is decoded to bytes.
 */
export function* encodedParts(text: string): Generator<Buffer> {
  let left = MOST_DECODED;
  let parts = 0;
  for (const part of allParts(text)) {
    if (part.length < BLOB_RUN / 2) continue;
    left -= part.length;
    if (left < 0 || ++parts > MOST_PARTS) return;
    yield part;
  }
}

function* allParts(text: string): Generator<Buffer> {
  const longest = longestRuns(text);
  for (const run of longest.base64 < BASE64_RUN ? [] : joinedRuns(text)) {
    if (/^[0-9a-fA-F]+$/.test(run) && run.length % 2 === 0) yield Buffer.from(run, 'hex');
    else yield Buffer.from(run, 'base64'); // takes both alphabets
  }
  for (const [run] of text.matchAll(escapedRun)) yield Buffer.from(run.replaceAll('\\x', ''), 'hex');
  for (const match of text.matchAll(bytesLiteral)) yield pythonBytes(text, match.index + 2, match[1]!);
  for (const [run] of longest.base85 < BLOB_RUN ? [] : text.matchAll(base85Run)) {
    const decoded = base85(run);
    if (decoded !== undefined) yield decoded;
  }
}

/** Long runs of base64 letters, those that only quotes and line ends part joined. */
function* joinedRuns(text: string): Generator<string> {
  let joined: string[] = [];
  let end = 0;
  for (const match of text.matchAll(base64Run)) {
    const gap = text.slice(end, match.index);
    if (joined.length > 0 && (gap.length > 24 || !between.test(gap))) {
      yield* given(joined, text, end);
      joined = [];
    }
    joined.push(match[0]);
    end = match.index + match[0].length;
  }
  if (joined.length > 0) yield* given(joined, text, end);
}

/** With the last piece of a constant, which may be short. */
function* given(joined: readonly string[], text: string, end: number): Generator<string> {
  const rest =
    joined.length > 1
      ? /^(?:["'`+\s]|\\n){1,24}([A-Za-z0-9+/_-]{1,31}={0,2})/.exec(text.slice(end, end + 64))?.[1]
      : undefined;
  const run = joined.join('') + (rest ?? '');
  if (isLongEnough(run)) yield run;
}

const LONGEST_LITERAL = 32 * (1 << 20);
const named: Readonly<Record<string, number>> = {
  n: 10,
  r: 13,
  t: 9,
  '\\': 92,
  "'": 39,
  '"': 34,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
};

/** The bytes of a Python literal from behind its opening quote. */
function pythonBytes(text: string, start: number, quote: string): Buffer {
  const bytes: number[] = [];
  for (let at = start; at < text.length && at < start + LONGEST_LITERAL && text[at] !== quote; at++) {
    if (text[at] !== '\\') {
      bytes.push(text.charCodeAt(at) & 0xff);
      continue;
    }
    at++;
    const escape = text[at] ?? '';
    if (escape === 'x') {
      bytes.push(Number.parseInt(text.slice(at + 1, at + 3), 16) & 0xff);
      at += 2;
    } else if (/[0-7]/.test(escape)) {
      const octal = /^[0-7]{1,3}/.exec(text.slice(at, at + 3))![0];
      bytes.push(Number.parseInt(octal, 8) & 0xff);
      at += octal.length - 1;
    } else if (named[escape] !== undefined) bytes.push(named[escape]);
  }
  return Buffer.from(bytes);
}

const rfc1924 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const digitOf = new Int8Array(128).fill(-1);
for (let at = 0; at < rfc1924.length; at++) digitOf[rfc1924.charCodeAt(at)] = at;

/** Base85 as Python's `b85encode` writes it, when the run holds nothing else and packed data comes out. */
function base85(run: string): Buffer | undefined {
  const bytes = Buffer.alloc(4 * Math.ceil(run.length / 5));
  for (let at = 0; at < run.length; at += 5) {
    let value = 0;
    for (let step = 0; step < 5; step++) {
      const digit = at + step < run.length ? digitOf[run.charCodeAt(at + step)]! : 84;
      if (digit < 0) return undefined;
      value = value * 85 + digit;
    }
    if (value > 0xffff_ffff) return undefined;
    bytes.writeUInt32BE(value, (at / 5) * 4);
  }
  return bytes;
}
