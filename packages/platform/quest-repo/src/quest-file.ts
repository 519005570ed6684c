import { readFile } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import { AssayError, errorText } from '@assay/foundation';
import { migrateRecord, questSchema, type Quest } from '@assay/contracts';
import { writeFileDurable } from '@assay/files';

/** Reads and checks a quest.yaml. People edit this file, so what is wrong is said by field. */
export async function readQuestFile(path: string): Promise<Quest> {
  let content: unknown;
  try {
    content = parse(await readFile(path, 'utf8'), { maxAliasCount: 10 });
  } catch (error) {
    throw new AssayError('record_invalid', `${path} cannot be read`, {
      why: errorText(error),
      hint: 'mend the file, or restore it with: git checkout quest.yaml',
      cause: error,
    });
  }
  const parsed = questSchema.safeParse(migrateRecord(content, { kind: 'quest', current: 1, migrations: new Map() }));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AssayError('record_invalid', `${path} is not a valid quest`, {
    why: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unknown problem'}`,
    hint: 'mend the file, or restore it with: git checkout quest.yaml',
  });
}

export function writeQuestFile(path: string, quest: Quest): Promise<void> {
  return writeFileDurable(path, stringify(quest), { mode: 0o644 });
}
