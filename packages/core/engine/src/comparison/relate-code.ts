import { join } from 'node:path';
import { AssayError } from '@assay/foundation';
import type { ComparedPair } from '@assay/contracts';
import { exists } from '@assay/files';
import { fingerprintTree, relateTrees } from '@assay/repositories';
import type { MeasuredPlan } from './gather-plans.ts';

type Relation = Pick<ComparedPair, 'code' | 'files'>;

/**
 * Whether two plans ran the same code: the same content called by the same adapter, or prepared copies that differ only
 * in comments, documents or seeds. A copy that is gone or was changed is not looked at, and its pairs are `unknown`.
 */
export async function relateCode(root: string, first: MeasuredPlan, second: MeasuredPlan): Promise<Relation> {
  if (first.adapterSha256 !== second.adapterSha256) return { code: 'different', files: [] };
  if (first.workspace.fingerprint === second.workspace.fingerprint) return { code: 'same', files: [] };
  if (!(await isWhole(root, first)) || !(await isWhole(root, second))) return { code: 'unknown', files: [] };
  const { relation, files } = await relateTrees(join(root, first.workspace.path), join(root, second.workspace.path));
  // The fingerprints differ although every file is the same: permission bits, which change no program.
  return { code: relation === 'same' ? 'same_tokens' : relation, files: [...files] };
}

async function isWhole(root: string, { workspace }: MeasuredPlan): Promise<boolean> {
  const folder = join(root, workspace.path);
  if (!(await exists(folder))) return false;
  try {
    return (await fingerprintTree(folder)).sha256 === workspace.fingerprint;
  } catch (error) {
    if (error instanceof AssayError) return false;
    throw error;
  }
}
