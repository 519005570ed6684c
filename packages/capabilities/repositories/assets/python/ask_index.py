"""Asks the package index for one package, with the settings that this machine's pip has.

    ask_index.py find NAME [VERSION]                    one line of JSON on stdout: what there is
    ask_index.py fetch NAME VERSION FILE MOST TARGET    writes that file to TARGET

It uses pip's own classes for settings, index pages, proxies, certificates and passwords, because pip's commands would run
the package's code to learn its metadata. Nothing of a package is run or unpacked here.
"""

import hashlib
import json
import logging
import sys


class Refused(Exception):
    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


def kept_passwords():
    """Standard input: passwords that are kept for hosts, as JSON; nothing of them is ever printed."""
    return json.loads(sys.stdin.read() or "[]")


def open_pip():
    try:
        import pip
    except ImportError as error:
        raise Refused("no_pip", "this Python has no pip: %s" % error)
    try:
        from pip._internal.commands import create_command

        command = create_command("download")
        # Every file counts, also one that needs another Python: which one runs is decided later.
        options, _ = command.parse_args(["--no-input", "--disable-pip-version-check", "--quiet", "--retries", "2", "unused"])
        command._in_main_context = True
        session = command._build_session(options)
        finder = command._build_package_finder(
            options=options, session=session, ignore_requires_python=True
        )
    except (ImportError, AttributeError, TypeError) as error:
        raise Refused("strange_pip", "pip %s cannot be asked: %s" % (getattr(pip, "__version__", "?"), error))
    for one in PASSWORDS:
        session.auth.passwords[one["host"]] = (one["user"], one["password"])
    return options, session, finder


def best_hash(link):
    hashes = getattr(link, "_hashes", None) or {}
    if not hashes and getattr(link, "hash", None):
        hashes = {link.hash_name: link.hash}
    for name in ("sha256", "sha512", "sha384", "sha224", "sha1", "md5"):
        if hashes.get(name):
            return name, hashes[name].lower()
    return None, None


def kind_of(filename):
    if filename.endswith(".whl"):
        return "pure_wheel" if filename.endswith("-none-any.whl") and "py3" in filename.split("-")[-3] else "wheel"
    for ending, kind in ((".tar.gz", "sdist"), (".tgz", "sdist"), (".zip", "sdist")):
        if filename.endswith(ending):
            return kind
    return "other"


def runs_here(link):
    from pip._vendor.packaging.specifiers import InvalidSpecifier, SpecifierSet

    needs = getattr(link, "requires_python", None)
    if not needs:
        return True
    try:
        return SpecifierSet(needs).contains("%d.%d.%d" % sys.version_info[:3], prereleases=True)
    except InvalidSpecifier:
        return True


def described(candidate):
    link = candidate.link
    hash_name, hash_value = best_hash(link)
    return {
        "version": str(candidate.version),
        "file": link.filename,
        "kind": kind_of(link.filename),
        "hashName": hash_name,
        "hash": hash_value,
        "yanked": (getattr(link, "yanked_reason", None) or "without a reason") if link.is_yanked else None,
        "requiresPython": getattr(link, "requires_python", None) or None,
        "runsHere": runs_here(link),
        "prerelease": candidate.version.is_prerelease,
        "place": "folder" if link.is_file else "index",
        "host": "" if link.is_file else link.netloc.rpartition("@")[2],
    }


def candidates_of(finder, name):
    return sorted(finder.find_all_candidates(name), key=lambda candidate: candidate.version, reverse=True)


class Remembered(logging.Handler):
    """pip logs an index that cannot be reached and goes on; the reason is needed when nothing was found."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.lines = []

    def emit(self, record):
        text = record.getMessage()
        if record.levelno >= logging.WARNING or "Could not fetch URL" in text:
            if len(self.lines) < 20:
                self.lines.append(text[:1000])


def find(name, version):
    remembered = Remembered()
    for logger_name in ("pip._internal.index.collector", "pip._vendor.urllib3.connectionpool", "pip._internal.network.session"):
        logger = logging.getLogger(logger_name)
        logger.setLevel(logging.DEBUG)
        logger.propagate = False
        logger.addHandler(remembered)
    options, _, finder = open_pip()
    found = [described(candidate) for candidate in candidates_of(finder, name)]
    indexes = [options.index_url] if not options.no_index else []
    print(
        json.dumps(
            {
                "found": found[:2000],
                "total": len(found),
                "indexes": len(indexes) + (0 if options.no_index else len(options.extra_index_urls)),
                "folders": len(options.find_links),
                "said": remembered.lines,
                "python": "%d.%d.%d" % sys.version_info[:3],
            }
        )
    )


def fetch(name, version, file, most, target):
    _, session, finder = open_pip()
    link = next(
        (c.link for c in candidates_of(finder, name) if str(c.version) == version and c.link.filename == file), None
    )
    if link is None:
        raise Refused("gone", "%s is not in the index any more" % file)
    hash_name, hash_value = best_hash(link)
    checked = hashlib.new(hash_name) if hash_name else None
    ours = hashlib.sha256()
    size = 0
    # pip asks for the bytes as they are: a server that compresses again would break the hash.
    response = session.get(link.url_without_fragment, headers={"Accept-Encoding": "identity"}, stream=True)
    response.raise_for_status()
    with open(target, "xb") as out:
        while True:
            chunk = response.raw.read(1 << 16, decode_content=False)
            if not chunk:
                break
            size += len(chunk)
            if size > most:
                raise Refused("too_large", "%s is larger than %d bytes" % (file, most))
            ours.update(chunk)
            if checked is not None:
                checked.update(chunk)
            out.write(chunk)
    if checked is not None and checked.hexdigest() != hash_value:
        raise Refused("other_hash", "its %s is %s, the index says %s" % (hash_name, checked.hexdigest(), hash_value))
    print(json.dumps({"sha256": ours.hexdigest(), "bytes": size, "checked": hash_name}))


def main(arguments):
    try:
        if arguments[0] == "find":
            find(arguments[1], arguments[2] if len(arguments) > 2 else None)
        else:
            name, version, file, most, target = arguments[1:]
            fetch(name, version, file, int(most), target)
    except Refused as refused:
        print(json.dumps({"refused": refused.kind, "why": str(refused)}))
    except Exception as error:  # whatever pip or the network throws is told, by its kind
        print(json.dumps({"refused": "failed", "why": "%s: %s" % (type(error).__name__, str(error)[:1000])}))


PASSWORDS = kept_passwords()
main(sys.argv[1:])
