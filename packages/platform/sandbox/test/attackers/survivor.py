"""argv: a file. Leaves a process behind that has left its parent, its session and its signals, and writes for ever."""
import os
import signal
import sys
import time

ready, write = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        with open(sys.argv[1], "a", buffering=1) as f:
            f.write("alive\n")
            os.write(write, b"x")
            while True:
                f.write("alive\n")
                time.sleep(0.01)
    os._exit(0)
os.read(ready, 1)
print("left one behind", flush=True)
if len(sys.argv) > 2:
    time.sleep(60)
