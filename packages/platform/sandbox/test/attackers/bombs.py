"""argv: fork | disk | tmp | shm | one-file"""
import errno
import os
import sys
import time

MIB = 1 << 20


def fill(folder, files, size):
    written = 0
    try:
        for i in range(files):
            with open(f"{folder}/bomb-{i}", "wb", buffering=0) as f:
                for _ in range(size // MIB):
                    written += f.write(b"\1" * MIB)
    except OSError as error:
        print(errno.errorcode[error.errno], written // MIB, flush=True)
        return
    print("written", written // MIB, flush=True)


def forks():
    started = 0
    try:
        for _ in range(2000):
            if os.fork() == 0:
                time.sleep(60)
            started += 1
    except OSError as error:
        print(errno.errorcode[error.errno], started, flush=True)
        os._exit(0)
    print("forked", started, flush=True)
    os._exit(0)


kind = sys.argv[1]
if kind == "fork":
    forks()
elif kind == "disk":
    fill("/work", 400, 4 * MIB)
    time.sleep(30)
elif kind == "tmp":
    fill("/tmp", 400, 4 * MIB)
elif kind == "shm":
    fill("/dev/shm", 400, 4 * MIB)
elif kind == "one-file":
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    fill("/work", 1, 400 * MIB)
