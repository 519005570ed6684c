import { crc32 } from 'node:zlib';
import { AssayError, errorText } from '@assay/foundation';
import { EVENT_VERSION, eventData, parseEvent, type AssayEvent } from '@assay/contracts';
import { LineDamage } from './damage.ts';

/** Longest line that is written and looked for: a plan with tens of thousands of tasks fits. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

export const NEWLINE = 10;
/** `,"crc":"xxxxxxxx"}`: the last member of every line, the CRC-32 of all bytes before it. */
export const SEAL_BYTES = 18;
export const SEAL_START = Buffer.from(',"crc":"');
/** A seal whose digits are not known yet. */
export const OPEN_SEAL = ',"crc":"00000000"}';

export interface ExpectedLine {
  readonly quest: string;
  /** Undefined when the first line of a window is read, whose place is not known. */
  readonly seq: number | undefined;
  /** What `sealOf` said of these bytes already; left out, it is asked. */
  readonly seal?: Seal;
  /** True when all bytes are known to be ASCII, which is read in half the time. */
  readonly ascii?: boolean;
}

/** The checksum of a line: there is none, it fits the bytes before it, or it does not. */
export const seals = { none: 0, fits: 1, broken: 2 } as const;
export type Seal = (typeof seals)[keyof typeof seals];

/**
 * The event of one line (`start` to `end`, without the line end). A line that carries its checksum and the current
 * version was validated by the writer and is what was written, so it is not validated again; a line without a
 * checksum (written by hand or by another program) or of an older version passes the whole schema.
 * Throws LineDamage, or `record_newer` for a line of a newer program.
 */
export function decodeLine(bytes: Buffer, start: number, end: number, expected: ExpectedLine): AssayEvent {
  const seal = expected.seal ?? sealOf(bytes, start, end);
  if (seal === seals.broken) throw new LineDamage('the checksum of this line does not fit its bytes');
  const event = parseLine(bytes.toString(expected.ascii === true ? 'latin1' : 'utf8', start, end), seal === seals.fits);
  if (event.quest !== expected.quest) throw new LineDamage(`this event belongs to ${event.quest}`);
  if (expected.seq !== undefined && event.seq !== expected.seq)
    throw new LineDamage(`event ${event.seq} stands where event ${expected.seq} must be`);
  return event;
}

function parseLine(text: string, sealed: boolean): AssayEvent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new LineDamage(text.includes('\0') ? 'NUL bytes in a line' : 'this line is not JSON');
  }
  if (typeof value !== 'object' || value === null) throw new LineDamage('this line is not an event');
  const record = value as Partial<AssayEvent> & { crc?: string };
  if (sealed && record.v === EVENT_VERSION && record.type !== undefined && record.type in eventData) {
    delete record.crc;
    return record as AssayEvent;
  }
  refuseNewerType(record);
  // A checksum whose name was damaged is a foreign member: without this, such a line would pass unchecked.
  const foreign = Object.keys(record).find((member) => !members.has(member));
  if (record.v === EVENT_VERSION && !sealed && foreign !== undefined)
    throw new LineDamage(`an event has no member ${JSON.stringify(foreign)}`);
  try {
    return parseEvent(record);
  } catch (error) {
    if (error instanceof AssayError) throw error;
    throw new LineDamage(`this line is not a valid event: ${errorText(error).replaceAll(/\s+/g, ' ')}`);
  }
}

const members = new Set(['v', 'seq', 'id', 'at', 'type', 'quest', 'scope', 'trace', 'span', 'cause', 'data']);

function refuseNewerType(record: { readonly v?: unknown; readonly type?: unknown }): void {
  if (record.v !== EVENT_VERSION || typeof record.type !== 'string' || record.type in eventData) return;
  throw new AssayError('record_newer', `this journal holds an event of type ${record.type}`, {
    why: 'this program does not know that type, so a newer version of Assay wrote it',
    hint: 'update Assay, or open a copy of the home that the older version wrote',
    details: { type: record.type },
  });
}

/** Looks at the last bytes of a line and, when there is a checksum, compares it with the bytes before it. */
export function sealOf(bytes: Buffer, start: number, end: number): Seal {
  const seal = end - SEAL_BYTES;
  if (seal <= start) return seals.none;
  for (let i = 0; i < SEAL_START.length; i++) if (bytes[seal + i] !== SEAL_START[i]) return seals.none;
  // Told by the bytes alone: a string and a pattern for every line cost as much as the checksum.
  const digits = seal + SEAL_START.length;
  let written = 0;
  for (let at = digits; at < digits + 8; at++) {
    const digit = hexDigit(bytes[at]!);
    if (digit < 0) return seals.broken;
    written = written * 16 + digit;
  }
  return written === crc32(bytes.subarray(start, seal)) ? seals.fits : seals.broken;
}

/** Lower case only, as it is written; -1 for anything else. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  return byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1;
}
