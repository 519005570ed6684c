import type { SandboxSpec } from '../sandbox.ts';
import { bridgeInside, PROXY_SOCKET } from '../bridge.ts';
import type { PathCheck } from '../session-host/protocol.ts';
import type { HostFacts } from './host-facts.ts';
import type { ResolvedMounts } from './resolve-mounts.ts';
import { INNER_GID, INNER_UID, type StubFiles } from './stub-files.ts';

/** A compiled boundary: bubblewrap's options, what must still hold when they are used, and what is watched. */
export interface Boundary {
  readonly options: readonly string[];
  readonly checks: readonly PathCheck[];
  readonly watched: readonly string[];
}

/**
 * New namespaces of every kind, no further user namespaces, no capabilities (as root bubblewrap would otherwise keep
 * all of its namespace), a session of its own, and death with the session host.
 */
const isolation = [
  '--unshare-all',
  '--unshare-user',
  '--disable-userns',
  '--cap-drop',
  'ALL',
  '--new-session',
  '--die-with-parent',
  '--uid',
  String(INNER_UID),
  '--gid',
  String(INNER_GID),
  '--hostname',
  'sandbox',
  '--clearenv',
];

/** The whole root is built from named parts: a read-only view of this machine's `/` would still show its secrets. */
export function compileBoundary(
  spec: Pick<SandboxSpec, 'diskBytes' | 'readOnlyRoot' | 'network'>,
  mounts: ResolvedMounts,
  parts: { readonly facts: HostFacts; readonly stubs: StubFiles },
): Boundary {
  const { facts, stubs } = parts;
  const options = [
    ...isolation,
    ...facts.top.flatMap((entry) =>
      entry.kind === 'link' ? ['--symlink', entry.to, entry.path] : ['--ro-bind', entry.path, entry.path],
    ),
    ...openFolder('/etc'),
    ...facts.etc.flatMap((path) => ['--ro-bind', path, path]),
    ...stubs.etc.flatMap(({ source, target }) => ['--ro-bind', source, target]),
    ...procOptions(facts),
    ...deviceOptions(spec.diskBytes),
    ...temporaryFolder('/tmp', spec.diskBytes),
    ...openFolder('/var'),
    '--symlink',
    '../tmp',
    '/var/tmp',
    ...mounts.interpreter.flatMap(({ source, target }) => ['--ro-bind', source, target]),
    ...mounts.mounts.flatMap(({ source, target, mode }) => [mode === 'rw' ? '--bind' : '--ro-bind', source, target]),
    ...mounts.masks.flatMap(({ target, kind }) => maskOptions(target, kind, stubs.empty)),
    ...(typeof spec.network === 'object' ? bridgeOptions(stubs.bridge) : []),
    ...(spec.readOnlyRoot ? ['--remount-ro', '/'] : []),
  ];
  return {
    options,
    checks: mounts.checks,
    watched: mounts.mounts.filter(({ mode }) => mode === 'rw').map(({ source }) => source),
  };
}

/**
 * /proc of the new pid namespace. The kernel lets a process of this machine's root write /proc/sys whatever its
 * capabilities are, so that it is bound read-only; files about the whole machine are empty. Process 1 is bubblewrap
 * itself, of the same user and without the filter: whoever could write its memory would have left the filter.
 */
function procOptions(facts: HostFacts): string[] {
  return [
    '--proc',
    '/proc',
    '--ro-bind',
    '/proc/sys',
    '/proc/sys',
    ...[...facts.procFiles, '/proc/1/mem', '/proc/1/task/1/mem'].flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...facts.procFolders.flatMap((path) => ['--size', '4096', '--tmpfs', path, '--remount-ro', path]),
  ];
}

/** Harmless devices only, shared memory with a bound, and nothing that can be added. */
function deviceOptions(diskBytes: number): string[] {
  return ['--dev', '/dev', ...temporaryFolder('/dev/shm', diskBytes), '--remount-ro', '/dev'];
}

/** bubblewrap makes missing parents unreadable for others; this one is as everywhere. */
function openFolder(path: string): string[] {
  return ['--perms', '0755', '--dir', path];
}

/** A folder in memory that everybody inside may write, up to a bound. */
function temporaryFolder(path: string, bytes: number): string[] {
  return ['--size', String(bytes), '--perms', '1777', '--tmpfs', path];
}

/** The bridge, and the one socket that leads out. Each session has its own: the session host puts its path in. */
function bridgeOptions(bridge: string): string[] {
  return [
    ...openFolder('/run'),
    ...openFolder(bridgeInside.folder),
    '--ro-bind',
    bridge,
    bridgeInside.program,
    '--ro-bind',
    PROXY_SOCKET,
    bridgeInside.socket,
  ];
}

function maskOptions(target: string, kind: PathCheck['kind'], emptyFile: string): string[] {
  if (kind === 'file') return ['--ro-bind', emptyFile, target];
  return ['--size', '4096', '--tmpfs', target, '--remount-ro', target];
}
