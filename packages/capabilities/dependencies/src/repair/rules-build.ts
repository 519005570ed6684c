import { normaliseName } from '../requirement.ts';
import { askedFor } from './rules-index.ts';
import type { Facts, Rule } from './rule.ts';

/** The package whose build failed: pip names it in the end, or it is the last one that was taken. */
function built(text: string): string | null {
  const named = /(?:Failed building wheel for|Could not build wheels for|Failed to build) ([A-Za-z0-9._-]+)/.exec(
    text,
  )?.[1];
  if (named !== undefined) return normaliseName(named);
  const last = [...text.matchAll(/^Collecting (\S+)/gm)].at(-1)?.[1];
  return last === undefined ? null : askedFor(last.split('@')[0] ?? '').name;
}

function building(kind: Rule['kind'], pattern: RegExp, subject?: string): Rule {
  return {
    kind,
    steps: ['install'],
    where: 'whole',
    pattern: pattern,
    read: (match, own): Facts => ({ package: built(own), subject: subject ?? match[1] ?? null }),
  };
}

/** Failures of building a source distribution, the particular ones first. */
export const buildRules: readonly Rule[] = [
  building('deprecated_name', /The '(\w+)' PyPI package is deprecated, use '[\w-]+'/),
  {
    kind: 'needs_other_python',
    steps: ['install'],
    where: 'whole',
    pattern: /Cannot install on Python version [\d.]+; only versions ([<>=!~\d., ]+?) are supported/,
    read: (match, own) => ({ package: built(own), subject: (match[1] ?? '').replace(/\s+/g, '') }),
  },
  building('macos_only', /requires macOS to build/),
  building(
    'cuda_missing',
    /(CUDA_HOME) environment variable is not set|CUDA_HOME|nvcc: (?:command )?not found|Could not find CUDA/,
  ),
  building('version_from_git', /setuptools-scm was unable to detect version|PBR_VERSION/),
  building('setuptools_too_new', /(use_2to3) is invalid/),
  building('setuptools_too_new', /No module named '(pkg_resources)'/),
  building(
    'setuptools_too_new',
    /AttributeError: '?(?:build_ext|install_layout)[^\n]*|object has no attribute '(cython_sources)'/,
    'cython_sources',
  ),
  building('setuptools_too_old', /module 'pkgutil' has no attribute '(ImpImporter)'/),
  building('setuptools_too_old', /No module named '(distutils)'/),
  building('python_2_code', /SyntaxError: Missing parentheses in call to 'print'|except \w+, \w+:/),
  {
    kind: 'build_backend_unavailable',
    steps: ['install'],
    pattern:
      /install build dependencies did not run successfully[^]*?Could not find a version that satisfies the requirement (\S+)/,
    read: (match, own) => ({ package: built(own), subject: match[1] ?? null }),
  },
  building('build_backend_unavailable', /No module named '(setuptools)'/),
  building('build_backend_unavailable', /BackendUnavailable[^\n]*|Cannot im[p]ort '([\w.]+)'/),
  building('build_needs_module', /subprocess-exited-with-error[^]*No module named '([\w.]+)'/),
  building('rust_missing', /can't find Rust compiler|Rust toolchain|cargo[^\n]*not (?:found|installed)/),
  building(
    'cmake_missing',
    /CMake must be installed|CMake is not (?:installed|found)|No CMAKE_C_COMPILER|Could not find cmake/i,
  ),
  building(
    'compiler_missing',
    /command '([\w./-]+)' failed: No such file or directory|unable to execute '([\w./-]+)': No such file/,
  ),
  building('header_missing', /fatal error: ([\w./+-]+): No such file or directory/),
  building('library_missing', /cannot find -l([\w.+-]+)/),
  building(
    'config_program_missing',
    /(pg_config|mysql_config|pkg-config name|curl-config|gdal-config|llvm-config|sdl2?-config)\b[^\n]*/,
  ),
  building('code_error', /\berror: [Cc]ommand '(?:\['[^']*|[^']*)(?:gcc|cc|g\+\+|clang)\b/),
  building('build_failed', /subprocess-exited-with-error|metadata-generation-failed|Failed building wheel/),
];
