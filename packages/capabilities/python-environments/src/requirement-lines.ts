import { AssayError } from '@assay/foundation';
import type { EnvironmentRequest } from './environment.ts';
import { normalName } from './lock.ts';

const MAX_LINES = 2000;
const MAX_LINE = 4000;
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?/;
const HASHES = /(?:\s+--hash=sha(?:256|384|512):[0-9a-f]+)*\s*$/;

/**
 * Checks that each line is one requirement. An option in such a file could name another index, another file or another
 * folder, so that only hashes are let through. Throws `invalid_request`.
 */
export function checkLines(
  request: Pick<EnvironmentRequest, 'requirements' | 'constraints' | 'buildConstraints'>,
): void {
  for (const list of [request.requirements, request.constraints ?? [], request.buildConstraints ?? []]) {
    if (list.length > MAX_LINES) throw refused(`${list.length} lines`, `at most ${MAX_LINES} are taken`);
    for (const line of list) checkLine(line);
  }
}

function checkLine(line: string): void {
  const shown = JSON.stringify(line.slice(0, 100));
  if (line.length > MAX_LINE || /[\r\n\0\\]/.test(line)) throw refused(shown, 'a requirement is one plain line');
  const requirement = line.trim().replace(HASHES, '');
  if (!NAME.test(requirement)) throw refused(shown, 'a requirement begins with the name of a package');
  if (/\s--?[A-Za-z]/.test(requirement)) throw refused(shown, 'of options only --hash is taken');
  const direct = /@\s*([a-z][a-z0-9+.-]*):/i.exec(requirement.split(';')[0]!)?.[1];
  if (direct !== undefined && direct.toLowerCase() !== 'https')
    throw refused(shown, `an address must be https, not ${direct}`);
}

/** The first names of projects, for asking an index about them. */
export function projectNames(requirements: readonly string[], most: number): string[] {
  const names = requirements.flatMap((line) => NAME.exec(line.trim())?.[0] ?? []);
  return [...new Set(names.map(normalName))].slice(0, most);
}

function refused(what: string, why: string): AssayError {
  return new AssayError('invalid_request', `${what} is not a requirement that can be installed`, {
    why,
    hint: 'write it as NAME==VERSION, or as NAME @ https://… to a wheel or source distribution',
  });
}
