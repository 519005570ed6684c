import { AssayError } from '@assay/foundation';

/** A place in a journal that cannot be what was written. */
export interface Damage {
  readonly file: string;
  /** Byte offset of the line or bytes that are wrong. */
  readonly offset: number;
  readonly reason: string;
}

/** Thrown while lines are read; the reader that knows the file turns it into `journal_damaged`. */
export class LineDamage extends Error {
  override readonly name = 'LineDamage';
}

/** Thrown where file and offset are known. */
export class DamageFound extends Error {
  override readonly name = 'DamageFound';
  readonly damage: Damage;

  constructor(damage: Damage) {
    super(`${damage.file}, byte ${damage.offset}: ${damage.reason}`);
    this.damage = damage;
  }
}

export function damageError(quest: string, damage: Damage): AssayError {
  return new AssayError('journal_damaged', `the journal of ${quest} is damaged`, {
    why: `${damage.file}, byte ${damage.offset}: ${damage.reason}`,
    hint: 'nothing was changed; restore this file from a backup, and run "assay fsck" to list every damage',
    details: { quest, ...damage },
  });
}
