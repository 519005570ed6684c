import { AssayError, errorCode, errorText } from './assay-error.ts';

/**
 * The words for a failure of the machine that a person can mend (a full disk, an exhausted quota, a disk that became
 * read-only), whoever met it. Undefined for everything else.
 */
export function systemFailure(error: unknown): AssayError | undefined {
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new AssayError('disk_full', 'the disk is full', {
        why: errorText(error),
        hint: 'free some space and try again; what was acknowledged is safe',
        cause: error,
      });
    case 'EROFS':
      return new AssayError('home_read_only', 'the disk can only be read', {
        why: errorText(error),
        hint: 'mount it for writing, or choose another home with ASSAY_HOME',
        cause: error,
      });
    default:
      return undefined;
  }
}
