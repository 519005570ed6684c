/** What went wrong when packages were installed or first imported. */
export const diagnosisKinds = [
  // the machine
  'disk_full',
  'disk_bound',
  'output_too_long',
  'out_of_memory',
  'not_writable',
  'install_timed_out',
  // what was asked for
  'invalid_line',
  'invalid_option',
  'file_encoding',
  'file_cycle',
  'file_missing',
  'local_path_missing',
  'not_a_project',
  'git_needed',
  // the index
  'tls',
  'proxy_refused',
  'proxy_down',
  'name_resolution',
  'index_down',
  'index_timeout',
  'index_auth',
  'index_forbidden',
  'index_error',
  // choosing versions
  'needs_other_python',
  'conflict',
  'hash_mismatch',
  'hash_incomplete',
  'not_found',
  'unknown_package',
  'not_in_folders',
  'version_missing',
  'yanked',
  'no_wheel',
  'sdist_only',
  'wrong_platform_file',
  'bad_metadata',
  'bad_archive',
  // building
  'deprecated_name',
  'build_backend_unavailable',
  'build_needs_module',
  'setuptools_too_new',
  'setuptools_too_old',
  'version_from_git',
  'compiler_missing',
  'header_missing',
  'library_missing',
  'config_program_missing',
  'rust_missing',
  'cmake_missing',
  'cuda_missing',
  'macos_only',
  'python_2_code',
  'build_killed',
  'code_error',
  'build_failed',
  // running
  'module_missing',
  'module_removed',
  'name_missing',
  'numpy_abi',
  'shared_library_missing',
  'syntax_too_new',
  'unknown',
] as const;
export type DiagnosisKind = (typeof diagnosisKinds)[number];

/** What may be gone when the same is tried a little later. Everything else ends the same way every time. */
export const maySettle: ReadonlySet<DiagnosisKind> = new Set<DiagnosisKind>([
  'proxy_down',
  'name_resolution',
  'index_down',
  'index_timeout',
  'index_error',
  'install_timed_out',
  'bad_archive',
]);

/** What another version of a package may not have: a lock file that was made elsewhere is given up for it. */
export const hangsOnVersion: ReadonlySet<DiagnosisKind> = new Set<DiagnosisKind>([
  'conflict',
  'version_missing',
  'yanked',
  'no_wheel',
  'bad_metadata',
  'build_backend_unavailable',
  'build_needs_module',
  'setuptools_too_new',
  'setuptools_too_old',
  'compiler_missing',
  'header_missing',
  'library_missing',
  'config_program_missing',
  'rust_missing',
  'cmake_missing',
  'python_2_code',
  'code_error',
  'build_failed',
  'numpy_abi',
]);

/** Which command printed the text: an install, a question about one package (`pip … -vv`), or a program that ran. */
export type Step = 'install' | 'probe' | 'run';

export interface Diagnosis {
  readonly kind: DiagnosisKind;
  /** Normalised name of the package that it is about, or null. */
  readonly package: string | null;
  /** The requirement as pip says it, or null. */
  readonly requirement: string | null;
  /** A header, library, module, range, address …: what else a person must know. */
  readonly subject: string | null;
  /** Several of them: versions that exist, tags of wheels, parties of a conflict. */
  readonly list: readonly string[];
  /** The line that shows it, for the record. */
  readonly evidence: string;
}

/** Two failures are the same when nothing that could be repaired differs. */
export function sameFailure(a: Diagnosis, b: Diagnosis): boolean {
  return (
    a.kind === b.kind && a.package === b.package && a.subject === b.subject && a.list.join('\n') === b.list.join('\n')
  );
}
