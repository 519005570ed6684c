/** The kinds of things that carry an id `<kind>_<ulid>`. */
export type IdKind =
  | 'quest'
  | 'plan'
  | 'task'
  | 'exec'
  | 'session'
  | 'artifact'
  | 'ev'
  | 'event'
  | 'trace'
  | 'span'
  | 'upload'
  | 'run'
  | 'comparison';

/** Crockford's base 32. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const PAIRS = Array.from({ length: 1024 }, (_, n) => DIGITS[n >>> 5]! + DIGITS[n & 31]!);
/** The last four digits count within a millisecond. */
const COUNTS = 2 ** 20;

const random = new Uint16Array(512);
let drawn = random.length;
let lastMs = -1;
let head = '';
let count = COUNTS;

/** A new id such as `plan_01JD…`: sortable by creation time, unique on this machine and others. */
export function newId(kind: IdKind): string {
  const ms = Date.now();
  // A clock that was set back, or a spent counter, must not give an id that sorts before the last one.
  if (ms > lastMs) begin(ms);
  else if (count === COUNTS) begin(lastMs + 1);
  const id = `${kind}_${head}${PAIRS[count >>> 10]!}${PAIRS[count & 1023]!}`;
  count++;
  return id;
}

/**
 * ULID (github.com/ulid/spec): ten digits of milliseconds, sixteen random ones. All random digits are drawn anew in each
 * millisecond; within one the last four count up, which is the monotonic form of the specification.
 */
function begin(ms: number): void {
  lastMs = ms;
  const high = Math.floor(ms / COUNTS);
  head = pair(high >>> 20) + pair(high >>> 10) + pair(high) + pair(ms >>> 10) + pair(ms);
  for (let pairs = 0; pairs < 6; pairs++) head += pair(draw());
  // The counter starts in the lower half, so that a millisecond has room for at least half a million ids.
  count = ((draw() & 511) << 10) | (draw() & 1023);
}

function pair(bits: number): string {
  return PAIRS[bits & 1023]!;
}

/** Sixteen bits from the platform's secure source, which is asked for many at once. */
function draw(): number {
  if (drawn === random.length) {
    crypto.getRandomValues(random);
    drawn = 0;
  }
  return random[drawn++]!;
}

const ID = /^([a-z]+)_([0-9A-HJKMNP-TV-Z]{26})$/;

/** The kind of a well-formed id, else undefined. An id that passes is safe as a path component. */
export function idKind(text: string): string | undefined {
  return ID.exec(text)?.[1];
}

/** True for a well-formed id of that kind. */
export function isId(kind: IdKind, text: string): boolean {
  return idKind(text) === kind;
}
