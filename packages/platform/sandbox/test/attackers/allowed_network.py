"""argv: port of the allowed index, then of a daemon-like server, both on the machine's 127.0.0.1, then names of unix sockets."""
import os
import socket
import sys
import urllib.parse

from report import attempt

allowed, daemon, abstract, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
proxy = urllib.parse.urlsplit(os.environ.get("HTTPS_PROXY", "http://127.0.0.1:9"))
SOCKET = "/run/assay/network.sock"


def direct(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as s:
        s.settimeout(1)
        s.connect(address)
        return s.recv(16) or "connected"


def through(text, by_socket=False):
    """What the proxy answers to these bytes, when it is a yes."""
    family, address = (socket.AF_UNIX, SOCKET) if by_socket else (socket.AF_INET, (proxy.hostname, proxy.port))
    with socket.socket(family, socket.SOCK_STREAM) as s:
        s.settimeout(5)
        s.connect(address)
        s.sendall(text.encode("latin1"))
        answer = s.recv(4096)
    return answer if b" 200 " in answer.split(b"\r\n")[0] else None


def connect_to(host):
    return lambda: through("CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n" % (host, host))


def get(address, host):
    return lambda: through("GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % (address, host))


def tunnel_plain():
    host = "127.0.0.1:%d" % allowed
    with socket.create_connection((proxy.hostname, proxy.port), timeout=5) as s:
        s.sendall(("CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n" % (host, host)).encode())
        s.recv(4096)
        s.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        return b"index" in s.recv(4096)


attempt("direct to the allowed host", lambda: direct(socket.AF_INET, ("127.0.0.1", allowed)))
attempt("direct to an address", lambda: direct(socket.AF_INET, ("192.0.2.1", 443)))
attempt("direct over ipv6", lambda: direct(socket.AF_INET6, ("::1", daemon)))
attempt("dns", lambda: socket.getaddrinfo("assay.example", 443))
attempt("abstract unix socket", lambda: direct(socket.AF_UNIX, "\0" + abstract))
attempt("unix socket by path", lambda: direct(socket.AF_UNIX, path))
attempt("sockets beside ours", lambda: [n for n in os.listdir("/run/assay") if n not in ("network.sock", "network-bridge.py")] or None)
attempt("write beside the socket", lambda: open("/run/assay/mine", "w"))
attempt("write the bridge", lambda: open("/run/assay/network-bridge.py", "w"))
attempt("replace the socket", lambda: os.remove(SOCKET) or "removed")
for name, host in [
    ("the daemon", "127.0.0.1:%d" % daemon),
    ("the daemon by name", "localhost:%d" % daemon),
    ("the daemon as 0.0.0.0", "0.0.0.0:%d" % daemon),
    ("the daemon mapped", "[::ffff:127.0.0.1]:%d" % daemon),
    ("the daemon in ipv6", "[::1]:%d" % daemon),
    ("the daemon as a number", "2130706433:%d" % daemon),
    ("the daemon in octal", "0177.0.0.1:%d" % daemon),
    ("the daemon in hexadecimal", "0x7f.0.0.1:%d" % daemon),
    ("the daemon, short", "127.1:%d" % daemon),
    ("metadata", "169.254.169.254:80"),
    ("another host", "assay.example:443"),
]:
    attempt("CONNECT to " + name, connect_to(host))
    attempt("GET of " + name, get("http://%s/" % host, host))
attempt("a tunnel for the allowed host used for plain text", lambda: tunnel_plain())
attempt("the daemon behind a Host header", get("http://127.0.0.1:%d/" % allowed, "127.0.0.1:%d" % daemon))
attempt("the daemon behind a user", get("http://127.0.0.1:%d@127.0.0.1:%d/" % (allowed, daemon), "127.0.0.1:%d" % daemon))
attempt("a second request hidden in the first", lambda: b"daemon" in (through(
    "GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX: y\r\n\r\nGET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % (allowed, allowed, daemon, daemon)) or b""))
attempt("past the bridge", lambda: through("CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\n" % daemon, by_socket=True))


def allowed_works():
    answer = get("http://127.0.0.1:%d/" % allowed, "127.0.0.1:%d" % allowed)()
    return None if answer is not None and b"index" in answer else "the allowed host does not answer"


attempt("the allowed host answers", allowed_works)
