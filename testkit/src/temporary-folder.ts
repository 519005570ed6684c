import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '@assay/files';

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** A folder of its own under the system's temporary directory, removed on disposal. */
export async function temporaryFolder(name = 'assay-test'): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), `${name}-`));
  return {
    path,
    [Symbol.asyncDispose]: () => removeTree(path),
  };
}
