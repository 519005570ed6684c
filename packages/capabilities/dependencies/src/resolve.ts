import { AssayError } from '@assay/foundation';
import { isStandardLibrary } from '@assay/repositories';
import { declarationsOf, type Found, type Tree } from './declarations.ts';
import { folderOf, nothingDeclared, type Declared } from './declared.ts';
import type { DependencySpec, RequiresPython } from './dependency-spec.ts';
import { followLock } from './follow-lock.ts';
import { importRequirements } from './import-requirements.ts';
import { findLocalProjects } from './local-projects.ts';
import { normaliseName, requirementText, type Ignored, type Requirement } from './requirement.ts';
import { packageOfModule } from './import-names.ts';

export interface ResolveOptions extends Tree {
  /** The entry point's file, relative to the repository's root. */
  readonly entryFile: string;
  /** Top-level modules that its files always import and that neither Python nor the repository brings. */
  readonly imports: readonly string[];
  /** Modules that the entry point's own file imports somewhere, perhaps only when it needs them. */
  readonly lazyImports?: readonly string[];
  /** Files that import a module, for saying where. */
  readonly importers: (module: string) => readonly string[];
}

/**
 * What an entry point needs. The folder of its file is asked first, then the folders around it up to the root; in a
 * folder the ways of declaring are believed in the order of `declarationOrder`. Nothing of the repository is executed.
 * Throws `dependencies_required` when it needs something that comes only from git or from an address.
 */
export async function resolveSpec(options: ResolveOptions): Promise<DependencySpec> {
  const { chosen, around } = await chooseDeclaration(options);
  const projects = await findLocalProjects(options, chosen?.declared ?? nothingDeclared);
  const declared = projects.declared;
  const fromImports = await importRequirements(options, declared);
  const isNeeded = options.imports.length > 0 || importsDeclared(options.lazyImports ?? [], declared);
  const brought = declared.requirements.filter(isBrought);
  const locked = await followLock(
    options.files,
    options.read,
    chosen && { kind: chosen.kind, file: chosen.declared.files[0] ?? '', requirements: chosen.declared.requirements },
  );
  const places = divide(declared.requirements.filter((one) => !isBrought(one)));
  const spec: DependencySpec = {
    v: 1,
    ecosystem: 'python',
    source: isNeeded ? (places.installable.length > 0 ? (chosen?.kind ?? null) : 'imports') : null,
    files: [...declared.files],
    requirements: isNeeded ? mutable([...places.installable, ...fromImports]) : [],
    constraints: mutable([...declared.constraints, ...locked.pins]),
    lock: locked.lock,
    notNeeded: isNeeded ? [] : mutable(places.installable),
    unavailable: mutable(places.unavailable),
    requiresPython: requiredPython(around),
    pythonPath: [...projects.pythonPath],
    projectBuild: projects.build,
    ignored: [
      ...around.flatMap(({ ignored }) => ignored),
      ...locked.ignored,
      ...declared.ignored,
      ...unavailableNotes(places.unavailable),
      ...brought.map((one) => ({ what: requirementText(one), why: 'Python brings it', origin: one.origin })),
    ].map((entry) => ({ ...entry, origin: { ...entry.origin } })),
  };
  requireAvailable(spec, options.imports);
  return spec;
}

/** An import inside a function counts when its package is declared: without that it may be a choice of the program. */
function importsDeclared(modules: readonly string[], { requirements }: Declared): boolean {
  const names = new Set(requirements.map(({ name }) => name));
  return modules.some(
    (module) => names.has(normaliseName(packageOfModule(module).name)) || names.has(normaliseName(module)),
  );
}

interface Around {
  readonly found: readonly Found[];
  readonly ignored: readonly Ignored[];
}

/** The nearest folder that declares something, and what else was found on the way. */
async function chooseDeclaration(
  options: ResolveOptions,
): Promise<{ readonly chosen: Found | undefined; readonly around: readonly Around[] }> {
  const around: Around[] = [];
  for (const folder of foldersAround(options.entryFile)) {
    const { found, passedOver } = await declarationsOf(options, folder);
    const chosen = found.find(({ declared }) => declared.requirements.length > 0);
    const others = found.filter((one) => one !== chosen);
    const why =
      chosen === undefined ? 'it declares no packages' : `${chosen.declared.files[0] ?? chosen.kind} stands before it`;
    const beaten = others
      .filter(({ declared }) => declared.files.length > 0)
      .map(({ declared }) => ({
        what: declared.files[0] ?? '',
        why,
        origin: { file: declared.files[0] ?? '', line: 1 },
      }));
    const broken = chosen === undefined ? others.flatMap(({ declared }) => declared.ignored) : [];
    around.push({ found, ignored: [...passedOver, ...beaten, ...broken] });
    if (chosen !== undefined) return { chosen, around };
  }
  return { chosen: undefined, around };
}

function foldersAround(file: string): string[] {
  const folders = [folderOf(file)];
  while (folders.at(-1) !== '' && folders.length < 20) folders.push(folderOf(folders.at(-1) ?? ''));
  return folders;
}

/** Packaging files demand a Python; a Pipfile or a conda environment only says which one its author had. */
function requiredPython(around: readonly Around[]): RequiresPython[] {
  const seen = new Set<string>();
  return around.flatMap(({ found }) =>
    found.flatMap(({ kind, declared }) =>
      declared.requiresPython.flatMap(({ specifier, origin }) => {
        const isPreference = kind === 'Pipfile' || kind === 'environment.yml';
        const key = `${specifier} ${isPreference}`;
        if (seen.has(key)) return [];
        seen.add(key);
        return [{ specifier, origin: { ...origin }, isPreference }];
      }),
    ),
  );
}

/** Old packages of this name replace parts of Python by older ones. */
function isBrought({ name, place }: Requirement): boolean {
  return place.kind === 'index' && isStandardLibrary(name.replaceAll('-', '_'));
}

function divide(requirements: readonly Requirement[]): { installable: Requirement[]; unavailable: Requirement[] } {
  const isUnavailable = ({ place }: Requirement) => place.kind !== 'index';
  return {
    installable: requirements.filter((one) => !isUnavailable(one)),
    unavailable: requirements.filter(isUnavailable),
  };
}

function unavailableNotes(requirements: readonly Requirement[]): Ignored[] {
  return requirements.map((one) => ({
    what: requirementText(one),
    why: `it ${one.place.kind === 'path' ? 'is a file of the repository' : 'comes from git or from an address'}, and packages are taken from the package index only`,
    origin: one.origin,
  }));
}

/** Throws `dependencies_required` for a module that comes only from git or from an address. */
export function requireAvailable(spec: DependencySpec, imports: readonly string[]): void {
  for (const one of spec.unavailable) {
    const module = imports.find((name) => providesModule(one, name));
    if (module === undefined) continue;
    throw new AssayError('dependencies_required', `${module} cannot be installed from the package index`, {
      why: `${one.origin.file}:${one.origin.line} takes it from ${addressOf(one)}`,
      hint: `copy its code into the repository, or name a released version of it in ${one.origin.file}`,
      details: { requirement: requirementText(one) },
    });
  }
}

/** By its name, or by the last part of its address: `git+https://…/CLIP.git` brings `clip`. */
function providesModule(requirement: Requirement, module: string): boolean {
  const last =
    addressOf(requirement)
      .replace(/[@#?].*$/, '')
      .replace(/\.git$/, '')
      .split('/')
      .at(-1) ?? '';
  const names = [requirement.name, normaliseName(last)].filter((name) => name !== '');
  return names.some((name) => name === normaliseName(module) || name === normaliseName(packageOfModule(module).name));
}

function addressOf({ place }: Requirement): string {
  return place.kind === 'vcs' || place.kind === 'url' ? place.url.replace(/\/\/[^/@]*@/, '//') : '';
}

export function mutable(requirements: readonly Requirement[]): DependencySpec['requirements'] {
  return requirements.map((one) => ({
    ...one,
    extras: [...one.extras],
    hashes: [...one.hashes],
    place: { ...one.place },
    origin: { ...one.origin },
  }));
}
