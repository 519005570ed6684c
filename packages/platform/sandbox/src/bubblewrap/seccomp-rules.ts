/** Processor families with a system call table here. */
export type Architecture = 'x86_64' | 'aarch64';

/** A test of one argument's low 32 bits; a rule applies when all of its tests hold. */
export type ArgumentTest =
  | { readonly argument: number; readonly anyBits: number }
  | { readonly argument: number; readonly in: readonly number[] }
  | { readonly argument: number; readonly notIn: readonly number[] };

export interface SeccompRule {
  readonly name: string;
  /** The call's number per architecture; null where the call does not exist. */
  readonly number: Readonly<Record<Architecture, number | null>>;
  /** What the caller gets instead. ENOSYS makes C libraries fall back to an older call that can be inspected. */
  readonly answer: 'EPERM' | 'ENOSYS' | 'EAFNOSUPPORT';
  readonly when?: readonly ArgumentTest[];
}

/** Calls that a computation never needs and that widen what the kernel exposes. */
const refused: readonly (readonly [name: string, x86_64: number | null, aarch64: number | null])[] = [
  // other processes
  ['ptrace', 101, 117],
  ['process_vm_readv', 310, 270],
  ['process_vm_writev', 311, 271],
  ['kcmp', 312, 272],
  ['pidfd_getfd', 438, 438],
  // keys of the user outside
  ['add_key', 248, 217],
  ['request_key', 249, 218],
  ['keyctl', 250, 219],
  // namespaces and mounts
  ['unshare', 272, 97],
  ['setns', 308, 268],
  ['mount', 165, 40],
  ['umount2', 166, 39],
  ['pivot_root', 155, 41],
  ['chroot', 161, 51],
  ['open_tree', 428, 428],
  ['move_mount', 429, 429],
  ['fsopen', 430, 430],
  ['fsconfig', 431, 431],
  ['fsmount', 432, 432],
  ['fspick', 433, 433],
  ['mount_setattr', 442, 442],
  ['open_tree_attr', 467, 467],
  ['open_by_handle_at', 304, 265],
  // kernel surface with a long record of holes
  ['bpf', 321, 280],
  ['perf_event_open', 298, 241],
  ['userfaultfd', 323, 282],
  ['io_uring_setup', 425, 425],
  ['io_uring_enter', 426, 426],
  ['io_uring_register', 427, 427],
  ['fanotify_init', 300, 262],
  ['modify_ldt', 154, null],
  ['iopl', 172, null],
  ['ioperm', 173, null],
  // the machine
  ['kexec_load', 246, 104],
  ['kexec_file_load', 320, 294],
  ['init_module', 175, 105],
  ['finit_module', 313, 273],
  ['delete_module', 176, 106],
  ['swapon', 167, 224],
  ['swapoff', 168, 225],
  ['reboot', 169, 142],
  ['acct', 163, 89],
  ['quotactl', 179, 60],
  ['quotactl_fd', 443, 443],
  ['syslog', 103, 116],
  ['settimeofday', 164, 170],
  ['clock_settime', 227, 112],
  ['vhangup', 153, 58],
  ['lookup_dcookie', 212, 18],
];

const CLONE_NEW_NAMESPACES = 0x7e020000;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const S_ISUID = 0o4000;
const O_CREAT_OR_TMPFILE = 0x400040;
/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: the families that a network namespace confines (AF_VSOCK is not one). */
const CONFINED_FAMILIES = [1, 2, 10, 16];

/** Calls that are refused for some arguments only. A set-user-id file of root would outlive the sandbox. */
const conditional: readonly SeccompRule[] = [
  rule('clone', [56, 220], 'EPERM', [{ argument: 0, anyBits: CLONE_NEW_NAMESPACES }]),
  rule('clone3', [435, 435], 'ENOSYS'),
  rule('ioctl', [16, 29], 'EPERM', [{ argument: 1, in: [TIOCSTI, TIOCLINUX] }]),
  rule('socket', [41, 198], 'EAFNOSUPPORT', [{ argument: 0, notIn: CONFINED_FAMILIES }]),
  rule('chmod', [90, null], 'EPERM', [{ argument: 1, anyBits: S_ISUID }]),
  rule('fchmod', [91, 52], 'EPERM', [{ argument: 1, anyBits: S_ISUID }]),
  rule('fchmodat', [268, 53], 'EPERM', [{ argument: 2, anyBits: S_ISUID }]),
  rule('fchmodat2', [452, 452], 'EPERM', [{ argument: 2, anyBits: S_ISUID }]),
  rule('creat', [85, null], 'EPERM', [{ argument: 1, anyBits: S_ISUID }]),
  rule('mknod', [133, null], 'EPERM', [{ argument: 1, anyBits: S_ISUID }]),
  rule('mknodat', [259, 33], 'EPERM', [{ argument: 2, anyBits: S_ISUID }]),
  rule('open', [2, null], 'EPERM', [
    { argument: 1, anyBits: O_CREAT_OR_TMPFILE },
    { argument: 2, anyBits: S_ISUID },
  ]),
  rule('openat', [257, 56], 'EPERM', [
    { argument: 2, anyBits: O_CREAT_OR_TMPFILE },
    { argument: 3, anyBits: S_ISUID },
  ]),
  rule('openat2', [437, 437], 'ENOSYS'),
];

export const seccompRules: readonly SeccompRule[] = [
  ...refused.map(([name, x86_64, aarch64]) => rule(name, [x86_64, aarch64], 'EPERM')),
  ...conditional,
];

function rule(
  name: string,
  [x86_64, aarch64]: readonly [number | null, number | null],
  answer: SeccompRule['answer'],
  when: readonly ArgumentTest[] = [],
): SeccompRule {
  return { name, number: { x86_64, aarch64 }, answer, when };
}
