import { AssayError } from '@assay/foundation';

export function closedJournal(quest: string): AssayError {
  return new AssayError('journal_read_only', `the journal of ${quest} is closed`, {
    hint: 'open the quest again',
    details: { quest },
  });
}
