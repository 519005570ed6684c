import { AssayError } from '@assay/foundation';
import { hasControlCharacter } from './address.ts';

/** The folder as git writes it: parts with `/` between them, none of them `.` or `..`. Throws `invalid_request`. */
export function cleanSubfolder(given: string): string {
  const parts = given.split('/').filter((part) => part !== '' && part !== '.');
  const isBad = given.startsWith('/') || parts.includes('..') || given.includes('\\') || hasControlCharacter(given);
  if (!isBad && given.length <= 1024) return parts.join('/');
  throw new AssayError('invalid_request', 'the subfolder must lie inside the repository', {
    why: 'it begins with "/", holds "..", or holds characters that no folder of a repository has',
    hint: 'write it from the top of the repository, such as packages/model',
  });
}
