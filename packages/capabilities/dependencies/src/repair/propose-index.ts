import { isStandardLibrary } from '@assay/repositories';
import { isImportNameOnly, packageOfModule, wellKnownPackages } from '../import-names.ts';
import { normaliseName } from '../requirement.ts';
import { compareVersions, versionFits } from '../specifiers.ts';
import { proposeForConflict } from './propose-conflict.ts';
import type { DiagnosisKind } from './diagnosis.ts';
import type { Change, Proposal } from './install-state.ts';
import {
  change,
  isImported,
  listed,
  orWithout,
  otherPython,
  placeOf,
  stop,
  wasTried,
  type Case,
  type Proposer,
} from './proposals.ts';
import { isSlip } from './spelling.ts';
import { pythonWithWheel, platformsOf } from './wheel-tags.ts';

type Kinds = Extract<
  DiagnosisKind,
  | 'tls'
  | 'proxy_refused'
  | 'proxy_down'
  | 'name_resolution'
  | 'index_down'
  | 'index_timeout'
  | 'index_auth'
  | 'index_forbidden'
  | 'index_error'
  | 'needs_other_python'
  | 'conflict'
  | 'hash_mismatch'
  | 'hash_incomplete'
  | 'not_found'
  | 'unknown_package'
  | 'not_in_folders'
  | 'version_missing'
  | 'yanked'
  | 'no_wheel'
  | 'sdist_only'
  | 'wrong_platform_file'
  | 'bad_metadata'
  | 'bad_archive'
>;

const AGAIN: Change = { kind: 'again' };

/** What passes by itself is tried once more; then a person must look. */
function onceMore(found: Case, reason: string, instead: Proposal): Proposal {
  return wasTried(found.state, AGAIN) ? instead : change(AGAIN, reason);
}

function index({ diagnosis }: Case): string {
  return diagnosis.subject ?? 'the package index';
}

export const indexProposals: Readonly<Record<Kinds, Proposer>> = {
  tls: (found) =>
    stop(
      `the certificate of ${index(found)} is not trusted`,
      `the connection was refused: ${found.diagnosis.list[0]?.trim() ?? 'the certificate could not be verified'}`,
      'when a company’s proxy or index has its own certificate, name it to pip: pip config set global.cert /path/to/ca.pem',
    ),
  proxy_refused: (found) =>
    stop(
      `the proxy does not let ${index(found)} through`,
      `it answered ${found.diagnosis.list[0] ?? 'no'}; installs reach only the hosts that pip is configured for`,
      'check pip’s configuration (pip config list): index-url, extra-index-url and proxy',
    ),
  proxy_down: () =>
    stop(
      'the proxy cannot be reached',
      'pip is configured to use a proxy, and nothing answers there',
      'check HTTPS_PROXY and pip’s proxy setting (pip config list), then retry the task',
    ),
  name_resolution: (found) =>
    stop(
      `the name of ${index(found)} cannot be resolved`,
      'this machine is offline, or the name in pip’s configuration is wrong',
      'check the network and pip config list, then retry the task; without a network, name a folder with wheels: pip config set global.find-links /path',
    ),
  index_down: (found) =>
    onceMore(
      found,
      `${index(found)} did not answer`,
      stop(
        `${index(found)} cannot be reached`,
        'it did not answer twice',
        'check the network and pip config list, and retry the task when the index is up again',
      ),
    ),
  index_timeout: (found) =>
    onceMore(
      found,
      `${index(found)} took too long to answer`,
      stop(
        `${index(found)} is too slow`,
        'it did not answer in time, twice',
        'retry the task later, or raise the limit: pip config set global.timeout 60',
      ),
    ),
  index_error: (found) =>
    onceMore(
      found,
      `${index(found)} answered with error ${found.diagnosis.list[0] ?? '5xx'}`,
      stop(
        `${index(found)} has a fault`,
        `it answered with error ${found.diagnosis.list[0] ?? '5xx'} twice`,
        'retry the task when the index works again',
      ),
    ),
  index_auth: (found) =>
    stop(
      `${index(found)} wants a user name and a password`,
      'it answered 401, and passwords of pip’s configuration are not shown to a sandbox',
      `keep them (assay secrets set NAME --host ${index(found)} --for packages), then retry the task`,
    ),
  index_forbidden: (found) =>
    stop(
      `${index(found)} refuses access`,
      'it answered 403 Forbidden',
      'ask who runs the index for access, or name another one in pip’s configuration',
    ),
  needs_other_python: (found) => {
    const { diagnosis, state } = found;
    const name = diagnosis.requirement ?? diagnosis.package ?? 'a package';
    return otherPython(
      found,
      diagnosis.subject ?? '',
      `${name} needs Python ${diagnosis.subject}, and ${state.python} was used`,
    );
  },
  conflict: proposeForConflict,
  hash_mismatch: (found) => {
    const requirement = listed(found);
    const refusal = stop(
      `${found.diagnosis.package} is not the file that was promised`,
      'its SHA-256 differs from the one that the requirements or the index name',
      'do not use it before you know why: a release was replaced, a download was damaged, or somebody changed it. Correct the hash only after checking',
    );
    const { package: name } = found.diagnosis;
    const promised = [requirement, ...found.state.constraints.filter((one) => one.name === name)];
    if (promised.some((one) => (one?.hashes.length ?? 0) > 0)) return refusal;
    return onceMore(found, 'the download may have been damaged', refusal);
  },
  hash_incomplete: () =>
    change(
      { kind: 'without_hashes' },
      'only some requirements name hashes or exact versions, and pip demands all or none; what is installed is recorded with its hash',
    ),
  not_found: (found) => {
    const { requirement } = found.diagnosis;
    if (requirement !== null && found.state.answers[requirement] === undefined) return { probe: requirement };
    return unknownPackage(found);
  },
  unknown_package: (found) => unknownPackage(found),
  not_in_folders: (found) =>
    orWithout(found, 'the folders with packages do not have it', () =>
      stop(
        `the folders with packages do not have ${found.diagnosis.requirement}`,
        'pip is configured to use folders only (no-index), so nothing is looked for on the network',
        `put its wheel there: pip download ${found.diagnosis.package} -d FOLDER`,
      ),
    ),
  version_missing: versionMissing,
  yanked: (found) => {
    const [version] = [...found.diagnosis.list].sort((a, b) => compareVersions(b, a));
    const requirement = listed(found);
    const reason = `every version of ${found.diagnosis.package} that fits was withdrawn (yanked) by its authors`;
    if (requirement === undefined || version === undefined)
      return stop(
        reason,
        `versions that fit: ${found.diagnosis.list.join(', ')}`,
        'allow another version in the requirements',
      );
    return change(
      { kind: 'range', name: requirement.name, from: requirement.specifier, to: `==${version}` },
      `${reason}; the newest of them is taken by its exact version`,
    );
  },
  no_wheel: (found) => {
    const { diagnosis, state } = found;
    const python = pythonWithWheel(diagnosis.list, state);
    const name = diagnosis.requirement ?? diagnosis.package ?? '';
    if (python !== undefined && !wasTried(state, { kind: 'python', version: python }))
      return change(
        { kind: 'python', version: python },
        `${name} has wheels for it, and none for Python ${state.python}`,
      );
    const platforms = platformsOf(diagnosis.list);
    const reason = `${name} exists only for ${platforms}`;
    return orWithout(found, reason, () =>
      stop(
        `${name} does not run on this machine`,
        `its files are for ${platforms}`,
        `name a version that has a file for Linux and Python ${state.python}, or use a package that runs everywhere`,
      ),
    );
  },
  sdist_only: (found) =>
    stop(
      `${found.diagnosis.requirement} exists only as source code`,
      'there is no wheel, and building was not allowed',
      'name a version that has a wheel',
    ),
  wrong_platform_file: (found) =>
    stop(
      `${found.diagnosis.subject} is for another machine`,
      'the file names a platform or a Python that this machine is not',
      'replace it by the package’s name and version, so that the right file is chosen',
    ),
  bad_metadata: (found) => {
    const requirement = listed(found);
    if (requirement !== undefined && requirement.specifier !== '' && !wasTried(found.state, loosened(requirement)))
      return change(loosened(requirement), 'that version has metadata that pip cannot read; a newer one is taken');
    return orWithout(found, 'its metadata cannot be read', () =>
      stop(
        `${found.diagnosis.package} has metadata that pip refuses`,
        found.diagnosis.evidence,
        'name a newer version of it in the requirements',
      ),
    );
  },
  bad_archive: (found) =>
    onceMore(
      found,
      'the download may have been damaged',
      stop(
        `the file of ${found.diagnosis.package ?? 'a package'} is damaged`,
        'it is not a valid archive, twice',
        'tell who runs the index, or name another version in the requirements',
      ),
    ),
};

/** The newest of what fits from here on. */
export function loosened({ name, specifier }: { readonly name: string; readonly specifier: string }): Change {
  const pin = /^={2,3}([^*,]+?)(\.\*)?$/.exec(specifier)?.[1];
  return { kind: 'range', name, from: specifier, to: pin === undefined ? '' : `>=${pin.replace(/\+.*$/, '')}` };
}

function unknownPackage(found: Case): Proposal {
  const { diagnosis, state } = found;
  const name = diagnosis.package ?? '';
  const requirement = listed(found);
  if (requirement === undefined)
    return stop(
      `the package index has no ${name}`,
      'a package of the requirements needs it',
      'name another version of that package in the requirements',
    );
  if (isStandardLibrary(requirement.name))
    return change({ kind: 'remove', name: requirement.name }, 'Python brings it');
  const known = packageOfModule(requirement.name.replaceAll('-', '_'));
  const byModule = isImportNameOnly(requirement.name) ? known.name : packageOfModule(requirement.name).name;
  if (normaliseName(byModule) !== requirement.name)
    return change(
      { kind: 'replace', name: requirement.name, by: normaliseName(byModule) },
      `${requirement.name} is the name of the module, and its package is ${byModule}`,
    );
  const near = wellKnownPackages().filter((one) => isSlip(name, normaliseName(one)));
  const meant = near.find((one) => isImported(state, normaliseName(one)));
  if (meant !== undefined)
    return change(
      { kind: 'replace', name, by: normaliseName(meant) },
      `${name} does not exist, and the entry point imports ${meant}: a slip of the pen`,
    );
  return orWithout(found, 'the package index does not have it', () =>
    stop(
      `the package index has no ${name}`,
      `${placeOf(requirement, name)} asks for it${near.length === 0 ? '' : `; did its author mean ${near.join(' or ')}?`}`,
      'correct the name in the repository, or add the index that has it to pip’s configuration',
    ),
  );
}

function versionMissing(found: Case): Proposal {
  const { diagnosis } = found;
  const requirement = listed(found);
  const versions = [...diagnosis.list].sort(compareVersions);
  const name = diagnosis.package ?? '';
  const shown =
    versions.length > 6 ? `${versions.slice(0, 2).join(', ')} … ${versions.slice(-3).join(', ')}` : versions.join(', ');
  if (requirement === undefined)
    return stop(
      `no version of ${name} fits ${diagnosis.requirement}`,
      `a package of the requirements needs it; there are ${shown}`,
      'name another version of that package in the requirements',
    );
  const local = /^==([^+]+)\+(.+)$/.exec(requirement.specifier);
  if (local !== null && versions.some((version) => versionFits(version, `==${local[1]}`)))
    return change(
      { kind: 'range', name, from: requirement.specifier, to: `==${local[1]}` },
      `the index has ${local[1]} without the build for "${local[2]}"`,
    );
  const series = /^={2,3}(\d+\.\d+)\b/.exec(requirement.specifier)?.[1];
  const range = series === undefined ? undefined : `==${series}.*`;
  if (range !== undefined && range !== requirement.specifier && versions.some((version) => versionFits(version, range)))
    return change(
      { kind: 'range', name, from: requirement.specifier, to: range },
      `that version does not exist; ${name} ${series} has others`,
    );
  return orWithout(found, `no version of it fits ${requirement.specifier}`, () =>
    stop(
      `no version of ${name} fits ${requirement.specifier}`,
      `${placeOf(requirement, name)} asks for it; there are ${shown}`,
      'correct the version in the repository and start the plan again',
    ),
  );
}
