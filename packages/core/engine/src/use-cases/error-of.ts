import type { Failure } from '@assay/contracts';
import { AssayError } from '@assay/foundation';

/** The error that a recorded failure tells of. */
export function errorOf({ code, message, why, hint, details }: Failure): AssayError {
  return new AssayError(code, message, {
    ...(why === undefined ? {} : { why }),
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  });
}
