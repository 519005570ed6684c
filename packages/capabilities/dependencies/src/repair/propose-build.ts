import type { DiagnosisKind } from './diagnosis.ts';
import type { Change, Proposal } from './install-state.ts';
import {
  change,
  listed,
  orWithout,
  otherPython,
  placeOf,
  stop,
  wasTried,
  type Case,
  type Proposer,
} from './proposals.ts';
import { loosened } from './propose-index.ts';
import { systemPackageOf } from './system-packages.ts';
import { pythonWithWheel } from './wheel-tags.ts';

type Kinds = Extract<
  DiagnosisKind,
  | 'deprecated_name'
  | 'build_backend_unavailable'
  | 'build_needs_module'
  | 'setuptools_too_new'
  | 'setuptools_too_old'
  | 'version_from_git'
  | 'compiler_missing'
  | 'header_missing'
  | 'library_missing'
  | 'config_program_missing'
  | 'rust_missing'
  | 'cmake_missing'
  | 'cuda_missing'
  | 'macos_only'
  | 'python_2_code'
  | 'code_error'
  | 'build_failed'
>;

/** What a package is called today whose old name refuses to be installed. */
const renamed: Readonly<Record<string, string>> = {
  sklearn: 'scikit-learn',
  bs4: 'beautifulsoup4',
  pil: 'pillow',
  discord: 'discord.py',
};

export const buildProposals: Readonly<Record<Kinds, Proposer>> = {
  deprecated_name: (found) => {
    const name = found.diagnosis.package ?? '';
    const by = renamed[name];
    return by === undefined
      ? withoutBuild(found, 'its name is deprecated')
      : change({ kind: 'replace', name, by }, `${name} is the name of the module, and its package is ${by}`);
  },
  setuptools_too_new: (found) => {
    const text = constraintFor(found.diagnosis.subject);
    const made: Change = { kind: 'build_constraint', text };
    if (wasTried(found.state, made)) return withoutBuild(found, `it cannot be built with ${text} either`);
    return change(made, `${name(found)} is built by an older way (${found.diagnosis.subject})`);
  },
  setuptools_too_old: (found) =>
    found.state.python.startsWith('3.') && Number(found.state.python.split('.')[1]) >= 12
      ? otherPython(
          found,
          '<3.12',
          `${name(found)} is built with distutils or an old setuptools, which Python ${found.state.python} no longer has`,
        )
      : withoutBuild(found, 'its way of building is too old'),
  version_from_git: (found) => {
    const made: Change = { kind: 'build_env', name: 'SETUPTOOLS_SCM_PRETEND_VERSION', value: versionOf(found) };
    if (wasTried(found.state, made)) return withoutBuild(found, 'its version would come from git');
    return change(made, `${name(found)} takes its version from git, and there is no git history in an archive`);
  },
  build_backend_unavailable: (found) =>
    withoutBuild(
      found,
      `its build needs ${found.diagnosis.subject ?? 'a build program'}, which the index does not have`,
    ),
  build_needs_module: (found) =>
    withoutBuild(found, `its build imports ${found.diagnosis.subject} without saying that it needs it`),
  compiler_missing: (found) =>
    withoutBuild(
      found,
      'it must be compiled, and there is no compiler',
      'install one (sudo apt-get install build-essential), then retry the task',
    ),
  header_missing: (found) => systemLibrary(found, found.diagnosis.subject ?? ''),
  library_missing: (found) => systemLibrary(found, `lib${found.diagnosis.subject ?? ''}`),
  config_program_missing: (found) =>
    systemLibrary(found, found.diagnosis.package ?? '', `the system library of ${name(found)}`),
  rust_missing: (found) =>
    withoutBuild(
      found,
      'it must be compiled with Rust, and there is no Rust',
      'install it (sudo apt-get install cargo), then retry the task',
    ),
  cmake_missing: (found) =>
    withoutBuild(
      found,
      'it must be compiled with CMake, and there is no CMake',
      'install it (sudo apt-get install cmake build-essential), then retry the task',
    ),
  cuda_missing: (found) =>
    withoutBuild(
      found,
      'it is built for NVIDIA graphics cards, and runs have none',
      'use a build of it for the CPU, or an entry point that does without',
    ),
  macos_only: (found) =>
    orWithout(found, 'it runs on macOS only', () =>
      stop(`${name(found)} runs on macOS only`, 'its own build says so', 'use a package that runs on Linux'),
    ),
  python_2_code: (found) =>
    withoutBuild(found, 'it is written for Python 2', 'name a version for Python 3, or use its successor'),
  code_error: (found) => withoutBuild(found, `its C code does not compile with Python ${found.state.python}`),
  build_failed: (found) => withoutBuild(found, 'its build failed'),
};

function name(found: Case): string {
  return found.diagnosis.package ?? 'a package';
}

function constraintFor(subject: string | null): string {
  if (subject === 'use_2to3') return 'setuptools<58';
  return subject === 'cython_sources' ? 'cython<3' : 'setuptools<81';
}

/** The version that is being built, for tools that would ask git for it. */
function versionOf(found: Case): string {
  return /^={2,3}([\w.]+)$/.exec(listed(found)?.specifier ?? '')?.[1] ?? '0.0.0';
}

function systemLibrary(found: Case, what: string, shown = what): Proposal {
  const system = systemPackageOf(what);
  return withoutBuild(
    found,
    `it is compiled against ${shown}, which this machine does not have`,
    system === undefined
      ? `install ${shown} with its headers, then retry the task`
      : `install it (sudo apt-get install ${system}), then retry the task`,
  );
}

/** In this order: another interpreter that has a wheel, a newer version that may have one, doing without, a person. */
function withoutBuild(found: Case, reason: string, hint?: string): Proposal {
  const { state } = found;
  const requirement = listed(found);
  const hope = hint ?? 'name a version that has a wheel for this Python, and start the plan again';
  if (requirement === undefined)
    return stop(`${name(found)} cannot be built`, `a package of the requirements needs it: ${reason}`, hope);
  const question = `${requirement.name}${requirement.specifier}`;
  const answer = state.answers[question];
  if (answer === undefined) return { probe: question };
  const python = pythonWithWheel(answer.list, state);
  const other: Change = { kind: 'python', version: python ?? '' };
  if (python !== undefined && !wasTried(state, other))
    return change(other, `${question} has a wheel for it; ${reason}`);
  const newer = loosened(requirement);
  if (requirement.specifier.startsWith('==') && !wasTried(state, newer))
    return change(newer, `${reason}; a newer version may have a wheel`);
  return orWithout(found, reason, () =>
    stop(`${name(found)} cannot be built`, `${placeOf(requirement, null)}: ${reason}`, hope),
  );
}
