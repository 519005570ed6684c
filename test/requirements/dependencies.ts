import type { Requirement } from '../requirements.ts';

const source = 'spec: running code, dependencies';
const repair = 'spec: bounded reasoning, repair';

export const dependencyRequirements = {
  'dependency.reads-declarations': {
    says: 'requirements files, pyproject.toml (PEP 621, poetry, hatch, setuptools), setup.cfg, setup.py, Pipfile and environment.yml are read; each requirement names its file and line.',
    source,
  },
  'dependency.markers': { says: 'Conditions (PEP 508) are evaluated for the interpreter that was chosen.', source },
  'dependency.precedence': {
    says: 'Declarations are believed in a stated order, the folder of the entry point first; what is not used is named with the reason.',
    source,
  },
  'dependency.imports-last': {
    says: 'Without a declaration only the imports of the entry point count, under the name that their package has.',
    source,
  },
  'dependency.lock-files': {
    says: 'uv.lock, poetry.lock, pdm.lock and Pipfile.lock beside their declaration give the exact versions that are installed, and a file with another hash than they name is refused.',
    source,
  },
  'dependency.lock-stale': {
    says: 'A lock file that no longer fits its declaration, or cannot be installed here, is not followed, and that is said with the package that shows it.',
    source,
  },
  'dependency.setup-not-run': {
    says: 'setup.py is parsed and never executed; what it computes is named as unknown.',
    source,
  },
  'dependency.encodings': {
    says: 'Requirements files in UTF-16, with byte order marks and with includes in a circle are read or named.',
    source,
  },
  'dependency.interpreter': {
    says: 'The interpreter is chosen by Requires-Python among those of the machine; otherwise the version that is needed and the command that installs it are named.',
    source,
  },
  'dependency.repair-recorded': {
    says: 'Recorded failures of pip, of builds and of first imports are told apart, and each ends as repaired or as one sentence with what to do.',
    source: repair,
  },
  'dependency.repair-bounded': {
    says: 'A failed install is repaired by rules in at most three attempts; the same failure after a change ends them; each attempt says what changed and why.',
    source: repair,
  },
  'dependency.repair-end-to-end': {
    says: 'Names, versions, hashes, downloads, builds and first imports that fail are mended for real against a package index.',
    source: repair,
  },
  'dependency.untrusted-text': {
    says: 'What programs of a package print while it is built is never taken for what pip says of other packages, the index or the machine.',
    source: repair,
  },
  'dependency.disk-full': {
    says: 'A disk that is full while packages are installed is told with its folder, what is left and what was written; what was half made is never used.',
    source: repair,
  },
  'dependency.said': {
    says: 'The report and plan show name the Python and how it was chosen (also against what the repository demands), the installed packages with the hash of their list, and what was mended.',
    source,
  },
  'dependency.final': {
    says: 'An installation that must end the same way is not tried again by itself.',
    source: repair,
  },
  'dependency.installed-for-run': {
    says: 'What the repository needs is installed in an environment of its own, recorded with its lock, and used by preflight and run.',
    source,
  },
  'dependency.lazy-imports': {
    says: 'A module that an entry point imports only while it runs is installed by the same rules when the preflight misses it; else one sentence says why not.',
    source: repair,
  },
  'dependency.cached': { says: 'A second plan with the same needs finds the environment ready.', source },
  'dependency.refused-clearly': {
    says: 'Packages that cannot be had, a missing Python and --no-install end a plan with what is needed, where it is asked for, and what to do.',
    source,
  },
  'dependency.interpreters-listed': {
    says: 'The interpreters of PATH, pyenv and uv are found, each once.',
    source,
  },
} as const satisfies Record<string, Requirement>;
