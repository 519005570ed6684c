import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { errorCode, errorText } from '@assay/foundation';
import { migrateRecord } from '@assay/contracts';
import { DamageFound } from './damage.ts';
import { writeFileDurableSync } from './sync-files.ts';

const schema = z.object({
  v: z.literal(1),
  generation: z.number().int().positive(),
  /** Every cut, newest last; at most 100 are kept. */
  cuts: z.array(z.object({ at: z.string(), file: z.string(), offset: z.number(), bytes: z.number() })),
});

export type GenerationRecord = z.infer<typeof schema>;
export type Cut = GenerationRecord['cuts'][number];

const KEPT_CUTS = 100;

export function generationPath(eventsDir: string): string {
  return join(eventsDir, 'generation.json');
}

/** Undefined when the file does not exist. Throws DamageFound or `record_newer`. */
export function readGeneration(eventsDir: string): GenerationRecord | undefined {
  const file = generationPath(eventsDir);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch (error) {
    throw new DamageFound({ file, offset: 0, reason: errorText(error) });
  }
  const checked = schema.safeParse(
    migrateRecord(stored, { kind: 'journal generation', current: 1, migrations: new Map() }),
  );
  if (!checked.success) throw new DamageFound({ file, offset: 0, reason: 'it does not hold a generation' });
  return checked.data;
}

export function writeGeneration(eventsDir: string, record: GenerationRecord): void {
  const kept = { ...record, cuts: record.cuts.slice(-KEPT_CUTS) };
  writeFileDurableSync(generationPath(eventsDir), `${JSON.stringify(kept)}\n`);
}
