import { monotonicFactory } from 'ulid';

/** The kinds of things that carry an id `<kind>_<ulid>`. */
export type IdKind =
  'quest' | 'plan' | 'task' | 'exec' | 'session' | 'artifact' | 'ev' | 'event' | 'trace' | 'span' | 'upload' | 'run';

const POOL = 1024;
const pool = new Uint16Array(POOL);
let drawn = POOL;

/** Randomness from the platform's secure source, drawn in blocks: an id takes sixteen numbers. */
function random(): number {
  if (drawn === POOL) {
    crypto.getRandomValues(pool);
    drawn = 0;
  }
  return pool[drawn++]! / 0x1_0000;
}

const nextUlid = monotonicFactory(random);

/** A new id such as `plan_01JD…`: sortable by creation time, unique on this machine and others. */
export function newId(kind: IdKind): string {
  return `${kind}_${nextUlid()}`;
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
