import { packageOfModule } from '../import-names.ts';
import { normaliseName } from '../requirement.ts';
import type { DiagnosisKind } from './diagnosis.ts';
import type { Change } from './install-state.ts';
import { change, otherPython, placeOf, stop, wasTried, type Proposer } from './proposals.ts';
import { removedModules } from './rules-run.ts';
import { systemPackageOf } from './system-packages.ts';

type Kinds = Extract<
  DiagnosisKind,
  | 'module_missing'
  | 'module_removed'
  | 'name_missing'
  | 'numpy_abi'
  | 'shared_library_missing'
  | 'syntax_too_new'
  | 'unknown'
>;

export const runProposals: Readonly<Record<Kinds, Proposer>> = {
  module_missing: ({ diagnosis, state }) => {
    const module = diagnosis.subject ?? '';
    const name = normaliseName(packageOfModule(module).name);
    const elsewhere = state.unavailable.find((one) => one.name === name || one.name === normaliseName(module));
    if (elsewhere !== undefined)
      return stop(
        `the module ${module} is missing`,
        `${placeOf(elsewhere, name)} would come from git or an address, and packages are taken from the package index only`,
        'copy its code into the repository, or name a released version in the requirements',
      );
    const declared = state.declared.find((one) => one.name === name);
    const specifier = module === 'pkg_resources' ? '<81' : (declared?.specifier ?? '');
    const listed = state.requirements.find((one) => one.name === name);
    if (module === 'pkg_resources' && listed !== undefined && !listed.specifier.includes('<')) {
      const older: Change = {
        kind: 'range',
        name,
        from: listed.specifier,
        to: [listed.specifier, '<81'].filter(Boolean).join(','),
      };
      if (!wasTried(state, older)) return change(older, 'newer versions of setuptools no longer bring pkg_resources');
    }
    const made: Change = { kind: 'add', name, specifier };
    if (wasTried(state, made) || listed !== undefined)
      return stop(
        `the module ${module} is missing`,
        `${name} was installed and does not bring it`,
        `name the package that brings ${module} in the repository’s requirements`,
      );
    return change(made, `the code imports ${module}, and nothing that is installed brings it`);
  },
  module_removed: (found) => {
    const { diagnosis, state } = found;
    const module = diagnosis.subject ?? '';
    const shim: Change = { kind: 'add', name: 'setuptools', specifier: '' };
    if (module === 'distutils' && !wasTried(state, shim))
      return change(shim, `Python ${state.python} no longer has distutils, and setuptools brings it`);
    return otherPython(
      found,
      `<${removedModules[module] ?? '3.12'}`,
      `Python ${state.python} no longer has the module ${module}`,
    );
  },
  name_missing: ({ diagnosis }) => {
    const [module = '', ...rest] = (diagnosis.subject ?? '').split('.');
    const name = rest.at(-1) ?? '';
    return stop(
      `${module} has no ${name}`,
      `the installed version of ${packageOfModule(module).name} is not the one that the code was written for`,
      `name the version that has it in the repository’s requirements, such as ${packageOfModule(module).name}==1.2.3`,
    );
  },
  numpy_abi: ({ state }) => {
    const listed = state.requirements.find(({ name }) => name === 'numpy');
    const to = listed === undefined ? '<2' : joined(listed.specifier);
    const made: Change =
      listed === undefined
        ? { kind: 'add', name: 'numpy', specifier: '<2' }
        : { kind: 'range', name: 'numpy', from: listed.specifier, to };
    if (wasTried(state, made))
      return stop(
        'packages were compiled for different versions of numpy',
        'they do not fit together with numpy 1 either',
        'name versions of numpy and of the packages that use it that were released together',
      );
    return change(made, 'a package was compiled for numpy 1 and cannot work with numpy 2');
  },
  shared_library_missing: ({ diagnosis, state }) => {
    const library = diagnosis.subject ?? '';
    const screen = state.requirements.find(({ name }) => /^opencv(-contrib)?-python$/.test(name));
    if (/^lib(GL|gthread|SM|Xext|Xrender|glib)/.test(library) && screen !== undefined)
      return change(
        { kind: 'replace', name: screen.name, by: `${screen.name}-headless` },
        `${screen.name} needs ${library} of a desktop; the headless package is the same without windows`,
      );
    if (/^lib(cu|nv|nccl)/.test(library))
      return stop(
        `${library} is missing`,
        'it is part of NVIDIA’s libraries for graphics cards, and runs have none',
        'use a build of the package for the CPU',
      );
    const system = systemPackageOf(library);
    return stop(
      `the system library ${library} is missing`,
      'an installed package loads it when it is imported',
      system === undefined
        ? `install the system package that has ${library}, then retry the task`
        : `install it (sudo apt-get install ${system}), then retry the task`,
    );
  },
  syntax_too_new: (found) => {
    const minor = Number(found.state.python.split('.')[1]);
    return otherPython(
      found,
      `>=3.${minor + 1}`,
      `${found.diagnosis.subject} is written for a newer Python than ${found.state.python}`,
    );
  },
  unknown: ({ diagnosis }) =>
    stop(
      'installing the packages failed for a reason that is not known here',
      `the last line was: ${diagnosis.evidence}`,
      'read the log of the session, correct the requirements and start the plan again',
    ),
};

/** The part of a range that leaves numpy 1 possible. */
function joined(specifier: string): string {
  const kept = specifier
    .split(',')
    .filter((part) => part !== '' && !/^(={2,3}|>=|>|~=)\s*2/.test(part) && part !== '<2');
  return [...kept.filter((part) => !/^={2,3}/.test(part)), '<2'].join(',');
}
