"""Calls that must not reach the kernel: anything but a refusal means that they did."""
import ctypes
import errno
import os
import platform
import signal

from report import attempt

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
X86 = platform.machine() == "x86_64"
REFUSED = (errno.EPERM, errno.ENOSYS, errno.EAFNOSUPPORT)


def call(number, *arguments):
    def action():
        ctypes.set_errno(0)
        result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) for a in arguments])
        code = ctypes.get_errno()
        return None if result == -1 and code in REFUSED else (result, errno.errorcode.get(code))

    return action


def call_in_child(number, *arguments):
    """For calls that would change or end this process."""

    def action():
        pid = os.fork()
        if pid == 0:
            os._exit(0 if call(number, *arguments)() is None else 1)
        _, status = os.waitpid(pid, 0)
        return None if status == 0 else status

    return action


def killed_by_filter(action):
    def check():
        pid = os.fork()
        if pid == 0:
            action()
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        return None if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGSYS else status

    return check


numbers = {
    # name: (x86_64, aarch64, arguments that are harmless when the call is let through)
    "ptrace": (101, 117, (0x4200, 1, 0, 0)),
    "process_vm_readv": (310, 270, (1, 0, 0, 0, 0, 0)),
    "process_vm_writev": (311, 271, (1, 0, 0, 0, 0, 0)),
    "add_key": (248, 217, (0, 0, 0, 0, 0)),
    "request_key": (249, 218, (0, 0, 0, 0)),
    "keyctl": (250, 219, (0, -3, 0)),
    "setns": (308, 268, (0, 0)),
    "mount": (165, 40, (0, 0, 0, 0, 0)),
    "umount2": (166, 39, (0, 0)),
    "pivot_root": (155, 41, (0, 0)),
    "chroot": (161, 51, (0,)),
    "open_tree": (428, 428, (-1, 0, 0)),
    "fsopen": (430, 430, (0, 0)),
    "mount_setattr": (442, 442, (-1, 0, 0, 0, 0)),
    "open_by_handle_at": (304, 265, (-1, 0, 0)),
    "bpf": (321, 280, (0, 0, 0)),
    "perf_event_open": (298, 241, (0, 0, 0, -1, 0)),
    "userfaultfd": (323, 282, (0,)),
    "io_uring_setup": (425, 425, (1, 0)),
    "fanotify_init": (300, 262, (0, 0)),
    "kexec_load": (246, 104, (0, 0, 0, 0)),
    "finit_module": (313, 273, (-1, 0, 0)),
    "swapon": (167, 224, (0, 0)),
    "reboot": (169, 142, (0, 0, 0, 0)),
    "syslog": (103, 116, (10, 0, 0)),
    "pidfd_getfd": (438, 438, (-1, 0, 0)),
    "clone3": (435, 435, (0, 0)),
    "openat2": (437, 437, (-100, 0, 0, 0)),
}
for name, (x86_64, aarch64, arguments) in numbers.items():
    attempt(name, call(x86_64 if X86 else aarch64, *arguments))

unshare = 272 if X86 else 97
for name, flag in {"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "network": 0x40000000, "cgroup": 0x2000000}.items():
    attempt(f"unshare {name}", call_in_child(unshare, flag))
attempt("clone with a user namespace", call_in_child(56 if X86 else 220, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0))
attempt("push input into a terminal", call(16 if X86 else 29, 0, 0x5412, 0))
attempt("push input, upper bits set", call(16 if X86 else 29, 0, 0x7FFFFFFF00005412, 0))
if X86:
    attempt("x32 interface", killed_by_filter(lambda: libc.syscall(ctypes.c_long(0x40000000 + 39))))



def int80():
    """mov eax, 20 (getpid of i386); int 0x80; ret"""
    import mmap

    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()


def threads_work():
    import subprocess
    import threading

    done = []
    thread = threading.Thread(target=lambda: done.append(1))
    thread.start()
    thread.join()
    return None if done and subprocess.run(["true"]).returncode == 0 else "threads or processes are broken"


attempt("threads and processes work", threads_work)
if X86:
    attempt("i386 interface", killed_by_filter(int80))
