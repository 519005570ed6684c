import { readFile } from 'node:fs/promises';
import { isDependencyFile } from './dependency-files.ts';
import { rankEntryPoints, type EntryPointCandidate } from './entry-point-candidates.ts';
import { fingerprintTree, unprintedFolders } from './fingerprint.ts';
import { thirdPartyImports, type ThirdPartyImport } from './third-party-imports.ts';
import { languageOf } from './languages.ts';
import { declaredLicense, isLicenseFile, isLicenseMetadata, recogniseLicense, type License } from './license.ts';
import type { PackageFile } from './package/find-package.ts';
import type { ExportedRepository, RepositoryRef, WorkingTreeChanges } from './repository.ts';
import { walkTree, type TreeEntry } from './tree-walk.ts';

/** What a repository is, in one record that a person can read and a later task can rely on. */
export interface RepositoryManifest {
  readonly v: 1;
  /** The path or address as it was given; it holds no password. */
  readonly path: string;
  /** Where it came from: a folder or git repository of this machine, an address, or the package index. */
  readonly source: RepositorySource;
  readonly subfolder: string;
  readonly commit: string | null;
  readonly refName: string | null;
  readonly dirty: boolean;
  readonly changes: WorkingTreeChanges;
  readonly license: License | null;
  /** Bytes of source files by programming language. */
  readonly languages: Readonly<Record<string, number>>;
  readonly dependencyFiles: readonly string[];
  /** True when code that is not a test, a document or packaging always imports something that Python does not bring. */
  readonly needsDependencies: boolean;
  readonly thirdPartyImports: readonly ThirdPartyImport[];
  readonly entryPointCandidates: readonly EntryPointCandidate[];
  /** Folders that stand for other repositories, which are not fetched; at most 1,000. */
  readonly submodules: readonly string[];
  /** Files that stand for content in Git LFS, which is not fetched; at most 1,000. */
  readonly largeFilePointers: readonly string[];
  readonly files: number;
  readonly bytes: number;
  /** SHA-256 of the exported tree, see `fingerprintTree`. */
  readonly fingerprint: string;
  readonly warnings: readonly string[];
}

export interface RepositorySource {
  readonly kind: 'folder' | 'git' | 'remote' | 'package';
  /** The address that git fetched from. */
  readonly url?: string;
  readonly package?: PackageFile;
}

const LISTED = 1_000;
const SOURCE_LIMIT = 1024 * 1024;
const PYTHON_FILES = 5_000;
const BIG_FILE = 100 * 1024 * 1024;

/** Reads the exported tree; runs nothing of it. Throws `repository_changed` when it changes meanwhile. */
export async function repoManifest(
  exported: ExportedRepository,
  options: { readonly signal: AbortSignal },
): Promise<RepositoryManifest> {
  const fingerprint = await fingerprintTree(exported.path, { signal: options.signal });
  const survey = await surveyTree(exported.path, options.signal);
  const imports = thirdPartyImports(survey.python, survey.paths);
  return {
    v: 1,
    path: exported.ref.given,
    source: sourceOf(exported.ref),
    subfolder: exported.ref.subfolder,
    commit: exported.commit,
    refName: exported.commit === null ? null : exported.ref.refName,
    dirty: exported.dirty,
    changes: exported.changes,
    license: survey.license,
    languages: Object.fromEntries([...survey.languages].sort((a, b) => b[1] - a[1])),
    dependencyFiles: survey.paths.filter(isDependencyFile).sort(),
    needsDependencies: imports.some((entry) => entry.isRequired),
    thirdPartyImports: imports,
    entryPointCandidates: rankEntryPoints(survey.python),
    submodules: exported.submodules.slice(0, LISTED),
    largeFilePointers: exported.largeFilePointers.slice(0, LISTED),
    files: fingerprint.files,
    bytes: fingerprint.bytes,
    fingerprint: fingerprint.sha256,
    warnings: [...exported.notes, ...skippedWarning(exported), ...survey.warnings],
  };
}

function sourceOf(ref: RepositoryRef): RepositorySource {
  if (ref.remote !== null) return { kind: 'remote', url: ref.remote.url };
  if (ref.package !== null) return { kind: 'package', package: ref.package };
  return { kind: ref.kind === 'git' ? 'git' : 'folder' };
}

interface Survey {
  readonly paths: readonly string[];
  readonly python: readonly { readonly path: string; readonly source: string }[];
  readonly languages: ReadonlyMap<string, number>;
  readonly license: License | null;
  readonly warnings: readonly string[];
}

async function surveyTree(root: string, signal: AbortSignal): Promise<Survey> {
  const paths: string[] = [];
  const python: { path: string; source: string }[] = [];
  const languages = new Map<string, number>();
  const warnings: string[] = [];
  let license: License | null = null;
  let declared: License | null = null;
  const enter = (entry: TreeEntry) => !unprintedFolders.includes(entry.path.toString('utf8'));
  for await (const entry of walkTree(root, { signal, enter })) {
    if (!entry.stat.isFile()) continue;
    const path = entry.path.toString('utf8');
    const size = Number(entry.stat.size);
    paths.push(path);
    const language = languageOf(path);
    if (language !== undefined) languages.set(language, (languages.get(language) ?? 0) + size);
    if (size > BIG_FILE) warnings.push(`${path} has ${Math.round(size / 1024 / 1024)} MiB`);
    if (size > SOURCE_LIMIT) continue;
    if (language === 'Python' && python.length < PYTHON_FILES)
      python.push({ path, source: await readFile(entry.absolute, 'utf8') });
    if (license === null && isLicenseFile(path)) license = await readLicense(path, entry.absolute);
    if (declared === null && isLicenseMetadata(path)) {
      const spdx = declaredLicense(await readFile(entry.absolute, 'utf8'));
      if (spdx !== undefined) declared = { spdx, file: path };
    }
  }
  license ??= declared;
  if (license === null) warnings.push('no licence was recognised: check whether its results may be published');
  return { paths, python, languages, license, warnings };
}

async function readLicense(path: string, absolute: Buffer): Promise<License | null> {
  const spdx = recogniseLicense(await readFile(absolute, 'utf8'));
  return spdx === undefined ? null : { spdx, file: path };
}

function skippedWarning(exported: ExportedRepository): string[] {
  const reasons = new Map<string, string[]>();
  for (const { path, reason } of exported.skipped) reasons.set(reason, [...(reasons.get(reason) ?? []), path]);
  return [...reasons].map(([reason, paths]) => {
    const listed = paths.slice(0, 5).join(', ');
    return `left out (${reason.replaceAll('_', ' ')}): ${listed}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`;
  });
}
