import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { exportRepository, inspectRepository, type ExportedRepository, type ExportOptions } from '../../src/index.ts';

/** Inspects and exports below `folder`, the way a task does. */
export async function exportOf(
  given: string,
  folder: string,
  options: { readonly ref?: string; readonly name?: string } & Partial<ExportOptions> = {},
): Promise<ExportedRepository> {
  const { ref, name = 'export', ...rest } = options;
  const signal = rest.signal ?? AbortSignal.timeout(60_000);
  const { timeoutSeconds = 20 } = rest;
  const how = { ...(ref === undefined ? {} : { ref }), signal, timeoutSeconds: Math.max(1, timeoutSeconds) };
  const found = await inspectRepository(given, how);
  return exportRepository(found, join(folder, name), { cacheDir: join(folder, 'cache'), signal, ...rest });
}

/** Every path below a folder that is not a folder itself, sorted. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries)
    if (entry.isDirectory())
      for (const inner of await filesIn(join(folder, entry.name))) files.push(`${entry.name}/${inner}`);
    else files.push(entry.name);
  return files.sort();
}
