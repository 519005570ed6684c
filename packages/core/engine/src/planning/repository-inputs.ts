import { basename, isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AssayError } from '@assay/foundation';
import type { PlanInputs } from '@assay/contracts';
import { cleanSubfolder, parseAddress, requireSecretPlace } from '@assay/repositories';
import type { SecretStore } from '../home/secrets.ts';

type Named = Pick<PlanInputs, 'ref' | 'subfolder' | 'secret'> & { readonly repository: string };

/**
 * What names the repository in a plan, checked before anything is written: revision and folder that stood inside the
 * address are members of their own, and no password is in any of them. Throws `invalid_request`,
 * `repository_unsupported`, `secret_missing`, `secret_refused`.
 */
export async function repositoryInputs(given: Named, secrets: SecretStore): Promise<Named> {
  const address = parseAddress(given.repository);
  const { secret } = given;
  if (secret !== undefined) await secrets.credential(secret, requireSecretPlace(address, secret));
  const subfolder = given.subfolder === undefined ? undefined : cleanSubfolder(given.subfolder);
  const kept = secret === undefined ? {} : { secret };
  if (address.kind === 'package')
    return {
      ...kept,
      ...members(given.ref, subfolder),
      repository: `pypi:${address.name}${address.version === null ? '' : `==${address.version}`}`,
    };
  const ref = onlyOne('revision', address.revision, given.ref);
  const folder = onlyOne('subfolder', address.subfolder === null ? null : cleanSubfolder(address.subfolder), subfolder);
  const repository = address.kind === 'git' ? address.url : localPath(address);
  return { ...kept, ...members(ref, folder), repository };
}

/** Only what is there: an absent member and one that is undefined are not the same in a record. */
function members(ref: string | undefined, subfolder: string | undefined) {
  return {
    ...(ref === undefined ? {} : { ref }),
    ...(subfolder === undefined || subfolder === '' ? {} : { subfolder }),
  };
}

function localPath({ path, mustBeGit }: { readonly path: string; readonly mustBeGit: boolean }): string {
  if (mustBeGit) return pathToFileURL(path).href;
  if (isAbsolute(path)) return resolve(path);
  throw new AssayError('invalid_request', 'the repository path must be absolute', {
    why: `"${path}" is relative, and the daemon's folder is not yours`,
    hint: 'give the whole path',
  });
}

function onlyOne(what: string, inAddress: string | null, beside: string | undefined): string | undefined {
  if (inAddress === null || beside === undefined || inAddress === beside) return inAddress ?? beside;
  throw new AssayError('invalid_request', `the ${what} is named twice`, {
    why: `the address says "${inAddress}", the option says "${beside}"`,
    hint: 'leave one of them out',
  });
}

/** How a title calls a repository: the last part of its path or address. */
export function shortName(repository: string): string {
  return basename(
    repository
      .replace(/^pypi:/, '')
      .replace(/\/+$/, '')
      .replace(/\.git$/, '')
      .replace(/^.*:(?=[^/])/, ''),
  );
}
