"""argv: folder, then JSON: a list of packages to make there as wheels or source distributions."""
import base64
import hashlib
import io
import json
import os
import sys
import tarfile
import zipfile

BACKEND = """
import base64, hashlib, os, zipfile
NAME, VERSION, FILES = %r, %r, %r

def get_requires_for_build_wheel(config_settings=None):
    return []

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    print("building %%s from source" %% NAME)
%s
    info = "%%s-%%s.dist-info" %% (NAME, VERSION)
    contents = dict(FILES)
    contents[info + "/METADATA"] = "Metadata-Version: 2.1\\nName: %%s\\nVersion: %%s\\n" %% (NAME, VERSION)
    contents[info + "/WHEEL"] = "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    record = "".join("%%s,,\\n" %% name for name in list(contents) + [info + "/RECORD"])
    contents[info + "/RECORD"] = record
    file = "%%s-%%s-py3-none-any.whl" %% (NAME, VERSION)
    with zipfile.ZipFile(os.path.join(wheel_directory, file), "w") as wheel:
        for name, text in contents.items():
            wheel.writestr(name, text)
    return file
"""


def wheel(folder, name, version, files, requires):
    info = "%s-%s.dist-info" % (name, version)
    metadata = "Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (name, version)
    metadata += "".join("Requires-Dist: %s\n" % need for need in requires)
    contents = dict(files)
    contents[info + "/METADATA"] = metadata
    contents[info + "/WHEEL"] = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    contents[info + "/RECORD"] = "".join("%s,,\n" % entry for entry in list(contents) + [info + "/RECORD"])
    with zipfile.ZipFile(os.path.join(folder, "%s-%s-py3-none-any.whl" % (name, version)), "w") as archive:
        for entry, text in contents.items():
            archive.writestr(entry, text)


def sdist(folder, name, version, files, code):
    body = "\n".join("    " + line for line in code.splitlines())
    contents = {
        "PKG-INFO": "Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (name, version),
        "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
        "backend.py": BACKEND % (name, version, files, body),
    }
    root = "%s-%s" % (name, version)
    with tarfile.open(os.path.join(folder, root + ".tar.gz"), "w:gz") as archive:
        for entry, text in contents.items():
            info = tarfile.TarInfo(root + "/" + entry)
            data = text.encode()
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))


folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
for package in json.loads(sys.argv[2]):
    files = package.get("files") or {package["name"] + ".py": "value = %r\n" % package["version"]}
    if package.get("sdist") is None:
        wheel(folder, package["name"], package["version"], files, package.get("requires", []))
    else:
        sdist(folder, package["name"], package["version"], files, package["sdist"])
