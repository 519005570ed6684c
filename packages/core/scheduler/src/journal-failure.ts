import { errorCode } from '@assay/foundation';

const codes: ReadonlySet<string> = new Set(['disk_full', 'journal_read_only', 'journal_damaged', 'home_read_only']);

/** True when the journal cannot be written at all, false when it refused these very events. */
export function isJournalFailure(error: unknown): boolean {
  const code = errorCode(error);
  return code !== undefined && codes.has(code);
}
