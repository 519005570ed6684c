import type { ClassFacts, FunctionFacts, ModuleFacts, ScanResult } from './scan-result.ts';

export interface ResolvedMethod {
  readonly method: FunctionFacts;
  /** The module that holds it, which for an inherited method is the base class's. */
  readonly module: ModuleFacts;
}

export interface ResolvedClass {
  readonly facts: ClassFacts;
  readonly module: ModuleFacts;
}

const DEPTH = 8;

/** Finds classes, methods and modules by name across the files of one scan. */
export class CodeIndex {
  readonly modules: readonly ModuleFacts[];
  /** Files that are no Python. */
  readonly files: readonly string[];
  readonly #byName = new Map<string, ModuleFacts>();
  readonly #standard: ReadonlySet<string>;
  readonly #ownTops: ReadonlySet<string>;

  constructor(scan: ScanResult) {
    this.modules = scan.modules;
    this.files = scan.files;
    for (const module of scan.modules) {
      this.#byName.set(module.module, module);
      // Imported from the repository's root, a folder without __init__.py is part of the name.
      const fromRoot = module.path.replace(/(\/__init__)?\.py$/, '').replaceAll('/', '.');
      if (!this.#byName.has(fromRoot)) this.#byName.set(fromRoot, module);
    }
    this.#standard = new Set(scan.standardLibrary);
    this.#ownTops = new Set([...this.#byName.keys()].map((name) => name.split('.')[0] ?? ''));
  }

  /** The module of this dotted name. */
  moduleNamed(name: string): ModuleFacts | undefined {
    return this.#byName.get(name);
  }

  /** The class that a name means inside a module: defined there or imported, also through a package's `__init__`. */
  resolveClass(module: ModuleFacts, name: string, depth = 0): ResolvedClass | undefined {
    const bare = name.replace(/\[.*$/s, '');
    const own = module.classes.find((facts) => facts.name === bare);
    if (own !== undefined) return { facts: own, module };
    if (depth > DEPTH) return undefined;
    const origin = this.originOf(module, bare);
    return origin === undefined ? undefined : this.resolveClass(origin.module, origin.name, depth + 1);
  }

  /** The text behind a type alias, followed through imports; undefined when the name is none. */
  resolveAlias(module: ModuleFacts, name: string, depth = 0): string | undefined {
    const own = module.aliases[name];
    if (own !== undefined) return own;
    if (depth > DEPTH) return undefined;
    const origin = this.originOf(module, name);
    return origin === undefined ? undefined : this.resolveAlias(origin.module, origin.name, depth + 1);
  }

  /** The methods of a class by name, its own before those of its bases. */
  methodsOf(resolved: ResolvedClass): ReadonlyMap<string, ResolvedMethod> {
    const methods = new Map<string, ResolvedMethod>();
    for (const { facts, module } of this.lineage(resolved))
      for (const method of facts.methods) if (!methods.has(method.name)) methods.set(method.name, { method, module });
    return methods;
  }

  /** A class and the bases that are in the repository, nearest first. */
  lineage(resolved: ResolvedClass): ResolvedClass[] {
    const found: ResolvedClass[] = [];
    const queue = [resolved];
    for (let at = 0; at < queue.length && found.length < 32; at += 1) {
      const current = queue[at];
      if (current === undefined || found.some((known) => known.facts === current.facts)) continue;
      found.push(current);
      for (const base of current.facts.bases) {
        const parent = this.resolveClass(current.module, base);
        if (parent !== undefined) queue.push(parent);
      }
    }
    return found;
  }

  /** The repository's modules that a module always imports, itself included, and what they need from elsewhere. */
  reach(start: ModuleFacts): { readonly modules: readonly ModuleFacts[]; readonly thirdParty: readonly string[] } {
    const seen = new Set<ModuleFacts>([start]);
    const thirdParty = new Set<string>();
    const queue = [start];
    for (let module = queue.pop(); module !== undefined; module = queue.pop()) {
      const own = this.#importedModules(module, thirdParty);
      for (const next of own) {
        if (seen.has(next)) continue;
        seen.add(next);
        queue.push(next);
      }
    }
    return { modules: [...seen], thirdParty: [...thirdParty].sort() };
  }

  #importedModules(module: ModuleFacts, thirdParty: Set<string>): ModuleFacts[] {
    const found = this.#packagesOf(module);
    for (const entry of module.imports) {
      const target = this.#find(module, entry.module);
      if (target !== undefined) found.push(target, ...this.#packagesOf(target));
      for (const [name] of entry.names) {
        const inner = this.#find(module, `${entry.module}.${name}`);
        if (inner !== undefined) found.push(inner);
      }
      const top = entry.module.split('.')[0] ?? '';
      const isOwn = entry.relative === true || this.#ownTops.has(top);
      if (target === undefined && !isOwn && !entry.conditional && !this.#isStandard(top)) thirdParty.add(top);
    }
    return found;
  }

  /** Importing `a.b.c` runs `a/__init__.py` and `a/b/__init__.py` first. */
  #packagesOf(module: ModuleFacts): ModuleFacts[] {
    const parts = module.module.split('.');
    const names = parts.map((_, length) => parts.slice(0, length).join('.')).slice(1);
    return names.map((name) => this.#byName.get(name)).filter((found) => found !== undefined);
  }

  /** Where a name of a module was imported from, when that is the repository itself. */
  originOf(module: ModuleFacts, name: string): { module: ModuleFacts; name: string } | undefined {
    const [head = '', ...rest] = name.split('.');
    for (const entry of module.imports) {
      const found = entry.names.find(([, local]) => local === head);
      if (found !== undefined && rest.length === 0) {
        const target = this.#find(module, entry.module);
        if (target !== undefined && target !== module) return { module: target, name: found[0] };
      }
      const isModule =
        entry.names.length === 0 && (entry.alias ?? entry.module) === name.split('.').slice(0, -1).join('.');
      const target = isModule ? this.#find(module, entry.module) : undefined;
      if (target !== undefined) return { module: target, name: rest.at(-1) ?? '' };
      const inner =
        found === undefined || rest.length !== 1 ? undefined : this.#find(module, `${entry.module}.${found[0]}`);
      if (inner !== undefined) return { module: inner, name: rest[0] ?? '' };
    }
    return undefined;
  }

  /** Scripts import their neighbours by the bare name. */
  #find(from: ModuleFacts, name: string): ModuleFacts | undefined {
    return (
      this.modules.find((module) => module.module === name && module.importRoot === from.importRoot) ??
      this.#byName.get(name)
    );
  }

  #isStandard(top: string): boolean {
    return top === '' || top === '__future__' || this.#standard.has(top);
  }
}
