import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { inWords, recording, recordingNames, stateOf, stepAfter, type Setting } from './support/recording.ts';

/** The entry point imports something else: a package that fails may be left out. */
const apart = { imports: ['numpy'] };
const again = (why: string) => `repaired: the same is tried once more (${why})`;

/** What every recorded failure means, and how it ends: repaired, or a sentence with what to do. */
const expected: Readonly<Record<string, readonly [kind: string, end: string, setting?: Setting]>> = {
  'auth-needed': [
    'not_found',
    'index.example wants a user name and a password | it answered 401, and passwords of pip’s configuration are not shown to a sandbox | keep them (assay secrets set NAME --host index.example --for packages), then retry the task',
  ],
  'auth-needed-new-pip': [
    'not_found',
    'index.example wants a user name and a password | it answered 401, and passwords of pip’s configuration are not shown to a sandbox | keep them (assay secrets set NAME --host index.example --for packages), then retry the task',
  ],
  'bad-metadata': [
    'bad_metadata',
    'meta has metadata that pip refuses | WARNING: Ignoring version 1.0 of meta since it has invalid metadata: | name a newer version of it in the requirements',
  ],
  'bad-zip': ['bad_archive', again('the download may have been damaged')],
  'build-backend-missing': [
    'build_backend_unavailable',
    'backendless cannot be built | backendless (requirements.txt:1): its build needs hatchling, which the index does not have | name a version that has a wheel for this Python, and start the plan again',
  ],
  'build-needs-numpy': [
    'build_needs_module',
    'needsnumpy cannot be built | needsnumpy (requirements.txt:1): its build imports numpy without saying that it needs it | name a version that has a wheel for this Python, and start the plan again',
  ],
  'build-needs-pkg-resources': [
    'setuptools_too_new',
    'repaired: builds use setuptools<81 (pkgres is built by an older way (pkg_resources))',
  ],
  'build-needs-torch': [
    'build_needs_module',
    'repaired: flashy is left out (its build imports torch without saying that it needs it, and the entry point does not import it)',
    apart,
  ],
  'c-code-error': [
    'code_error',
    'wrongc cannot be built | wrongc (requirements.txt:1): its C code does not compile with Python 3.11.7 | name a version that has a wheel for this Python, and start the plan again',
  ],
  'c-code-error-newer-wheel': [
    'code_error',
    'repaired: wrongc==1.0 becomes wrongc>=1.0 (its C code does not compile with Python 3.11.7; a newer version may have a wheel)',
  ],
  'c-code-error-old-wheel': [
    'code_error',
    'repaired: Python 3.9.18 is used (wrongc==1.0 has a wheel for it; its C code does not compile with Python 3.11.7)',
  ],
  'cmake-missing': [
    'cmake_missing',
    'cmakey cannot be built | cmakey (requirements.txt:1): it must be compiled with CMake, and there is no CMake | install it (sudo apt-get install cmake build-essential), then retry the task',
  ],
  'conda-line': [
    'invalid_line',
    '"alpha=1.0=py311_0" is not a requirement | it has not the form name, name==version or name>=version | correct the line in the repository’s requirements and start the plan again',
  ],
  'conflict-pins': [
    'conflict',
    'repaired: alpha==1.0 becomes alpha (the versions contradict each other: The user requested alpha==1.0; beta 1.0 depends on alpha>=2)',
  ],
  'conflict-pins-new-pip': [
    'conflict',
    'repaired: alpha==1.0 becomes alpha (the versions contradict each other: The user requested alpha==1.0; beta 1.0 depends on alpha>=2)',
  ],
  'conflict-transitive': [
    'conflict',
    'repaired: beta==1.0 becomes beta (the versions contradict each other: beta 1.0 depends on alpha>=2; gamma 1.0 depends on alpha<2)',
  ],
  'conflict-two-lines': [
    'conflict',
    'alpha is required in two versions | alpha==1.0 (requirements.txt:1) and alpha==2.0 (requirements.txt:2) contradict each other | keep one of the lines in requirements.txt and start the plan again',
  ],
  'cuda-home': [
    'cuda_missing',
    'cudaext cannot be built | cudaext (requirements.txt:1): it is built for NVIDIA graphics cards, and runs have none | use a build of it for the CPU, or an entry point that does without',
  ],
  'cuda-version': [
    'version_missing',
    'repaired: torch==2.1.0+cu118 becomes torch==2.1.0 (the index has 2.1.0 without the build for "cu118")',
  ],
  'cyclic-include': [
    'file_cycle',
    'requirements files include each other in a circle | a -r line leads back to a file that includes it | remove one of the -r lines and start the plan again',
  ],
  'cyclic-include-new-pip': [
    'file_cycle',
    'requirements files include each other in a circle | a -r line leads back to a file that includes it | remove one of the -r lines and start the plan again',
  ],
  'disk-full': [
    'disk_full',
    'the disk is full | pip said: ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device | free space on the disk of the home (assay doctor shows how much there is), then retry the task; nothing half installed is used',
  ],
  'distutils-removed': [
    'setuptools_too_old',
    'repaired: Python 3.11.7 is used (distold is built with distutils or an old setuptools, which Python 3.12.1 no longer has)',
  ],
  'download-cut': ['hash_mismatch', again('the download may have been damaged')],
  'editable-missing': [
    'local_path_missing',
    'the local package ./libs/tool is missing | a requirement names a folder or file that is not in the repository | add it to the repository, or name the package with a version instead',
  ],
  'git-missing': [
    'git_needed',
    'a package comes from git, and packages are taken from the package index only | a package would be fetched from git | name a released version of it in the requirements, or copy its code into the repository',
  ],
  'git-unreachable': [
    'git_needed',
    'a package comes from git, and packages are taken from the package index only | a package would be fetched from https://git.invalid/x/tool.git | name a released version of it in the requirements, or copy its code into the repository',
  ],
  'hash-mismatch': [
    'hash_mismatch',
    'alpha is not the file that was promised | its SHA-256 differs from the one that the requirements or the index name | do not use it before you know why: a release was replaced, a download was damaged, or somebody changed it. Correct the hash only after checking',
  ],
  'hash-missing': [
    'hash_incomplete',
    'repaired: the hashes of the repository are not checked (only some requirements name hashes or exact versions, and pip demands all or none; what is installed is recorded with its hash)',
  ],
  'hash-of-index-wrong': ['hash_mismatch', again('the download may have been damaged')],
  'hash-unpinned': [
    'hash_incomplete',
    'repaired: the hashes of the repository are not checked (only some requirements name hashes or exact versions, and pip demands all or none; what is installed is recorded with its hash)',
  ],
  'import-name': [
    'not_found',
    'repaired: cv2 is replaced by opencv-python-headless (cv2 is the name of the module, and its package is opencv-python-headless)',
  ],
  'include-missing': [
    'file_missing',
    'the requirements file base.txt is missing | a -r or -c line names it, and the repository does not have it | add the file to the repository, or remove the line',
  ],
  'inconsistent-version': [
    'bad_metadata',
    'repaired: meta is left out (its metadata cannot be read, and the entry point does not import it)',
    apart,
  ],
  'index-down': ['index_down', again('the package index did not answer')],
  'index-down-new-pip': ['index_down', again('the package index did not answer')],
  'index-error': ['not_found', again('index.example answered with error 503')],
  'index-forbidden': [
    'not_found',
    'index.example refuses access | it answered 403 Forbidden | ask who runs the index for access, or name another one in pip’s configuration',
  ],
  'invalid-line': [
    'invalid_line',
    '"alpha beta" is not a requirement | it has not the form name, name==version or name>=version | correct the line in the repository’s requirements and start the plan again',
  ],
  'invalid-line-new-pip': [
    'invalid_line',
    '"alpha beta" is not a requirement | it has not the form name, name==version or name>=version | correct the line in the repository’s requirements and start the plan again',
  ],
  'killed-while-building': [
    'build_killed',
    'a build was killed, most likely because memory ran out | the program that builds a package ended with signal 9 | raise sandbox.memory_bytes in config.yaml, or name versions that have wheels, so that nothing is built',
  ],
  'local-file-missing': [
    'local_path_missing',
    'the local package /croot/tool_1659/work is missing | a requirement names a folder or file that is not in the repository | add it to the repository, or name the package with a version instead',
  ],
  'local-folder-no-project': [
    'not_a_project',
    './libs is not a Python project | it has neither pyproject.toml nor setup.py | add one of them, or remove the line from the requirements',
  ],
  'local-path-missing': [
    'local_path_missing',
    'the local package ./libs/tool is missing | a requirement names a folder or file that is not in the repository | add it to the repository, or name the package with a version instead',
  ],
  'local-project-python': [
    'needs_other_python',
    'Python 3.13 is needed | project needs Python >=3.13, and 3.11.7 was used; this machine has 3.9.18, 3.11.7, 3.12.1 | install Python 3.13, for example with "uv python install 3.13" or "pyenv install 3.13", and start the plan again',
  ],
  'macos-only': [
    'macos_only',
    'repaired: pyobjc-core is left out (it runs on macOS only, and the entry point does not import it)',
    apart,
  ],
  'missing-header': [
    'header_missing',
    'lapackish cannot be built | lapackish (requirements.txt:1): it is compiled against fftw3.h, which this machine does not have | install it (sudo apt-get install libfftw3-dev), then retry the task',
  ],
  'missing-library': [
    'library_missing',
    'linkish cannot be built | linkish (requirements.txt:1): it is compiled against libfftw3, which this machine does not have | install it (sudo apt-get install libfftw3-dev), then retry the task',
  ],
  'name-resolution': [
    'name_resolution',
    'the name of the package index cannot be resolved | this machine is offline, or the name in pip’s configuration is wrong | check the network and pip config list, then retry the task; without a network, name a folder with wheels: pip config set global.find-links /path',
  ],
  'needs-compiler': [
    'compiler_missing',
    'compiled cannot be built | compiled (requirements.txt:1): it must be compiled, and there is no compiler | install one (sudo apt-get install build-essential), then retry the task',
  ],
  'needs-older-python': [
    'needs_other_python',
    'repaired: Python 3.9.18 is used (alpha needs Python <3.10, and 3.11.7 was used)',
  ],
  'needs-other-python': [
    'needs_other_python',
    'repaired: Python 3.13.0 is used (alpha needs Python >=3.13, and 3.11.7 was used)',
    { pythons: ['3.11.7', '3.13.0'] },
  ],
  'no-wheel-for-platform': [
    'not_found',
    'winmac does not run on this machine | its files are for Windows and macOS | name a version that has a file for Linux and Python 3.11.7, or use a package that runs everywhere',
  ],
  'out-of-memory': [
    'out_of_memory',
    'installing needed more memory than it may have | it ended with: MemoryError | raise sandbox.memory_bytes in config.yaml, or name versions that have wheels, so that nothing is built',
  ],
  'outside-numba': [
    'needs_other_python',
    'repaired: Python 3.9.18 is used (numba==0.53.1 needs Python >=3.6,<3.10, and 3.11.7 was used)',
  ],
  'outside-numpy-2': [
    'numpy_abi',
    'repaired: numpy==2.0.2 becomes numpy<2 (a package was compiled for numpy 1 and cannot work with numpy 2)',
  ],
  'outside-numpy-abi': [
    'numpy_abi',
    'repaired: numpy==2.0.2 becomes numpy<2 (a package was compiled for numpy 1 and cannot work with numpy 2)',
  ],
  'outside-portaudio': [
    'header_missing',
    'repaired: pyaudio==0.2.14 becomes pyaudio>=0.2.14 (it is compiled against portaudio.h, which this machine does not have; a newer version may have a wheel)',
  ],
  'outside-postgres': [
    'config_program_missing',
    'repaired: mysqlclient==2.2.0 becomes mysqlclient>=2.2.0 (it is compiled against the system library of mysqlclient, which this machine does not have; a newer version may have a wheel)',
  ],
  'outside-pyyaml-cython': [
    'setuptools_too_new',
    'repaired: builds use cython<3 (pyyaml is built by an older way (cython_sources))',
  ],
  'outside-sklearn': [
    'deprecated_name',
    'repaired: sklearn is replaced by scikit-learn (sklearn is the name of the module, and its package is scikit-learn)',
  ],
  permission: [
    'not_writable',
    "the environment could not be written | /work/env/lib/python3.11/site-packages/alpha cannot be written: ERROR: Could not install packages due to an OSError: [Errno 30] Read-only file system: '/work/env/lib/python3.11/site-packages/alpha' | check the rights and the file system of the home folder, then retry the task",
  ],
  'proxy-down': [
    'proxy_down',
    'the proxy cannot be reached | pip is configured to use a proxy, and nothing answers there | check HTTPS_PROXY and pip’s proxy setting (pip config list), then retry the task',
  ],
  'proxy-refuses': [
    'proxy_refused',
    'the proxy does not let the package index through | it answered 403 Forbidden; installs reach only the hosts that pip is configured for | check pip’s configuration (pip config list): index-url, extra-index-url and proxy',
  ],
  'python-2-code': [
    'python_2_code',
    'printy cannot be built | printy (requirements.txt:1): it is written for Python 2 | name a version for Python 3, or use its successor',
  ],
  'run-cuda-library': [
    'shared_library_missing',
    'libcudart.so.12 is missing | it is part of NVIDIA’s libraries for graphics cards, and runs have none | use a build of the package for the CPU',
  ],
  'run-distutils': [
    'module_removed',
    'repaired: setuptools is added (Python 3.12.1 no longer has distutils, and setuptools brings it)',
  ],
  'run-missing-module': [
    'module_missing',
    'repaired: gamma-module is added (the code imports gamma_module, and nothing that is installed brings it)',
  ],
  'run-missing-name': [
    'name_missing',
    'alpha has no gone | the installed version of alpha is not the one that the code was written for | name the version that has it in the repository’s requirements, such as alpha==1.2.3',
  ],
  'run-no-pkg-resources': [
    'module_missing',
    'repaired: setuptools<81 is added (the code imports pkg_resources, and nothing that is installed brings it)',
  ],
  'run-shared-library': [
    'shared_library_missing',
    'the system library libportaudio.so.2 is missing | an installed package loads it when it is imported | install it (sudo apt-get install libportaudio2), then retry the task',
  ],
  'run-syntax': ['syntax_too_new', 'repaired: Python 3.12.1 is used (newer is written for a newer Python than 3.8.18)'],
  'rust-missing': [
    'rust_missing',
    'rusty cannot be built | rusty (requirements.txt:1): it must be compiled with Rust, and there is no Rust | install it (sudo apt-get install cargo), then retry the task',
  ],
  'sdist-only': [
    'not_found',
    'pure exists only as source code | there is no wheel, and building was not allowed | name a version that has a wheel',
  ],
  'sdist-python-check': [
    'needs_other_python',
    'repaired: Python 3.9.18 is used (oldnum needs Python >=3.6,<3.10, and 3.11.7 was used)',
  ],
  'setuptools-missing': [
    'build_backend_unavailable',
    'nosetup cannot be built | nosetup (requirements.txt:1): its build needs setuptools, which the index does not have | name a version that has a wheel for this Python, and start the plan again',
  ],
  'setuptools-scm': [
    'version_from_git',
    'repaired: builds see SETUPTOOLS_SCM_PRETEND_VERSION=0.0.0 (scmver takes its version from git, and there is no git history in an archive)',
  ],
  'setuptools-too-old-for-python': [
    'setuptools_too_old',
    'repaired: Python 3.11.7 is used (oldbuild is built with distutils or an old setuptools, which Python 3.12.1 no longer has)',
  ],
  'standard-library-name': ['not_found', 'repaired: sqlite3 is left out (Python brings it)'],
  'time-out': ['index_timeout', again('index.example took too long to answer')],
  tls: [
    'tls',
    'the certificate of index.example is not trusted | the connection was refused: self-signed certificate | when a company’s proxy or index has its own certificate, name it to pip: pip config set global.cert /path/to/ca.pem',
  ],
  typo: [
    'not_found',
    'repaired: reqeusts is replaced by requests (reqeusts does not exist, and the entry point imports requests: a slip of the pen)',
    { imports: ['requests'] },
  ],
  'unknown-option': [
    'invalid_option',
    'pip does not know the option --fancy | the requirements file holds an option that this version of pip does not have | remove the option from the requirements file and start the plan again',
  ],
  'unknown-package': [
    'not_found',
    'the package index has no alpha-of-nobody | alpha-of-nobody (requirements.txt:1) asks for it | correct the name in the repository, or add the index that has it to pip’s configuration',
  ],
  'unknown-package-new-pip': [
    'not_found',
    'repaired: alpha-of-nobody is left out (the package index does not have it, and the entry point does not import it)',
    apart,
  ],
  'use-2to3': [
    'setuptools_too_new',
    'repaired: builds use setuptools<58 (twotothree is built by an older way (use_2to3))',
  ],
  'utf-16': [
    'file_encoding',
    "a requirements file is in an encoding that pip cannot read | pip said: 'utf-8' codec can't decode byte 0xd8 in position 10: invalid continuation byte | save the file in UTF-8 and start the plan again",
  ],
  'version-not-existing': [
    'version_missing',
    'no version of alpha fits ==9.9 | alpha==9.9 (requirements.txt:1) asks for it; there are 1.0, 2.0 | correct the version in the repository and start the plan again',
  ],
  'version-not-existing-new-pip': [
    'version_missing',
    'no version of alpha fits ==9.9 | alpha==9.9 (requirements.txt:1) asks for it; there are 1.0, 2.0 | correct the version in the repository and start the plan again',
  ],
  'version-too-high-range': [
    'version_missing',
    'repaired: alpha is left out (no version of it fits >=3, and the entry point does not import it)',
    apart,
  ],
  'wheel-not-supported': [
    'wrong_platform_file',
    'winmac-1.0-cp311-cp311-win_amd64.whl is for another machine | the file names a platform or a Python that this machine is not | replace it by the package’s name and version, so that the right file is chosen',
  ],
  'windows-only': [
    'not_found',
    'repaired: pywin32 is left out (pywin32==306 exists only for Windows, and the entry point does not import it)',
    apart,
  ],
  yanked: [
    'yanked',
    'repaired: alpha>=1.0 becomes alpha==1.0 (every version of alpha that fits was withdrawn (yanked) by its authors; the newest of them is taken by its exact version)',
  ],
};

test('there are at least forty recordings, and an expectation for each', () => {
  verifies('dependency.repair-recorded');
  expect(recordingNames()).toEqual(Object.keys(expected).sort());
  expect(recordingNames().length).toBeGreaterThanOrEqual(40);
  for (const name of recordingNames()) expect(recording(name).tool).toMatch(/^pip \d+\.\d/);
});

test.each(Object.entries(expected))('%s', (name, [kind, end, setting]) => {
  verifies('dependency.repair-recorded');
  const { diagnosis, step } = stepAfter(name, stateOf(recording(name), setting));
  expect([diagnosis.kind, inWords(step)]).toEqual([kind, end]);
});
