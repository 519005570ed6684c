import { AssayError } from '@assay/foundation';

export interface MigrationPlan {
  /** For messages: `event`, `plan`, `artifact` … */
  readonly kind: string;
  readonly current: number;
  /** Entry n brings a record of version n to n + 1. */
  readonly migrations: ReadonlyMap<number, (record: Record<string, unknown>) => Record<string, unknown>>;
}

/**
 * Brings a record of an older version to the current one. A newer version is refused: a file that this program
 * does not understand is never guessed at and never rewritten.
 */
export function migrateRecord(record: unknown, plan: MigrationPlan): unknown {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record;
  let current = record as Record<string, unknown>;
  const version = current['v'];
  if (typeof version !== 'number') return record;
  if (version > plan.current)
    throw new AssayError('record_newer', `this ${plan.kind} was written by a newer version of Assay`, {
      why: `it has version ${version}, this program reads up to ${plan.current}`,
      hint: 'update Assay, or open a copy of the home that the older version wrote',
      details: { kind: plan.kind, version, supported: plan.current },
    });
  for (let at = version; at < plan.current; at++) {
    const step = plan.migrations.get(at);
    if (step === undefined) throw new Error(`no migration of ${plan.kind} from version ${at}`);
    current = { ...step(current), v: at + 1 };
  }
  return current;
}
