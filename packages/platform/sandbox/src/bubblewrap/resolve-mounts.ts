import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, join, normalize, relative } from 'node:path';
import { AssayError } from '@assay/foundation';
import type { Mount, SandboxSpec } from '../sandbox.ts';
import type { PathCheck } from '../session-host/protocol.ts';

export interface ResolvedMounts {
  /** Real sources, parents before children. */
  readonly mounts: readonly Mount[];
  readonly masks: readonly { readonly target: string; readonly kind: PathCheck['kind'] }[];
  /** Prefixes of the interpreter, at the same paths inside. */
  readonly interpreter: readonly { readonly source: string; readonly target: string }[];
  readonly checks: readonly PathCheck[];
}

/** Parts of the built root; nothing is mounted over or into them. */
const reserved = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/proc',
  '/dev',
  '/sys',
  '/run',
];

/**
 * Every mount with its real source. Rejects, with the reason, what is outside the allowed folders, leads out of them by
 * a link, is neither file nor folder, shows `hidden` (the home's runtime folder), or would need a mount point that is
 * not there: bubblewrap would otherwise make one on this machine, through whatever link stands in its way.
 */
export function resolveMounts(spec: SandboxSpec, hidden: string): ResolvedMounts {
  const roots = { rw: realRoots(spec.allowedRoots), ro: realRoots([...spec.allowedRoots, ...spec.dataRoots]) };
  const checks: PathCheck[] = [];
  const mounts: Mount[] = [];
  for (const mount of [...spec.mounts].sort((a, b) => (a.target < b.target ? -1 : 1))) {
    requireTarget(mount.target, mounts);
    if (mount.contentSha256 !== undefined && mount.mode === 'rw')
      throw refused(`${mount.target} cannot be attested`, 'what can be written has no fixed content');
    const source = resolveSource(mount, roots[mount.mode], hidden);
    checks.push(source);
    const outer = enclosing(mount.target, mounts);
    if (outer !== undefined) checks.push(requireMountPoint(mount.target, outer, source.kind));
    mounts.push({ ...mount, source: source.path });
  }
  const masks = (spec.masks ?? []).map((target) => resolveMask(target, mounts));
  return {
    mounts,
    masks: masks.map(({ target, check }) => ({ target, kind: check.kind })),
    interpreter: interpreterMounts(spec, hidden),
    checks: [...checks, ...masks.map(({ check }) => check)],
  };
}

/** True when `path` is `folder` or inside it. Both must be normal absolute paths. */
export function isInside(path: string, folder: string): boolean {
  const from = relative(folder, path);
  return from === '' || (!from.startsWith('../') && from !== '..' && !isAbsolute(from));
}

function resolveSource(mount: Mount, roots: readonly string[], hidden: string): PathCheck {
  requirePlainPath(mount.source, 'mount source');
  const path = realPath(mount.source);
  if (path === undefined) throw refused(`${mount.source} cannot be mounted`, 'it does not exist');
  if (!roots.some((root) => isInside(path, root)))
    throw refused(
      `${mount.source} cannot be mounted ${mount.mode === 'rw' ? 'writable' : 'read-only'}`,
      `it is ${path}, outside the allowed folders (${roots.join(', ') || 'none'})`,
      'put it into a quest, or name its folder under data.roots',
    );
  if (isInside(hidden, path) || isInside(path, hidden))
    throw refused(`${mount.source} cannot be mounted`, `it would show ${hidden}, which holds tokens and locks`);
  return { path, kind: kindOf(path) };
}

function interpreterMounts(spec: SandboxSpec, hidden: string): ResolvedMounts['interpreter'] {
  return (spec.interpreter?.mounts ?? []).map((target) => {
    requirePlainPath(target, 'interpreter folder');
    const source = realPath(target);
    if (source === undefined) throw refused(`the interpreter folder ${target} cannot be mounted`, 'it does not exist');
    if (isInside(hidden, source))
      throw refused(`the interpreter folder ${target} cannot be mounted`, `it would show ${hidden}`);
    return { source, target };
  });
}

function requireTarget(target: string, earlier: readonly Mount[]): void {
  requirePlainPath(target, 'mount target');
  if (target === '/' || reserved.some((path) => isInside(target, path)))
    throw refused(`nothing can be mounted at ${target}`, 'that part of the root belongs to the sandbox');
  if (earlier.some((mount) => mount.target === target))
    throw refused(`two mounts share the target ${target}`, 'one would hide the other');
}

/** The mount point inside another mount, which must be there already, itself and not through a link. */
function requireMountPoint(target: string, outer: Mount, kind: PathCheck['kind']): PathCheck {
  const path = join(outer.source, relative(outer.target, target));
  if (realPath(path) !== path || kindOf(path) !== kind)
    throw refused(
      `nothing can be mounted at ${target}`,
      `${path} is not a ${kind} of its own, and a mount point cannot be made inside another mount`,
      `make the ${kind} first`,
    );
  return { path, kind };
}

function resolveMask(target: string, mounts: readonly Mount[]): { target: string; check: PathCheck } {
  requirePlainPath(target, 'masked path');
  const outer = enclosing(target, mounts);
  if (outer === undefined) throw refused(`${target} cannot be masked`, 'it is in no mount');
  const path = join(outer.source, relative(outer.target, target));
  if (realPath(path) !== path)
    throw refused(`${target} cannot be masked`, `${path} does not exist as a path of its own`);
  return { target, check: { path, kind: kindOf(path) } };
}

/** The innermost mount that holds `target`. */
function enclosing(target: string, mounts: readonly Mount[]): Mount | undefined {
  return mounts.filter((mount) => isInside(target, mount.target)).sort((a, b) => b.target.length - a.target.length)[0];
}

function requirePlainPath(path: string, what: string): void {
  if (isAbsolute(path) && !path.includes('\0') && normalize(path) === path && (path === '/' || !path.endsWith('/')))
    return;
  throw refused(
    `${JSON.stringify(path)} is not a usable ${what}`,
    'it must be an absolute path without "..", "." or a slash at its end',
  );
}

function kindOf(path: string): PathCheck['kind'] {
  const stat = lstatSync(path);
  if (stat.isDirectory()) return 'folder';
  if (stat.isFile()) return 'file';
  throw refused(`${path} cannot be mounted`, 'it is neither a file nor a folder');
}

function realRoots(roots: readonly string[]): string[] {
  return roots.flatMap((root) => realPath(root) ?? []);
}

export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

const USUAL_HINT =
  'check that the folders of the home, the data and the interpreter are there and are themselves, not links';

function refused(what: string, why: string, hint = USUAL_HINT): AssayError {
  return new AssayError('sandbox_refused', what, { why, hint });
}
