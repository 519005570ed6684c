import { isAscii } from 'node:buffer';
import { analyse } from 'chardet';
import type { DataEncoding } from '@assay/contracts';
import { BAD_BYTE, type ByteDecoder } from '../decode/byte-decoder.ts';
import { decoderOf } from '../decode/decoder-of.ts';
import { bytePairs, FEW_PAIRS, type BytePairs } from './byte-pairs.ts';

export interface EncodingGuess {
  readonly encoding: DataEncoding;
  /** 0 … 1. */
  readonly confidence: number;
  readonly evidence: readonly string[];
  /** What it may be, the likeliest first, with how a line of the file reads then. */
  readonly candidates: readonly { readonly encoding: DataEncoding; readonly line: string }[];
}

const marks: readonly { readonly encoding: DataEncoding; readonly bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-32le', bytes: [0xff, 0xfe, 0, 0] },
  { encoding: 'utf-32be', bytes: [0, 0, 0xfe, 0xff] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** The names that chardet gives to encodings that are read here. */
const byChardet = new Map<string, DataEncoding>([
  ['GB18030', 'gb18030'],
  ['Big5', 'big5'],
  ['Shift_JIS', 'shift_jis'],
  ['EUC-JP', 'euc-jp'],
  ['EUC-KR', 'euc-kr'],
  ['ISO-8859-1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
  ['ISO-8859-2', 'iso-8859-2'],
  ['windows-1250', 'windows-1250'],
  ['windows-1251', 'windows-1251'],
  ['KOI8-R', 'koi8-r'],
]);

const multiByte = new Set<DataEncoding>(['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr']);

const otherScripts = new Set<DataEncoding>(['windows-1251', 'koi8-r']);

/** In Western text letters beyond ASCII stand alone; whole words of them are another script. */
function inRuns(sample: Buffer): boolean {
  let high = 0;
  let runs = 0;
  for (let i = 0; i < sample.length; i += 1) {
    if (sample[i]! < 0x80) continue;
    high += 1;
    if (sample[i - 1]! >= 0x80 && sample[i + 1]! >= 0x80) runs += 1;
  }
  return runs > high * 0.2;
}

/** Scores of chardet that are so near may be the other way round. */
const CLOSE = 25;

/** More would be no help to whoever is asked. */
const MOST_CANDIDATES = 7;

/** The encoding that a byte order mark names, and the mark's length. */
export function byteOrderMark(
  head: Uint8Array,
): { readonly encoding: DataEncoding; readonly length: number } | undefined {
  const found = marks.find(({ bytes }) => bytes.every((byte, i) => head[i] === byte));
  return found === undefined ? undefined : { encoding: found.encoding, length: found.bytes.length };
}

/**
 * The encoding of text by its first bytes: byte order mark, zero bytes, validity as UTF-8, and for the rest how common
 * its characters and their neighbours are in each language (chardet, after ICU). Below 0.7 a person is to be asked.
 */
export function detectEncoding(head: Buffer): EncodingGuess {
  const mark = byteOrderMark(head);
  if (mark !== undefined) return sure(mark.encoding, 1, 'it starts with the byte order mark of that encoding');
  if (isAscii(head) && !head.includes(0)) return sure('utf-8', 1, 'its first bytes are all ASCII');
  return byZeros(head) ?? byValidity(head);
}

function sure(encoding: DataEncoding, confidence: number, why: string): EncodingGuess {
  return { encoding, confidence, evidence: [why], candidates: [] };
}

/** Text without a mark in 16 or 32 bits: most of its characters are ASCII or its line ends are. */
function byZeros(head: Buffer): EncodingGuess | undefined {
  const zeros = [0, 0, 0, 0];
  for (let i = 0; i < head.length; i += 1) if (head[i] === 0) zeros[i & 3]! += 1;
  const quarter = head.length / 4;
  const shares = zeros.map((count) => count / quarter);
  const high = (share: number | undefined) => share !== undefined && share > 0.9;
  if (high(shares[2]) && high(shares[3]) && shares[0]! < 0.1) return sure('utf-32le', 0.95, zerosSay(3, 4));
  if (high(shares[0]) && high(shares[1]) && shares[3]! < 0.1) return sure('utf-32be', 0.95, zerosSay(3, 4));
  const even = (zeros[0]! + zeros[2]!) / (head.length / 2);
  const odd = (zeros[1]! + zeros[3]!) / (head.length / 2);
  for (const [encoding, many, few] of [
    ['utf-16le', odd, even],
    ['utf-16be', even, odd],
  ] as const)
    if (many > 0.1 && few < many * 0.2 && decodesWell(head, encoding))
      return sure(encoding, many > 0.4 ? 0.95 : 0.8, zerosSay(1, 2));
  return undefined;
}

function zerosSay(zero: number, of: number): string {
  return `${zero} of every ${of} bytes ${zero === 1 ? 'is' : 'are'} mostly zero, always in the same place`;
}

function decodesWell(head: Buffer, encoding: DataEncoding): boolean {
  const decoder = decoderOf(encoding);
  decoder.decode(head);
  return decoder.bad === 0;
}

/** UTF-8 also when some of its characters are broken: those rows are named when they are read. */
function byValidity(head: Buffer): EncodingGuess {
  const decoder = decoderOf('utf-8');
  const text = decoder.decode(head);
  let characters = 0;
  for (const byte of text) if (byte >= 0xc2 && byte !== BAD_BYTE) characters += 1;
  const wrong = wrongBytes(decoder, head);
  if (wrong === 0 && characters > 0)
    return sure('utf-8', 0.99, `its first ${characters} characters beyond ASCII are valid UTF-8`);
  if (wrong === 0) return sure('utf-8', 0.9, 'its first bytes are ASCII but for zero bytes');
  const broken = sure('utf-8', 0.9, `${characters} characters beyond ASCII are valid UTF-8, ${wrong} are broken`);
  if (characters >= wrong * 10) return broken;
  const guess = byStatistics(head);
  // In an encoding of single bytes, what is valid UTF-8 is so by chance, which is rare: the file mixes encodings.
  return !multiByte.has(guess.encoding) && characters >= wrong / 4 ? broken : guess;
}

/** Bad sequences that are not zero bytes. */
function wrongBytes(decoder: ByteDecoder, head: Buffer): number {
  let zeros = 0;
  for (const byte of head) if (byte === 0) zeros += 1;
  return decoder.bad - zeros;
}

function byStatistics(head: Buffer): EncodingGuess {
  const sample = telling(head);
  const guess = byFrequencies(sample);
  const pairs = bytePairs(sample);
  return pairs === undefined ? guess : withPairs(guess, pairs);
}

/** Where all could be characters of two bytes, nothing is certain by frequencies of single bytes or of few characters. */
function withPairs(guess: EncodingGuess, pairs: BytePairs): EncodingGuess {
  const { distinct, common, chineseOnly } = pairs;
  const many = distinct >= FEW_PAIRS;
  if (many && multiByte.has(guess.encoding) && guess.confidence >= 0.7) return guess;
  const chinese = common && guess.candidates.some(({ encoding }) => encoding === 'gb18030');
  const encoding = chinese ? 'gb18030' : guess.encoding;
  const first = guess.candidates.filter((candidate) => candidate.encoding === encoding);
  return {
    encoding,
    confidence: chinese && many && chineseOnly >= 1 / 8 ? 0.75 : 0.5,
    evidence: [
      ...guess.evidence,
      `its bytes beyond ASCII all stand in pairs, ${distinct} different ones, as Chinese, Japanese and Korean are written`,
    ],
    candidates: [...first, ...guess.candidates.filter((candidate) => candidate.encoding !== encoding)],
  };
}

function byFrequencies(sample: Buffer): EncodingGuess {
  // Every byte is a character in these: they are possible even when nothing speaks for them.
  const scores = new Map<DataEncoding, number>([
    ['windows-1252', 1],
    ['windows-1251', 0],
  ]);
  for (const { name, confidence } of analyse(sample)) {
    const encoding = byChardet.get(name);
    if (encoding !== undefined) scores.set(encoding, Math.max(confidence, scores.get(encoding) ?? 0));
  }
  const fitting = [...scores].filter(([encoding]) => fits(sample, encoding)).sort((a, b) => b[1] - a[1]);
  const [best, second] = fitting;
  if (best === undefined)
    return { encoding: 'utf-8', confidence: 0.5, evidence: ['its bytes fit no encoding that is read'], candidates: [] };
  const alone = !inRuns(sample);
  const likely = fitting.filter(
    ([encoding, score]) => score >= best[1] - CLOSE && !(alone && otherScripts.has(encoding)),
  );
  const texts = new Set(likely.map(([encoding]) => textIn(sample, encoding)));
  // Where all that is likely reads alike, the most used one is taken.
  const western = likely.some(([encoding]) => encoding === 'windows-1252') && alone;
  const agreed = western && texts.size === 1;
  const encoding = agreed ? 'windows-1252' : best[0];
  const lead = best[1] - (second?.[1] ?? 0);
  const evidence = [
    'its bytes are not valid UTF-8',
    `the frequencies of its characters speak for ${best[0]} (${best[1]} of 100)${second === undefined ? '' : `, next ${second[0]} (${second[1]})`}`,
    ...(agreed && likely.length > 1 ? [`${likely.map(([name]) => name).join(', ')} read these bytes alike`] : []),
  ];
  const confidence = confidenceIn({ encoding, sample, score: best[1], lead, agreed });
  // Frequencies do not propose characters that are rare, such as hangul outside of KS X 1001: a person can still choose.
  const rare = alone ? [] : [...multiByte].filter((name) => !scores.has(name) && fits(sample, name));
  const candidates = [...fitting.map(([name]) => name), ...rare]
    .slice(0, MOST_CANDIDATES)
    .map((name) => ({ encoding: name, line: lineIn(sample, name) }));
  return {
    encoding,
    confidence: !multiByte.has(encoding) && mayBeBig5(sample, fitting) ? Math.min(0.5, confidence) : confidence,
    evidence,
    candidates,
  };
}

/** In alphabets of single bytes most of the upper half are letters from 0xC0 on; in Big5 and Shift_JIS they are not. */
function mayBeBig5(sample: Buffer, fitting: readonly (readonly [DataEncoding, number])[]): boolean {
  if (!fitting.some(([encoding]) => encoding === 'big5' || encoding === 'shift_jis')) return false;
  let high = 0;
  let low = 0;
  for (const byte of sample) {
    if (byte >= 0x80) high += 1;
    if (byte >= 0x80 && byte < 0xc0) low += 1;
  }
  return low > high * 0.4;
}

interface Verdict {
  readonly encoding: DataEncoding;
  readonly sample: Buffer;
  readonly score: number;
  readonly lead: number;
  readonly agreed: boolean;
}

/** Few characters say little about languages that share an alphabet of bytes. */
function confidenceIn({ encoding, sample, score, lead, agreed }: Verdict): number {
  if (multiByte.has(encoding)) return score >= 50 && lead >= 20 ? Math.max(0.75, Math.min(0.98, score / 100)) : 0.5;
  if (agreed) return 0.75;
  return lead >= 10 && highInWords(sample) >= 8 ? 0.75 : 0.5;
}

/** Bytes beyond ASCII in different words: a label that stands in every row says no more than once. */
function highInWords(sample: Buffer): number {
  const words = new Set(sample.toString('latin1').split(/[^A-Za-z\u0080-\u00ff]+/));
  return [...words].join('').replaceAll(/[A-Za-z]/g, '').length;
}

/** The lines that hold bytes beyond ASCII, which alone tell encodings apart. */
function telling(head: Buffer): Buffer {
  const lines: Buffer[] = [];
  for (let from = 0; from < head.length;) {
    const end = head.indexOf(10, from);
    const line = head.subarray(from, end === -1 ? head.length : end + 1);
    // A last line may end inside a character.
    if (!isAscii(line) && (end !== -1 || lines.length === 0)) lines.push(line);
    from += line.length;
  }
  return Buffer.concat(lines);
}

/** At most one broken place in a thousand bytes, and no control characters beyond ASCII. */
function fits(sample: Buffer, encoding: DataEncoding): boolean {
  const decoder = decoderOf(encoding);
  const text = Buffer.concat([decoder.decode(sample), decoder.finish()]).toString('utf8');
  if (decoder.bad > Math.max(1, sample.length / 1000)) return false;
  if (decoder.bad === 1 && sample.length < 1000 && multiByte.has(encoding) && !text.endsWith('\ufffd')) return false;
  return !/[\u0080-\u009f\ue000-\uf8ff]/u.test(text);
}

function textIn(sample: Buffer, encoding: DataEncoding): string {
  const decoder = decoderOf(encoding);
  return Buffer.concat([decoder.decode(sample), decoder.finish()]).toString('utf8');
}

function lineIn(sample: Buffer, encoding: DataEncoding): string {
  const text = textIn(sample.subarray(0, 400), encoding);
  return Array.from(text.split(/[\r\n]/)[0] ?? '')
    .slice(0, 40)
    .join('');
}
