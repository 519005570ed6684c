import { AssayError } from '@assay/foundation';
import type { DataEncoding, DatasetFormat, ReadingFinding, ReadingOptions } from '@assay/contracts';
import type { CsvOptions } from '../csv-machine.ts';
import { DataFile } from '../data-file.ts';
import { decoderOf } from '../decode/decoder-of.ts';
import { limits } from '../limits.ts';
import type { TableShape } from '../table-shape.ts';
import { contentOf, type Packing } from '../unpack/content.ts';
import { packingOf, unpackedName } from '../unpack/packing.ts';
import { listZip, severalFiles, type ZipFile } from '../unpack/zip-member.ts';
import { checkBinary, checkControls } from './check-binary.ts';
import { byteOrderMark, detectEncoding, type EncodingGuess } from './detect-encoding.ts';
import { headRows } from './head-rows.ts';
import { quoted, sniffDelimiter } from './sniff-delimiter.ts';
import { sniffFormat } from './sniff-format.ts';
import { headerDoubt } from './sniff-header.ts';
import { sniffNumbers } from './sniff-numbers.ts';

/** Below this a finding is a question. */
export const SURE = 0.7;

/** What cannot be told by looking; each answer is a value of the reading option `field`. */
export interface ReadingQuestion {
  readonly field: 'member' | 'encoding' | 'delimiter' | 'header';
  readonly question: string;
  readonly options: readonly { readonly value: string; readonly label: string; readonly default?: boolean }[];
  /** The refusal when nobody can be asked. */
  readonly refusal: AssayError;
}

export interface Inspection {
  readonly shape: TableShape;
  readonly findings: readonly ReadingFinding[];
  readonly questions: readonly ReadingQuestion[];
  /** Sentences about what stays as it is although it looks like something else. */
  readonly doubts: readonly string[];
}

/**
 * Looks at the first 64 KiB of a data file and says how it is to be read. What is said in the options is not looked for.
 * Throws `dataset_missing`, `dataset_empty`, `dataset_format`.
 */
export async function inspectTable(
  path: string,
  options: ReadingOptions = {},
  signal?: AbortSignal,
): Promise<Inspection> {
  await using file = await DataFile.open(path);
  const packed = await file.head(limits.headBytes);
  const compression = packingOf(packed);
  const files = compression === 'zip' ? await listZip(file.fd, file.name) : [];
  const { member } = options;
  if (member !== undefined && compression !== 'zip') throw noArchive(file.name);
  if (files.length > 1 && member === undefined) return whichFile(file.name, files);
  const name = member ?? files[0]?.name ?? unpackedName(file.name);
  const head = compression === undefined ? packed : await unpackedHead(file, { compression, member }, signal);
  refusePackedAgain(head, compression, { name: file.name, inner: name });
  checkBinary(head, file.name);
  const found = encodingOf(head, options, file.name);
  const text = decodedHead(head, found.encoding);
  if (text.length === 0) throw empty(file);
  checkControls(text, file.name);
  const format = sniffFormat(name, text);
  const table =
    format === 'json' || format === 'jsonl'
      ? jsonTable(format, options)
      : csvTable(text, file.name, { format, options });
  const packing: ReadingFinding[] =
    compression === undefined
      ? []
      : [{ what: 'compression', value: compression, confidence: 1, evidence: ['its first bytes say so'] }];
  return {
    shape: { ...table.shape, encoding: found.encoding, compression, member, onBadBytes: options.onBadBytes },
    findings: [...packing, ...found.findings, ...table.findings],
    questions: [...found.questions, ...table.questions],
    doubts: table.doubts,
  };
}

type Found = Pick<Inspection, 'findings' | 'questions'>;
type FoundTable = Found & { readonly shape: Omit<TableShape, 'encoding'>; readonly doubts: readonly string[] };

/** Files of an archive that are offered. */
const MOST_OFFERED = 200;

/** Nothing is looked at before it is said which file of the archive is meant. */
function whichFile(name: string, files: readonly ZipFile[]): Inspection {
  const names = files.map((file) => file.name);
  const likely = files.filter((file) => /\.(csv|tsv|tab|json|jsonl|ndjson|txt)$/i.test(file.name));
  const options = files.slice(0, MOST_OFFERED).map((file) => ({
    value: file.name,
    label: `${file.bytes} bytes`,
    ...(likely.length === 1 && file === likely[0] ? { default: true } : {}),
  }));
  const refusal = severalFiles(name, names);
  const question = `Which file of ${name} is the data?`;
  return {
    shape: { format: 'csv', encoding: 'utf-8', compression: 'zip' },
    findings: [],
    questions: [{ field: 'member', question, options, refusal }],
    doubts: [],
  };
}

function noArchive(name: string): AssayError {
  return new AssayError('invalid_request', `${name} is no ZIP archive`, {
    why: '--member names a file in an archive.',
    hint: 'Leave the option out.',
  });
}

/** One layer is unpacked: what is packed twice is mostly an archive of several things. */
function refusePackedAgain(
  head: Buffer,
  outer: Packing['compression'],
  { name, inner }: { readonly name: string; readonly inner: string },
): void {
  const again = outer === undefined ? undefined : packingOf(head);
  if (again === undefined) return;
  throw new AssayError('dataset_format', `${name} is packed twice`, {
    why: `Unpacked with ${outer}, ${inner} is a ${again} file again; one layer is unpacked.`,
    hint: 'Unpack the outer one yourself and give what is in it.',
  });
}

async function unpackedHead(file: DataFile, packing: Packing, signal: AbortSignal | undefined): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of contentOf(file, packing, signal)) {
    parts.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes >= limits.headBytes) break;
  }
  return Buffer.concat(parts).subarray(0, limits.headBytes);
}

function encodingOf(head: Buffer, options: ReadingOptions, name: string): Found & { readonly encoding: DataEncoding } {
  const mark = byteOrderMark(head);
  if (options.encoding !== undefined) {
    if (mark !== undefined && mark.encoding !== options.encoding)
      throw otherMark(name, options.encoding, mark.encoding);
    return { encoding: options.encoding, findings: [], questions: [] };
  }
  const guess = detectEncoding(head);
  const { encoding, confidence, evidence } = guess;
  const finding = { what: 'encoding' as const, value: encoding, confidence, evidence: [...evidence] };
  // Plain UTF-8 is what is expected: it is no finding.
  const findings = encoding === 'utf-8' && confidence >= 0.99 ? [] : [finding];
  return { encoding, findings, questions: confidence >= SURE ? [] : [encodingQuestion(guess, name)] };
}

export function encodingQuestion({ encoding, evidence, candidates }: EncodingGuess, name: string): ReadingQuestion {
  const options = candidates.map((candidate) => ({
    value: candidate.encoding,
    label: `a line of it reads then: ${candidate.line}`,
    ...(candidate.encoding === encoding ? { default: true } : {}),
  }));
  const names = options.map(({ value }) => value);
  return {
    field: 'encoding',
    question: `In which encoding is ${name} written?`,
    options,
    refusal: new AssayError('dataset_encoding', `the encoding of ${name} cannot be told for sure`, {
      why: `${sentence(evidence.join('; '))}${names.length === 0 ? '' : ` It may be ${names.join(' or ')}.`}`,
      hint: `Say which: --encoding ${names[0] ?? 'NAME'}. Or convert it to UTF-8 with iconv.`,
      details: { options },
    }),
  };
}

/** Whole characters of the sample, without a byte order mark. */
function decodedHead(head: Buffer, encoding: DataEncoding): Buffer {
  const mark = byteOrderMark(head);
  const skip = mark?.encoding === encoding ? mark.length : 0;
  const decoder = decoderOf(encoding);
  const text = Buffer.from(decoder.decode(head.subarray(skip)));
  return head.length < limits.headBytes ? Buffer.concat([text, decoder.finish()]) : text;
}

function jsonTable(format: DatasetFormat, options: ReadingOptions): FoundTable {
  const unused = (['delimiter', 'decimal', 'thousands', 'header', 'comment', 'quote', 'onRagged'] as const).filter(
    (name) => options[name] !== undefined,
  );
  if (unused.length > 0)
    throw new AssayError('invalid_request', `${unused.join(', ')} cannot be said of ${format.toUpperCase()}`, {
      why: 'Such a file says itself where its cells are.',
      hint: 'Leave the option out.',
    });
  return { shape: { format, missing: options.missing }, findings: [], questions: [], doubts: [] };
}

interface CsvRequest {
  readonly format: DatasetFormat;
  readonly options: ReadingOptions;
}

function csvTable(text: Buffer, name: string, { format, options }: CsvRequest): FoundTable {
  const findings: ReadingFinding[] = [];
  const questions: ReadingQuestion[] = [];
  const comment = options.comment ?? commentMark(text);
  if (comment !== undefined && options.comment === undefined)
    findings.push({
      what: 'comment',
      value: comment,
      confidence: 0.9,
      evidence: [`its first lines begin with ${comment}`],
    });
  const csv: CsvOptions = { quote: options.quote, comment };
  const delimiter =
    options.delimiter ?? (format === 'tsv' ? '\t' : delimiterOf(text, name, { csv, findings, questions }));
  const rows = headRows(text, delimiter, csv);
  const header = headerOf(rows, name, { options, findings, questions });
  const numbers = numbersOf(rows, header !== 'absent', { options, findings });
  const { onRagged, missing, quote } = options;
  return {
    shape: { format, delimiter, quote, comment, header, onRagged, missing, ...numbers.marks },
    findings,
    questions,
    doubts: numbers.doubt === undefined ? [] : [numbers.doubt],
  };
}

interface Into {
  readonly findings: ReadingFinding[];
  readonly questions: ReadingQuestion[];
}

function delimiterOf(
  text: Buffer,
  name: string,
  { csv, findings, questions }: Into & { readonly csv: CsvOptions },
): string {
  const { delimiter, confidence, evidence, rivals } = sniffDelimiter(text, csv);
  if (delimiter !== ',' || rivals.length > 0)
    findings.push({ what: 'delimiter', value: delimiter, confidence, evidence: [...evidence] });
  if (confidence >= SURE || rivals.length === 0) return delimiter;
  questions.push({
    field: 'delimiter',
    question: `Which character separates the cells of ${name}?`,
    options: [delimiter, ...rivals].map((value) => ({
      value,
      label: quoted(value),
      ...(value === delimiter ? { default: true } : {}),
    })),
    refusal: new AssayError('dataset_format', `what separates the cells of ${name} cannot be told for sure`, {
      why: sentence(evidence.join('; ')),
      hint: `Say which: --delimiter '${delimiter}'.`,
      details: { options: [delimiter, ...rivals] },
    }),
  });
  return delimiter;
}

/** Lines before the table that begin with # and have other cells than the rows below; a single one may be the header. */
function commentMark(text: Buffer): string | undefined {
  if (text[0] !== 35) return undefined;
  const lines = text.toString('utf8').split(/\r\n|\n|\r/, 200);
  const count = lines.findIndex((line) => !line.startsWith('#'));
  if (count === -1) return undefined;
  const cells = (line: string | undefined) => (line ?? '').split(/[,;\t|]/).length;
  return count > 1 || cells(lines[0]) !== cells(lines[count]) ? '#' : undefined;
}

function headerOf(
  rows: readonly (readonly string[])[],
  name: string,
  { options, findings, questions }: Into & { readonly options: ReadingOptions },
): 'absent' | undefined {
  if (options.header !== undefined) return options.header === 'absent' ? 'absent' : undefined;
  const doubt = headerDoubt(rows);
  if (doubt === undefined) return undefined;
  findings.push({ what: 'header', value: 'absent', confidence: 1 - doubt.confidence, evidence: [doubt.why] });
  questions.push({
    field: 'header',
    question: `Does the first row of ${name} hold the names of the columns?`,
    options: [
      { value: 'absent', label: 'no, it is data: the columns are called column_1, column_2, …', default: true },
      { value: 'present', label: 'yes, it holds the names' },
    ],
    refusal: new AssayError('dataset_format', `${name} has no header row`, {
      why: sentence(doubt.why),
      hint: 'Say --no-header to call the columns column_1, column_2, …, or --header when these are the names; or add a first row with the column names.',
    }),
  });
  return 'absent';
}

function numbersOf(
  rows: readonly (readonly string[])[],
  header: boolean,
  { options, findings }: Pick<Into, 'findings'> & { readonly options: ReadingOptions },
): { readonly marks: Pick<TableShape, 'decimal' | 'thousands'>; readonly doubt?: string } {
  const { decimal, thousands } = options;
  if (decimal !== undefined || thousands !== undefined) {
    if (decimal === thousands || (decimal === undefined && thousands === '.'))
      throw new AssayError('invalid_request', 'one character cannot be decimal mark and thousands separator', {
        hint: 'say both: --decimal , --thousands .',
      });
    return { marks: { decimal, thousands } };
  }
  const { marks, evidence, doubt } = sniffNumbers(rows, header);
  if (evidence.length === 0) return { marks: {}, ...(doubt === undefined ? {} : { doubt }) };
  const value = `${marks.decimal}${marks.thousands === undefined ? '' : ` with ${marks.thousands} between thousands`}`;
  findings.push({ what: 'decimal', value, confidence: 0.9, evidence: [...evidence] });
  return { marks: { decimal: marks.decimal, thousands: marks.thousands as TableShape['thousands'] } };
}

function empty(file: DataFile): AssayError {
  return new AssayError('dataset_empty', `${file.name} is empty`, {
    why: `It has ${file.size} bytes.`,
    hint: 'Give a file with a header row and at least one row of data.',
    details: { path: file.path },
  });
}

function otherMark(name: string, said: DataEncoding, marked: DataEncoding): AssayError {
  return new AssayError('dataset_encoding', `${name} is not encoded in ${said}`, {
    why: `It starts with the byte order mark of ${marked}.`,
    hint: `Leave --encoding out, or say --encoding ${marked}.`,
    details: { encoding: marked },
  });
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
