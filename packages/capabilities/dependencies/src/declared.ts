import type { Ignored, Origin, Requirement } from './requirement.ts';
import type { FileText } from './text.ts';

/** Reads a file of the repository; undefined when it is not there or is no plain file. */
export type ReadText = (path: string) => Promise<FileText | undefined>;

/** What one way of declaring says. */
export interface Declared {
  readonly requirements: readonly Requirement[];
  /** Ranges that hold only when the package is needed for another reason. */
  readonly constraints: readonly Requirement[];
  readonly requiresPython: readonly { readonly specifier: string; readonly origin: Origin }[];
  readonly ignored: readonly Ignored[];
  readonly files: readonly string[];
}

export const nothingDeclared: Declared = {
  requirements: [],
  constraints: [],
  requiresPython: [],
  ignored: [],
  files: [],
};

/** All that several declarations say, in their order. */
export function joinDeclared(parts: readonly Declared[]): Declared {
  return {
    requirements: parts.flatMap((part) => part.requirements),
    constraints: parts.flatMap((part) => part.constraints),
    requiresPython: parts.flatMap((part) => part.requiresPython),
    ignored: parts.flatMap((part) => part.ignored),
    files: [...new Set(parts.flatMap((part) => part.files))],
  };
}

/** Collects what a reader finds. */
export class Collector {
  readonly requirements: Requirement[] = [];
  readonly constraints: Requirement[] = [];
  readonly requiresPython: { specifier: string; origin: Origin }[] = [];
  readonly ignored: Ignored[] = [];
  readonly files: string[] = [];

  ignore(what: string, why: string, origin: Origin): void {
    this.ignored.push({ what, why, origin });
  }

  add(part: Declared): void {
    this.requirements.push(...part.requirements);
    this.constraints.push(...part.constraints);
    this.requiresPython.push(...part.requiresPython);
    this.ignored.push(...part.ignored);
    this.files.push(...part.files.filter((file) => !this.files.includes(file)));
  }

  result(): Declared {
    const { requirements, constraints, requiresPython, ignored, files } = this;
    return { requirements, constraints, requiresPython, ignored, files };
  }
}

/** A path inside the repository, or undefined when it leaves it. Both sides use `/`. */
export function insideRepository(folder: string, path: string): string | undefined {
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return undefined;
  const parts: string[] = [];
  for (const part of [...folder.split('/'), ...path.replaceAll('\\', '/').split('/')]) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}
