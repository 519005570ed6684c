"""argv: project names. Prints, as JSON, the hosts that the configured indexes' pages for them point to.

Runs in the sandbox with the index as its only network. Every page, and what is taken from it, is bounded.
"""
import base64
import json
import os
import re
import ssl
import sys
import urllib.parse
import urllib.request

MAX_PAGE = 4 * 1024 * 1024
MAX_HOSTS = 8
TIMEOUT = 30
ACCEPT = "application/vnd.pypi.simple.v1+html, text/html;q=0.9"
HREF = re.compile(rb"""<a\b[^>]*?\bhref\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)


def split(address):
    """The address without user name and password, and the header that carries them."""
    parts = urllib.parse.urlsplit(address)
    headers = {"Accept": ACCEPT}
    if parts.username is not None:
        secret = "%s:%s" % (urllib.parse.unquote(parts.username), urllib.parse.unquote(parts.password or ""))
        headers["Authorization"] = "Basic " + base64.b64encode(secret.encode()).decode()
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2])
    return urllib.parse.urlunsplit(bare), headers


def trusted(host):
    return host in (os.environ.get("PIP_TRUSTED_HOST") or "").split()


def fetch(address):
    bare, headers = split(address)
    parts = urllib.parse.urlsplit(bare)
    context = ssl.create_default_context()
    if trusted(parts.netloc) or trusted(parts.hostname):
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    with urllib.request.urlopen(urllib.request.Request(bare, headers=headers), timeout=TIMEOUT, context=context) as answer:
        return answer.geturl(), answer.read(MAX_PAGE)


def hosts_on(address):
    base, page = fetch(address)
    for match in HREF.finditer(page):
        target = urllib.parse.urlsplit(urllib.parse.urljoin(base, match.group(1).decode("utf-8", "replace")))
        port = {"http": 80, "https": 443}.get(target.scheme)
        if port is not None and target.hostname:
            yield "%s:%d" % (target.hostname, target.port or port)


def main(names):
    indexes = [os.environ.get("PIP_INDEX_URL")] + (os.environ.get("PIP_EXTRA_INDEX_URL") or "").split()
    pages = [
        index.rstrip("/") + "/" + urllib.parse.quote(name) + "/"
        for index in indexes
        if index and not index.startswith("file:")
        for name in names
    ]
    pages += [link for link in (os.environ.get("PIP_FIND_LINKS") or "").split() if link.startswith("http")]
    hosts, failures = [], []
    for page in pages:
        try:
            for host in hosts_on(page):
                if host not in hosts and len(hosts) < MAX_HOSTS:
                    hosts.append(host)
        except Exception as error:
            failures.append("%s: %s" % (urllib.parse.urlsplit(split(page)[0]).path, error))
    print(json.dumps({"hosts": hosts, "failures": failures[:20]}))


main(sys.argv[1:])
