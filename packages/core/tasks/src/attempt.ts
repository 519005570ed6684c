import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '@assay/foundation';
import { exists, readJson, writeJsonDurable } from '@assay/files';

/** Makes a fresh directory for an attempt; one that is already there (of an interrupted run) is set aside, not reused. */
export async function freshAttemptDir(path: string): Promise<void> {
  if (await exists(path)) await rename(path, `${path}.set-aside-${newId('exec')}`);
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Does `work` once per attempt directory and records its result under `steps/<name>.json`. */
export async function onceInAttempt<T>(attemptDir: string, name: string, work: () => Promise<T>): Promise<T> {
  const path = stepPath(attemptDir, name);
  const recorded = (await readJson(path)) as { readonly result: T } | undefined;
  if (recorded !== undefined) return recorded.result;
  const result = await work();
  await mkdir(join(attemptDir, 'steps'), { recursive: true, mode: 0o700 });
  await writeJsonDurable(path, { result });
  return result;
}

/** True when the step of that name was done in this attempt. */
export function hasStep(attemptDir: string, name: string): Promise<boolean> {
  return exists(stepPath(attemptDir, name));
}

function stepPath(attemptDir: string, name: string): string {
  return join(attemptDir, 'steps', `${name}.json`);
}
