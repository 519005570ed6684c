import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, errorCode, errorText } from '@assay/foundation';

/** Version of the home's layout that this program writes. */
export const HOME_VERSION = 1;

export const homeVersionFile = (root: string) => join(root, 'home.json');

/**
 * The version that a home's `home.json` names; undefined for a folder without that file. Rejects with `config_invalid`
 * when the file holds no version and `not_configured` when it cannot be read.
 */
export async function homeVersion(root: string): Promise<number | undefined> {
  const file = homeVersionFile(root);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw new AssayError('not_configured', `${file} cannot be read`, {
      why: errorText(error),
      hint: 'run the command as the user that owns the home, or choose another with ASSAY_HOME',
      cause: error,
    });
  }
  return versionIn(text, file);
}

function versionIn(text: string, file: string): number {
  let why = text.trim() === '' ? 'the file is empty' : 'it names no version';
  try {
    const { v } = (JSON.parse(text) ?? {}) as { readonly v?: unknown };
    if (typeof v === 'number') return v;
  } catch (error) {
    if (text.trim() !== '') why = errorText(error);
  }
  throw new AssayError('config_invalid', `${file} does not say which version of Assay wrote this home`, {
    why,
    hint: `restore the file from a copy; or, when only this version of Assay has used the home, write {"v": ${HOME_VERSION}} into it and run "assay fsck"`,
    details: { file },
  });
}

/** Rejects with `home_newer`, and with what `homeVersion` rejects. Reads one file and writes nothing. */
export async function refuseNewerHome(root: string): Promise<void> {
  const found = await homeVersion(root);
  if (found === undefined || found <= HOME_VERSION) return;
  throw new AssayError('home_newer', `the home ${root} was written by a newer version of Assay`, {
    why: `its layout has version ${found}, this program knows up to ${HOME_VERSION}`,
    hint: 'update Assay, or choose another home with ASSAY_HOME',
  });
}
