"""Offers the session's one way out as an HTTP proxy on 127.0.0.1, then becomes the command in argv.

The bridge is a process of its own; the command keeps this one, so that its exit code and signals stay its own. On the
first connection to the socket this program says that it is about to start the command. The kernel closes that
connection when the command has started; when it cannot, the reason is written there.
"""
import os
import signal
import socket
import sys

SOCKET = "/run/assay/network.sock"
READY = b"assay-bridge/1\n"
MAX_CONNECTIONS = 64
CHUNK = 65536
PROXY_NAMES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
DIRECT_NAMES = ("NO_PROXY",)


def serve(listener):
    import asyncio

    open_now = 0

    async def pump(reader, writer):
        try:
            while True:
                data = await reader.read(CHUNK)
                if not data:
                    break
                writer.write(data)
                await writer.drain()
            writer.write_eof()
        except OSError:
            writer.close()

    async def relay(reader, writer):
        nonlocal open_now
        if open_now >= MAX_CONNECTIONS:
            writer.close()
            return
        open_now += 1
        try:
            out_reader, out_writer = await asyncio.open_unix_connection(SOCKET)
            try:
                await asyncio.gather(pump(reader, out_writer), pump(out_reader, writer))
            finally:
                out_writer.close()
        except OSError:
            pass
        finally:
            writer.close()
            open_now -= 1

    async def main():
        server = await asyncio.start_server(relay, sock=listener)
        while server.sockets is not None:
            await asyncio.sleep(3600)

    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(main())


def detach(listener):
    """Runs the bridge as a child of process 1, in a group of its own: the command never waits for or signals it."""
    child = os.fork()
    if child != 0:
        os.waitpid(child, 0)
        return
    os.setsid()
    if os.fork() != 0:
        os._exit(0)
    try:
        # TERM is for the command; both are gone with process 1.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        serve(listener)
    finally:
        os._exit(1)


def main(command):
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.bind(("127.0.0.1", 0))
    listener.listen(MAX_CONNECTIONS)
    address = "http://127.0.0.1:%d" % listener.getsockname()[1]
    detach(listener)
    listener.close()
    for name in PROXY_NAMES:
        os.environ[name] = os.environ[name.lower()] = address
    for name in DIRECT_NAMES:
        os.environ.pop(name, None)
        os.environ.pop(name.lower(), None)
    report = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    report.connect(SOCKET)
    report.sendall(READY)
    # Python ignores these two; a command starts with what everybody starts with.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        report.sendall(("the command %s could not be started: %s" % (command[0], error.strerror)).encode())
        os._exit(1)


main(sys.argv[1:])
