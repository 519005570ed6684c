import { lstatSync, readlinkSync } from 'node:fs';

/** How a path of this machine's root looks, as far as it is shown inside. */
export type RootEntry =
  | { readonly path: string; readonly kind: 'link'; readonly to: string }
  | { readonly path: string; readonly kind: 'present' };

/** The system's programs, and the legacy top folders: links into /usr on merged systems. */
const topFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** What of /etc programs need: the loader's cache, Debian's alternatives (BLAS and many commands), time zone, CAs. */
const etcEntries = [
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/alternatives',
  '/etc/localtime',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust/extracted',
];

/** Files and folders of /proc that speak of the whole machine; some could be written by root without capabilities. */
const procFiles = [
  'kcore',
  'kallsyms',
  'keys',
  'key-users',
  'kmsg',
  'mtrr',
  'sysrq-trigger',
  'timer_list',
  'sched_debug',
];
const procFolders = ['acpi', 'scsi', 'fs', 'pressure'];

/** The parts of this machine that the built root is made of. */
export interface HostFacts {
  readonly top: readonly RootEntry[];
  readonly etc: readonly string[];
  readonly procFiles: readonly string[];
  readonly procFolders: readonly string[];
}

export function readHostFacts(): HostFacts {
  const inProc = (names: readonly string[]) => names.map((name) => `/proc/${name}`).filter(exists);
  return {
    top: topFolders.filter(exists).map(rootEntry),
    etc: etcEntries.filter(exists),
    procFiles: inProc(procFiles),
    procFolders: inProc(procFolders),
  };
}

function rootEntry(path: string): RootEntry {
  return lstatSync(path).isSymbolicLink() ? { path, kind: 'link', to: readlinkSync(path) } : { path, kind: 'present' };
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
