import { AssayError } from '@assay/foundation';
import { exists } from '@assay/files';

/** A file or folder that an earlier task of the plan left is still there. `what` starts a sentence. */
export async function requireKept(path: string, what: string): Promise<void> {
  if (await exists(path)) return;
  throw new AssayError('output_missing', `${what} is gone`, {
    why: `${path} was left by a task that is done, and something deleted it`,
    hint: 'create the plan again: what a finished task left is not made twice',
    details: { gone: path },
  });
}

/** Whether an error says that work of an earlier task is gone, which no other adapter can mend. */
export function isGone(error: AssayError): boolean {
  return error.code === 'output_missing' && error.details['gone'] !== undefined;
}
