export { exportRepository, type ExportOptions } from './export.ts';
export { fingerprintTree, unprintedFolders, type Fingerprint, type FingerprintOptions } from './fingerprint.ts';
export { inspectRepository, type InspectOptions } from './inspect.ts';
export { type Credential } from './git/git-environment.ts';
export { redactor } from './git/redact.ts';
export { type PackageFile, type PackageIndex } from './package/find-package.ts';
export { isAddress, parseAddress, type GitAddress, type RepositoryAddress } from './source/address.ts';
export { requireSecretPlace } from './source/secret-place.ts';
export { cleanSubfolder } from './source/subfolder.ts';
export { type TreeLimits } from './limits.ts';
export {
  skipReasons,
  type ExportedRepository,
  type RepositoryRef,
  type SkippedEntry,
  type SkipReason,
  type WorkingTreeChanges,
} from './repository.ts';
export { repoManifest, type RepositoryManifest, type RepositorySource } from './manifest.ts';
export { type EntryPointCandidate } from './entry-point-candidates.ts';
export { type License } from './license.ts';
export { isStandardLibrary } from './python-standard-library.ts';
export { largeFilePointersIn } from './tidy-tree.ts';
export { type ThirdPartyImport } from './third-party-imports.ts';
export { codeRelations, relateTrees, type CodeRelation, type TreeRelation } from './relation/relate-trees.ts';
