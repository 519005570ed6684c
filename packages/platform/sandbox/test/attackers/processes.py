"""argv: pid of a process outside, a text of its environment and the name it has, both reversed: arguments can be seen."""
import ctypes
import os
import signal
import sys

from report import attempt

outside, canary, name = int(sys.argv[1]), sys.argv[2][::-1].encode(), sys.argv[3][::-1].encode()


def read(path):
    with open(path, "rb") as f:
        return f.read()


def pids():
    return [p for p in os.listdir("/proc") if p.isdigit()]


def anywhere(leaf, needle):
    for pid in pids():
        try:
            if needle in read(f"/proc/{pid}/{leaf}"):
                return pid
        except OSError:
            pass
    return None


def is_outside(pid):
    return name in read(f"/proc/{pid}/cmdline")


def signalled():
    if not is_outside(outside):
        return None
    os.kill(outside, 0)
    return "reached"


def parent():
    pid = os.getppid()
    return pid if pid > 1 and is_outside(pid) else None


def groups():
    # With a pid namespace of its own, -1 means everybody inside; 0 as signal number harms nobody.
    os.kill(-1, 0)
    return [p for p in pids() if p != str(os.getpid()) and is_outside(p)] or None


def ptrace_first():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(16, 1, 0, 0) == 0:  # PTRACE_ATTACH
        libc.ptrace(17, 1, 0, 0)
        return "attached to process 1"
    return None


def different(path, own):
    return not os.path.samestat(os.stat(path), os.stat(own)) and os.listdir(path)


def filtered():
    """Whoever takes over an unfiltered process has left the filter."""
    unfiltered = [p for p in pids() if b"Seccomp:\t2" not in read(f"/proc/{p}/status")]
    for pid in unfiltered:
        written(f"/proc/{pid}/mem")
    return unfiltered or None


def written(path):
    with open(path, "r+b", buffering=0):
        return path


def appended(path):
    with open(path, "ab", buffering=0):
        return path


attempt("see it in /proc", lambda: anywhere("cmdline", name))
attempt("read its environment", lambda: anywhere("environ", canary))
attempt("signal it", signalled)
attempt("parent outside", parent)
attempt("signal everybody", groups)
attempt("ptrace process 1", ptrace_first)
attempt("memory of process 1", lambda: written("/proc/1/mem"))
attempt("program of process 1", lambda: appended("/proc/1/exe"))
attempt("memory of its thread", lambda: written("/proc/1/task/1/mem"))
attempt("root of process 1", lambda: different("/proc/1/root", "/"))
attempt("above the folder of process 1", lambda: different("/proc/1/cwd/../../../..", "/"))
attempt("own environment", lambda: canary in repr(os.environ).encode() or None)
attempt("more than own processes", lambda: len(pids()) > 4 and pids() or None)
attempt("scheduling", lambda: os.nice(-5) is not None)
attempt("oom protection", lambda: open("/proc/self/oom_score_adj", "wb", buffering=0).write(b"-1000"))
attempt("unfiltered process", filtered)
