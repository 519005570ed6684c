"""argv: path of a secret outside, path of this home outside. /work is writable, /data is read-only and holds `rows`."""
import errno
import os
import re
import stat
import sys

from report import attempt

secret, home = sys.argv[1], sys.argv[2]


def read(path):
    with open(path, "rb") as f:
        return f.read(64) or "opened"


def exists(*paths):
    return [p for p in paths if os.path.lexists(p)] or None


def written(path):
    with open(path, "wb"):
        return path


def through_link(target):
    link = "/work/link"
    os.symlink(target, link)
    try:
        return read(link)
    finally:
        os.unlink(link)


def made_node(kind, device):
    os.mknod("/work/node", kind | 0o666, device)
    try:
        return read("/work/node")
    finally:
        os.unlink("/work/node")


def set_user_id(change):
    path = "/work/suid"
    with open(path, "wb"):
        pass
    try:
        change(path)
        return os.stat(path).st_mode & stat.S_ISUID and "set-user-id"
    finally:
        os.unlink(path)


def created_set_user_id():
    path = "/work/created"
    fd = os.open(path, os.O_CREAT | os.O_WRONLY, 0o4755)
    os.close(fd)
    mode = os.stat(path).st_mode
    os.unlink(path)
    return mode & stat.S_ISUID and oct(mode)


def writable_in_proc():
    """Opening is enough to know; nothing is written."""
    found = []
    for folder, folders, names in os.walk("/proc"):
        if folder == "/proc":
            folders[:] = [f for f in folders if not f.isdigit() and f not in ("self", "thread-self")]
        for name in names:
            path = os.path.join(folder, name)
            try:
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
                found.append(path)
            except OSError:
                pass
    return found or None


def devices():
    harmless = {"null", "zero", "full", "random", "urandom", "tty", "ptmx"}
    found = []
    for folder, _, names in os.walk("/dev"):
        for name in names:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            if (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)) and name not in harmless:
                found.append(path)
    return found or None


def sudo_works():
    import subprocess

    done = subprocess.run(["su", "-c", "id", "root"], stdin=subprocess.DEVNULL, capture_output=True, timeout=5)
    return done.stdout if b"uid=0" in done.stdout else None


def other_descriptors():
    found = []
    for name in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{name}")
        except OSError:
            continue
        if int(name) > 2 and not target.startswith("/proc/"):
            found.append((name, target))
    return found or None


def escaped_by_descriptor():
    """The log is a file outside: its descriptor must not lead to its folder."""
    fd = os.open("/proc/self/fd/1", os.O_RDONLY)
    return os.listdir(os.open("..", os.O_RDONLY | os.O_DIRECTORY, dir_fd=fd))


attempt("inherited descriptors", other_descriptors)
attempt("secret by path", lambda: read(secret))
attempt("secret through process 1", lambda: read("/proc/1/root" + secret))
attempt("secret through a link", lambda: through_link(secret))
attempt("secret above the mount", lambda: read("/work/../" + secret.lstrip("/")))
attempt("home folder", lambda: exists(home, home + "/runtime", "/home", "/root/.ssh", "/root/.bashrc", "/boot", "/opt", "/srv", "/run", "/sys"))
attempt("password hashes", lambda: exists("/etc/shadow", "/etc/gshadow", "/etc/ssl/private", "/etc/machine-id", "/etc/hostname"))
attempt("users of the machine", lambda: [l for l in open("/etc/passwd") if l.split(":")[0] not in ("root", "assay", "nobody")] or None)
attempt("write read-only data", lambda: written("/data/rows"))
attempt("write beside read-only data", lambda: written("/data/new"))
attempt("write programs", lambda: written("/usr/bin/new"))
attempt("write settings", lambda: written("/etc/ld.so.preload"))
attempt("write the root", lambda: written("/new"))
attempt("write devices", lambda: written("/dev/new"))
attempt("write anything in /proc", writable_in_proc)
attempt("control groups", lambda: exists("/sys/fs/cgroup") or [l for l in open("/proc/mounts") if "cgroup" in l] or None)
attempt("control groups above", lambda: [l for l in open("/proc/self/cgroup") if not re.search(r":/(assay-[0-9a-f]{12}-session_\w+)?$", l.rstrip())] or None)
attempt("block device", lambda: made_node(stat.S_IFBLK, os.makedev(254, 0)))
attempt("memory device", lambda: made_node(stat.S_IFCHR, os.makedev(1, 1)))
attempt("devices that are there", devices)
attempt("hard link out of read-only data", lambda: os.link("/data/rows", "/work/rows") or "linked")
attempt("hard link of a program", lambda: os.link("/usr/bin/env", "/work/env") or "linked")
attempt("chmod set-user-id", lambda: set_user_id(lambda p: os.chmod(p, 0o4755)))
attempt("fchmod set-user-id", lambda: set_user_id(lambda p: os.fchmod(os.open(p, os.O_RDONLY), 0o4755)))
attempt("create set-user-id", created_set_user_id)
attempt("set-user-id program", sudo_works)
attempt("change owner", lambda: set_user_id(lambda p: os.chown(p, 0, 0)) or None)
attempt("folder of the log", escaped_by_descriptor)
attempt("host name", lambda: os.uname().nodename != "sandbox" and os.uname().nodename)
attempt("rename the host", lambda: __import__("socket").sethostname("escaped") or "renamed")
