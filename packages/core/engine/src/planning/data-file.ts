import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { AssayError, errorCode } from '@assay/foundation';
import { refuseShown } from '@assay/sandbox';

export function absolute(path: string, what: string): string {
  if (isAbsolute(path)) return resolve(path);
  throw new AssayError('invalid_request', `the ${what} path must be absolute`, {
    why: `"${path}" is relative, and the daemon's folder is not yours`,
    hint: 'give the whole path',
  });
}

export async function requireFile(path: string): Promise<void> {
  try {
    if ((await stat(path)).isFile()) return;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
    throw new AssayError('dataset_missing', `there is no file ${path}`, { hint: 'check the path of the data file' });
  }
  throw new AssayError('dataset_missing', `${path} is not a file`, { hint: 'name a CSV, TSV, JSON or JSONL file' });
}

/**
 * Data files lie where no session sees them by itself and, with `data.roots` configured, in these folders only; links
 * are followed before the check.
 */
export async function requireInside(path: string, roots: readonly string[]): Promise<void> {
  refuseShown(path);
  if (roots.length === 0) return;
  const real = await realpath(path);
  for (const root of roots) {
    const inside = relative(await realpath(root).catch(() => resolve(root)), real);
    if (inside !== '' && !inside.startsWith('..') && !isAbsolute(inside)) return;
  }
  throw new AssayError('sandbox_refused', `${path} may not be read`, {
    why: `data.roots allows only ${roots.join(', ')}`,
    hint: 'move the file there, or add its folder to data.roots in config.yaml',
  });
}
