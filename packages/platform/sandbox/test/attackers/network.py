"""argv: TCP port, UDP port, IPv6 TCP port, abstract socket name, path of a unix socket; all served by the machine outside."""
import os
import socket
import sys

from report import attempt

tcp, udp, tcp6, abstract, path = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]


def stream(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as s:
        s.settimeout(1)
        s.connect(address)
        return s.recv(16) or b"connected"


def datagram(family, address):
    with socket.socket(family, socket.SOCK_DGRAM) as s:
        s.settimeout(1)
        s.sendto(b"ping", address)
        return s.recv(16)


def unanswered(family, address):
    """Nobody answers, but a datagram that leaves is out."""
    with socket.socket(family, socket.SOCK_DGRAM) as s:
        s.sendto(b"ping", address)
        return "sent"


def opened(family, kind, protocol=0):
    with socket.socket(family, kind, protocol) as s:
        return s.getsockname() or "opened"


attempt("tcp to loopback", lambda: stream(socket.AF_INET, ("127.0.0.1", tcp)))
attempt("tcp to 0.0.0.0", lambda: stream(socket.AF_INET, ("0.0.0.0", tcp)))
attempt("udp to loopback", lambda: datagram(socket.AF_INET, ("127.0.0.1", udp)))
attempt("tcp over ipv6", lambda: stream(socket.AF_INET6, ("::1", tcp6)))
# Some programs bind the name alone, some with zeros to the full length of the address.
attempt("abstract unix socket", lambda: stream(socket.AF_UNIX, ("\0" + abstract).ljust(108, "\0")))
attempt("short abstract unix socket", lambda: stream(socket.AF_UNIX, "\0" + abstract))
attempt("unix socket by path", lambda: stream(socket.AF_UNIX, path))
attempt("ip literal", lambda: unanswered(socket.AF_INET, ("192.0.2.1", 9)))
attempt("ipv6 literal", lambda: unanswered(socket.AF_INET6, ("2001:db8::1", 9)))
attempt("metadata address", lambda: unanswered(socket.AF_INET, ("169.254.169.254", 80)))
attempt("dns", lambda: socket.getaddrinfo("assay.example", 80))
attempt("dns server", lambda: unanswered(socket.AF_INET, ("8.8.8.8", 53)))
attempt("vsock", lambda: opened(40, socket.SOCK_STREAM))
attempt("raw packets", lambda: opened(socket.AF_PACKET, socket.SOCK_RAW, 3))
attempt("raw ip", lambda: opened(socket.AF_INET, socket.SOCK_RAW, 1))
attempt("kernel crypto sockets", lambda: opened(38, socket.SOCK_SEQPACKET))
attempt("bluetooth", lambda: opened(31, socket.SOCK_RAW))
attempt("interfaces", lambda: [name for _, name in socket.if_nameindex() if name != "lo"] or None)


def own_loopback():
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname(), timeout=1):
            return None
    return "no loopback of its own"


attempt("own loopback works", own_loopback)
