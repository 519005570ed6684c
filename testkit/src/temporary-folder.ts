import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** A folder of its own under the system's temporary directory, removed on disposal. */
export async function temporaryFolder(name = 'assay-test'): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), `${name}-`));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}
