"""Records what pip really prints when an install goes wrong, against a package index made here on 127.0.0.1.

    python3 record.py FOLDER_WITH_WHEELS [name ...]

FOLDER_WITH_WHEELS holds what builds need: wheels of setuptools (58.0.4 and a current one), wheel, packaging,
setuptools-scm and setuptools-rust with their needs, and a newer pip as pip.whl. Without names every case is recorded. Each file starts with how it was made; folders of the
machine, ports and the index's address are replaced. Cases marked `outside` use the index that pip is configured for. When pip finds no distribution or cannot build one,
it is asked again with -vv for the wheels of that one, into NAME.probe.txt.
"""
import functools, hashlib, http.server, io, os, re, shutil, socket, ssl, subprocess, sys, tarfile, tempfile, threading, time, zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


def wheel(name, version, tag="py3-none-any", requires=(), python=None, files=None, metadata_version=None):
    module = name.replace("-", "_")
    info = f"{module}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {metadata_version or version}\n"
    metadata += "".join(f"Requires-Dist: {one}\n" for one in requires)
    if python:
        metadata += f"Requires-Python: {python}\n"
    content = {f"{module}/__init__.py": f"version = {version!r}\n"} if files is None else dict(files)
    content[f"{info}/METADATA"] = metadata
    content[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n"
    content[f"{info}/RECORD"] = "".join(f"{path},,\n" for path in [*content, f"{info}/RECORD"])
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for path, text in content.items():
            archive.writestr(path, text)
    return f"{module}-{version}-{tag}.whl", data.getvalue()


def sdist(name, version, setup, files=None):
    root = f"{name}-{version}"
    content = {"setup.py": setup, "PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", **(files or {})}
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for path, text in content.items():
            if text is None:
                continue
            raw = text.encode()
            entry = tarfile.TarInfo(f"{root}/{path}")
            entry.size = len(raw)
            archive.addfile(entry, io.BytesIO(raw))
    return f"{name.replace(chr(45), chr(95))}-{version}.tar.gz", data.getvalue()


def c_extension(name, version, c, **options):
    extra = "".join(f", {key}={value!r}" for key, value in options.items())
    setup = f"from setuptools import setup, Extension\nsetup(name={name!r}, version={version!r}, ext_modules=[Extension({('_' + name)!r}, ['m.c']{extra})])\n"
    return sdist(name, version, setup, {"m.c": c})


GOOD_C = '#include <Python.h>\nstatic struct PyModuleDef d = {PyModuleDef_HEAD_INIT, "_m", 0, -1, 0};\nPyMODINIT_FUNC PyInit__m(void){return PyModule_Create(&d);}\n'


class Index(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, files, attributes=None, behaviour=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.attributes, self.behaviour = files, attributes or {}, behaviour
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *args):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def answer(self, status, body, kind="text/html", length=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        if status == 401:
            self.send_header("WWW-Authenticate", 'Basic realm="packages"')
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        index = self.server
        parts = [part for part in self.path.split("/") if part]
        if index.behaviour == "slow":
            time.sleep(6)
            return
        if isinstance(index.behaviour, int):
            return self.answer(index.behaviour, b"refused")
        if parts[:1] == ["simple"]:
            project = parts[1]
            names = [n for n in index.files if re.sub(r"[-_.]+", "-", n.split("-")[0]).lower() == project]
            if not names:
                return self.answer(404, b"not found")
            links = ""
            for n in names:
                attributes = dict(index.attributes.get(n, {}))
                digest = attributes.pop("sha256", hashlib.sha256(index.files[n]).hexdigest())
                links += f'<a href="/files/{n}#sha256={digest}"' + "".join(f' {k}="{v}"' for k, v in attributes.items()) + f">{n}</a>\n"
            return self.answer(200, f"<!DOCTYPE html><html><body>{links}</body></html>".encode())
        body = index.files[parts[1]]
        if index.behaviour == "cut":
            return self.answer(200, body[: len(body) // 2], "application/octet-stream", len(body))
        return self.answer(200, body, "application/octet-stream")


CASES = {}


def case(name, requirements, **options):
    CASES[name] = {"requirements": requirements, **options}


PY = {}
for version in ("3.11", "3.12", "3.13", "3.8", "3.9"):
    found = [n for n in sorted(os.listdir(os.path.expanduser("~/.pyenv/versions"))) if n.startswith(version + ".")]
    if found:
        PY[version] = os.path.expanduser(f"~/.pyenv/versions/{found[-1]}/bin/python{version}")

A = [wheel("alpha", "1.0"), wheel("alpha", "2.0")]
case("unknown-package", "alpha-of-nobody\n", files=A)
case("unknown-package-new-pip", "alpha-of-nobody\n", files=A, pip="new")
case("typo", "reqeusts>=2\n", files=[wheel("requests", "2.31.0")])
case("import-name", "cv2\n", files=[wheel("opencv_python_headless", "4.9.0")])
case("standard-library-name", "sqlite3\n", files=A)
case("version-not-existing", "alpha==9.9\n", files=A)
case("version-not-existing-new-pip", "alpha==9.9\n", files=A, pip="new")
case("version-too-high-range", "alpha>=3\n", files=A)
case("yanked", "alpha>=1.0\n", files=A[:1], attributes={A[0][0]: {"data-yanked": "broken build"}})
case("conflict-pins", "alpha==1.0\nbeta==1.0\n", files=[*A, wheel("beta", "1.0", requires=["alpha>=2"])])
case("conflict-pins-new-pip", "alpha==1.0\nbeta==1.0\n", files=[*A, wheel("beta", "1.0", requires=["alpha>=2"])], pip="new")
case("conflict-two-lines", "alpha==1.0\nalpha==2.0\n", files=A)
case("conflict-transitive", "beta==1.0\ngamma==1.0\n", files=[*A, wheel("beta", "1.0", requires=["alpha>=2"]), wheel("gamma", "1.0", requires=["alpha<2"])])
case("missing-header", "lapackish\n", files=[c_extension("lapackish", "1.0", "#include <Python.h>\n#include <fftw3.h>\n")], args=[])
case("missing-library", "linkish\n", files=[c_extension("linkish", "1.0", GOOD_C, libraries=["fftw3"])], args=[])
case("needs-compiler", "compiled\n", files=[c_extension("compiled", "1.0", GOOD_C)], args=[], env={"PATH": "/nowhere"})
case("needs-other-python", "alpha\n", files=[wheel("alpha", "3.0", python=">=3.13")], attributes={"alpha-3.0-py3-none-any.whl": {"data-requires-python": "&gt;=3.13"}})
case("needs-older-python", "alpha\n", files=[wheel("alpha", "0.9", python="<3.10")], attributes={"alpha-0.9-py3-none-any.whl": {"data-requires-python": "&lt;3.10"}})
case("sdist-python-check", "oldnum\n", files=[sdist("oldnum", "0.5", 'import sys\nif sys.version_info >= (3, 10):\n    raise RuntimeError("Cannot install on Python version %d.%d.%d; only versions >=3.6,<3.10 are supported." % sys.version_info[:3])\nfrom setuptools import setup\nsetup(name="oldnum", version="0.5")\n')], args=[])
case("local-project-python", "./project\n", tree={"project/setup.py": 'from setuptools import setup\nsetup(name="project", version="1", python_requires=">=3.13")\n'}, args=[])
case("sdist-only", "pure\n", files=[sdist("pure", "1.0", 'from setuptools import setup\nsetup(name="pure", version="1.0", py_modules=["pure"])\n', {"pure.py": "x = 1\n"})])
case("no-wheel-for-platform", "winmac\n", files=[wheel("winmac", "1.0", "cp311-cp311-win_amd64"), wheel("winmac", "1.0", "cp311-cp311-macosx_11_0_arm64")])
case("wheel-not-supported", "./files/winmac-1.0-cp311-cp311-win_amd64.whl\n", tree={"files/winmac-1.0-cp311-cp311-win_amd64.whl": wheel("winmac", "1.0", "cp311-cp311-win_amd64")[1]})
case("windows-only", "pywin32==306\n", files=[wheel("pywin32", "306", "cp311-cp311-win_amd64")])
case("macos-only", "pyobjc-core\n", files=[sdist("pyobjc-core", "10.1", 'import sys\nif sys.platform != "darwin":\n    print("PyObjC requires macOS to build")\n    sys.exit(1)\n')], args=[])
case("setuptools-too-old-for-python", "oldbuild\n", python="3.12", files=[sdist("oldbuild", "1.0", 'from setuptools import setup\nsetup(name="oldbuild", version="1.0", py_modules=["oldbuild"])\n', {"oldbuild.py": "", "pyproject.toml": '[build-system]\nrequires = ["setuptools==58.0.4", "wheel"]\nbuild-backend = "setuptools.build_meta"\n'})], args=[])
case("distutils-removed", "distold\n", python="3.12", files=[sdist("distold", "1.0", 'from distutils.core import setup\nsetup(name="distold", version="1.0")\n', {"backend.py": "def build_wheel(*a, **k):\n    exec(open('setup.py').read())\n", "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'})], args=[])
case("setuptools-missing", "nosetup\n", python="3.12", files=[sdist("nosetup", "1.0", 'from setuptools import setup\nsetup(name="nosetup", version="1.0")\n')], args=["--no-build-isolation"])
case("build-needs-numpy", "needsnumpy\n", files=[sdist("needsnumpy", "1.0", 'import numpy\nfrom setuptools import setup\nsetup(name="needsnumpy", version="1.0")\n')], args=[])
case("build-needs-torch", "flashy\n", files=[sdist("flashy", "1.0", 'import torch\nfrom setuptools import setup\nsetup(name="flashy", version="1.0")\n')], args=[])
case("build-needs-pkg-resources", "pkgres\n", files=[sdist("pkgres", "1.0", 'import pkg_resources\nfrom setuptools import setup\nsetup(name="pkgres", version="1.0")\n')], args=[])
case("use-2to3", "twotothree\n", files=[sdist("twotothree", "1.0", 'from setuptools import setup\nsetup(name="twotothree", version="1.0", use_2to3=True)\n')], args=[])
case("python-2-code", "printy\n", files=[sdist("printy", "1.0", 'print "building"\nfrom setuptools import setup\nsetup(name="printy", version="1.0")\n')], args=[])
case("build-backend-missing", "backendless\n", files=[sdist("backendless", "1.0", "", {"setup.py": None, "pyproject.toml": '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'})], args=[])
case("setuptools-scm", "scmver\n", files=[sdist("scmver", "1.0", 'from setuptools import setup\nsetup(name="scmver", use_scm_version=True)\n', {"PKG-INFO": None, "pyproject.toml": '[build-system]\nrequires = ["setuptools", "setuptools_scm"]\nbuild-backend = "setuptools.build_meta"\n'})], args=[])
case("cmake-missing", "cmakey\n", files=[sdist("cmakey", "1.0", 'import shutil\nif shutil.which("cmake") is None:\n    raise RuntimeError("CMake must be installed to build the following extensions: cmakey")\n')], args=[], env={"PATH": "/nowhere"})
case("rust-missing", "rusty\n", files=[sdist("rusty", "1.0", 'from setuptools import setup\nfrom setuptools_rust import RustExtension\nsetup(name="rusty", version="1.0", rust_extensions=[RustExtension("rusty")])\n', {"Cargo.toml": '[package]\nname = "rusty"\nversion = "1.0.0"\n[lib]\nname = "rusty"\ncrate-type = ["cdylib"]\n', "src/lib.rs": "", "pyproject.toml": '[build-system]\nrequires = ["setuptools", "setuptools-rust"]\nbuild-backend = "setuptools.build_meta"\n'})], args=[], env={"PATH": "/nowhere"})
case("cuda-home", "cudaext\n", files=[sdist("cudaext", "1.0", 'import os\nif "CUDA_HOME" not in os.environ:\n    raise OSError("CUDA_HOME environment variable is not set. Please set it to your CUDA install root.")\n')], args=[])
case("cuda-version", "torch==2.1.0+cu118\n", files=[wheel("torch", "2.1.0"), wheel("torch", "2.2.0")])
case("c-code-error", "wrongc\n", files=[c_extension("wrongc", "1.0", "#include <Python.h>\nint f(PyFrameObject *f) { return f->f_lasti; }\n")], args=[])
case("c-code-error-old-wheel", "wrongc==1.0\n", files=[c_extension("wrongc", "1.0", "#include <Python.h>\nint f(PyFrameObject *f) { return f->f_lasti; }\n"), wheel("wrongc", "1.0", "cp39-cp39-manylinux2014_x86_64"), wheel("wrongc", "1.0", "cp39-cp39-win_amd64")], args=[])
case("c-code-error-newer-wheel", "wrongc==1.0\n", files=[c_extension("wrongc", "1.0", "#include <Python.h>\nint f(PyFrameObject *f) { return f->f_lasti; }\n"), wheel("wrongc", "1.1")], args=[])
case("out-of-memory", "hungry\n", files=[sdist("hungry", "1.0", "x = bytearray(8 << 30)\nfrom setuptools import setup\nsetup(name='hungry', version='1')\n")], args=[], limits="ulimit -v 3000000")
case("killed-while-building", "killed\n", files=[sdist("killed", "1.0", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")], args=[])
case("disk-full", "fat\n", files=[wheel("fat", "1.0", files={"fat/data.bin": "0" * (6 << 20)})], small_disk=True)
case("time-out", "alpha\n", files=A, behaviour="slow")
case("index-error", "alpha\n", files=A, behaviour=503)
case("index-forbidden", "alpha\n", files=A, behaviour=403)
case("auth-needed", "alpha\n", files=A, behaviour=401)
case("auth-needed-new-pip", "alpha\n", files=A, behaviour=401, pip="new")
case("download-cut", "alpha\n", files=A, behaviour="cut")
case("index-down", "alpha\n", index="http://127.0.0.1:1/simple/")
case("index-down-new-pip", "alpha\n", index="http://127.0.0.1:1/simple/", pip="new")
case("name-resolution", "alpha\n", index="https://index.invalid/simple/")
case("proxy-refuses", "alpha\n", index="https://index.invalid/simple/", proxy=403)
case("proxy-down", "alpha\n", index="https://index.invalid/simple/", proxy="down")
case("tls", "alpha\n", files=A, tls=True)
case("hash-mismatch", "alpha==1.0 --hash=sha256:" + "0" * 64 + "\n", files=A)
case("hash-of-index-wrong", "alpha==1.0\n", files=A, attributes={A[0][0]: {"sha256": "1" * 64}})
case("hash-missing", "alpha==1.0 --hash=sha256:" + hashlib.sha256(A[0][1]).hexdigest() + "\nbeta==1.0\n", files=[*A, wheel("beta", "1.0")])
case("hash-unpinned", "alpha>=1.0 --hash=sha256:" + hashlib.sha256(A[0][1]).hexdigest() + "\n", files=A)
case("git-unreachable", "tool @ git+https://git.invalid/x/tool.git\n", args=[])
case("git-missing", "tool @ git+https://git.invalid/x/tool.git\n", args=[], env={"PATH": "/nowhere"})
case("local-path-missing", "./libs/tool\n", args=[])
case("editable-missing", "-e ./libs/tool\n", args=[])
case("local-file-missing", "tool @ file:///croot/tool_1659/work\n", args=[])
case("local-folder-no-project", "./libs\n", tree={"libs/tool.py": ""}, args=[])
case("invalid-line", "alpha beta\n", files=A)
case("invalid-line-new-pip", "alpha beta\n", files=A, pip="new")
case("conda-line", "alpha=1.0=py311_0\n", files=A)
case("unknown-option", "--fancy\nalpha\n", files=A)
case("utf-16", b"\xff\xfea\x00l\x00p\x00h\x00a\x00\xd8\x00\n\x00"[2:], files=A)
case("cyclic-include", "-r requirements.txt\nalpha\n", files=A)
case("cyclic-include-new-pip", "-r requirements.txt\nalpha\n", files=A, pip="new")
case("include-missing", "-r base.txt\n", files=A)
case("bad-metadata", "meta\n", files=[wheel("meta", "1.0", requires=["alpha (>=1.0.*)"]), *A], pip="new")
case("inconsistent-version", "meta\n", files=[wheel("meta", "1.0", metadata_version="2.0")])
case("bad-zip", "zipped\n", files=[("zipped-1.0-py3-none-any.whl", b"this is no archive")])
case("permission", "alpha\n", files=A, read_only=True)
case("run-missing-module", "alpha\n", files=A, run="import alpha\nimport gamma_module.tools\n")
case("run-missing-name", "alpha\n", files=A, run="from alpha import gone\n")
case("run-shared-library", "shlib\n", files=[wheel("shlib", "1.0", files={"shlib.py": "import ctypes\nctypes.CDLL('libportaudio.so.2')\n"})], run="import shlib\n")
case("run-cuda-library", "cudalib\n", files=[wheel("cudalib", "1.0", files={"cudalib.py": "import ctypes\nctypes.CDLL('libcudart.so.12')\n"})], run="import cudalib\n")
case("run-no-pkg-resources", "usespkg\n", python="3.12", files=[wheel("usespkg", "1.0", files={"usespkg.py": "import pkg_resources\n"})], run="import usespkg\n")
case("run-distutils", "usesdist\n", python="3.12", files=[wheel("usesdist", "1.0", files={"usesdist.py": "import distutils.version\n"})], run="import usesdist\n")
case("run-syntax", "newer\n", python="3.8", files=[wheel("newer", "1.0", files={"newer.py": "match = 1\nmatch match:\n    case 1:\n        pass\n"})], run="import newer\n")

# The index that this machine is configured for: known packages that fail everywhere in the same way.
case("outside-sklearn", "sklearn\n", outside=True, args=[])
case("outside-postgres", "mysqlclient==2.2.0\n", outside=True, args=[])
case("outside-portaudio", "pyaudio==0.2.14\n", outside=True, args=[])
case("outside-pyyaml-cython", "pyyaml==5.4.1\n", outside=True, args=[])
case("outside-numba", "numba==0.53.1\n", outside=True, args=["--no-deps"])
case("outside-numpy-abi", "pandas==2.0.3\nnumpy==2.0.2\n", outside=True, args=["--only-binary", ":all:"], run="import pandas\n")
case("outside-numpy-2", "matplotlib==3.7.1\nnumpy==2.0.2\n", outside=True, args=["--only-binary", ":all:"], run="import matplotlib.pyplot\n")


def run_case(name, wheels):
    spec = CASES[name]
    work = tempfile.mkdtemp(prefix="record-")
    python = PY[spec.get("python", "3.11")]
    mounted = False
    try:
        files = dict(spec.get("files", []))
        for file in os.listdir(wheels):
            if file != "pip.whl":
                with open(os.path.join(wheels, file), "rb") as handle:
                    files[file] = handle.read()
        server = Index(files, spec.get("attributes"), spec.get("behaviour"))
        address = f"http://127.0.0.1:{server.server_port}/simple/"
        if spec.get("tls"):
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{work}/key.pem", "-out", f"{work}/cert.pem", "-days", "2", "-subj", "/CN=localhost"], check=True, capture_output=True)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(f"{work}/cert.pem", f"{work}/key.pem")
            server.socket = context.wrap_socket(server.socket, server_side=True)
            address = address.replace("http:", "https:")
        address = spec.get("index", address)
        for path, content in spec.get("tree", {}).items():
            target = os.path.join(work, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as handle:
                handle.write(content if isinstance(content, bytes) else content.encode())
        requirements = spec["requirements"]
        with open(f"{work}/requirements.txt", "wb") as handle:
            handle.write(requirements if isinstance(requirements, bytes) else requirements.encode())
        env_dir = f"{work}/env"
        if spec.get("small_disk"):
            os.mkdir(env_dir)
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", env_dir], check=True)
            mounted = True
        subprocess.run([python, "-m", "venv", "--without-pip", env_dir], check=True)
        env = {"PATH": os.environ["PATH"], "HOME": work, "LANG": "C.UTF-8", "TMPDIR": f"{work}/tmp", "PIP_NO_CACHE_DIR": "1", "PIP_CONFIG_FILE": "/dev/null"}
        os.mkdir(f"{work}/tmp")
        if spec.get("outside"):
            env.update({k: v for k, v in os.environ.items() if re.match(r"PIP_|SSL_|REQUESTS_|https?_proxy|HTTPS?_PROXY", k)})
            env.pop("PIP_CONFIG_FILE", None)
            env["HOME"] = os.environ["HOME"]
        env.update(spec.get("env", {}))
        pip = [f"{wheels}/pip.whl/pip"] if spec.get("pip") == "new" else ["-m", "pip"]
        extra = spec.get("args", ["--only-binary", ":all:"])
        argv = [python, *pip, "--python", f"{env_dir}/bin/python", "install", "--no-input", "--disable-pip-version-check", "--progress-bar", "off", "--retries", "1", "--timeout", "4" if not spec.get("outside") else "60", *extra, "-r", "requirements.txt"]
        if not spec.get("outside"):
            argv[argv.index("install") + 1 : argv.index("install") + 1] = ["--index-url", address]
        if spec.get("read_only"):
            subprocess.run(["mount", "--bind", env_dir, env_dir], check=True)
            subprocess.run(["mount", "-o", "remount,ro,bind", env_dir], check=True)
            mounted = True
        if "proxy" in spec:
            proxy = start_proxy(spec["proxy"])
            argv[argv.index("install") + 1 : argv.index("install") + 1] = ["--proxy", f"http://127.0.0.1:{proxy}"]
        command = argv
        if spec.get("limits"):
            command = ["bash", "-c", spec["limits"] + '; exec "$@"', "limit", *argv]
        done = subprocess.run(command, cwd=work, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=500)
        output, code, step = done.stdout.decode(errors="replace"), done.returncode, "install"
        if "run" in spec:
            if code != 0:
                raise SystemExit(f"{name}: the install failed: {output[-2000:]}")
            done = subprocess.run([f"{env_dir}/bin/python", "-c", spec["run"]], cwd=work, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
            output, code, step = done.stdout.decode(errors="replace"), done.returncode, "run"
        if (code == 0) != False:
            print(f"{name}: UNEXPECTED exit code {code}\n{output[-1500:]}")
        version = subprocess.run([python, *pip, "--version"], capture_output=True, text=True, env={"PATH": os.environ["PATH"]}).stdout.split()[1]
        told = requirements.decode("utf-8", "backslashreplace") if isinstance(requirements, bytes) else requirements
        head = f"tool: pip {version}\npython: {subprocess.run([python, '-c', 'import sys; print(sys.version.split()[0])'], capture_output=True, text=True).stdout.strip()}\nstep: {step}\nexit code: {code}\nrequirements: {told.strip()!r}\noptions: {' '.join(extra)}\n----\n"
        with open(os.path.join(HERE, f"{name}.txt"), "w", encoding="utf-8") as handle:
            handle.write(head + clean(output, work, python, address))
        failed = re.search(r"No matching distribution found for (\S+)", output)
        question = failed.group(1) if failed else None
        if "subprocess-exited" in output or "BackendUnavailable" in output:
            question = requirements.split("\n")[0] if re.match(r"[A-Za-z]", requirements) and "@" not in requirements else None
        if question is not None:
            asked = [*argv, "-vv"]
            at = asked.index("install")
            asked[at : at + 1] = ["download", "--no-deps", "--dest", f"{work}/tmp/probe"]
            asked[asked.index("-r") : asked.index("-r") + 2] = [question]
            asked = [one for one in asked if one not in ("--only-binary", ":all:", "--no-build-isolation")] + ["--only-binary", ":all:"]
            done = subprocess.run(asked, cwd=work, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=500)
            with open(os.path.join(HERE, f"{name}.probe.txt"), "w", encoding="utf-8") as handle:
                told = "download --no-deps -vv --only-binary :all:"
                handle.write(head.replace("step: install", "step: probe").replace(f"options: {' '.join(extra)}", f"options: {told}"))
                answer = done.stdout.decode(errors="replace").split("\n")
                version = question.partition("==")[2]
                other = [line for line in answer if version and re.search(r"(Skipping link|Found link|requires a different Python)", line) and f"-{version}" not in line]
                kept = [line for line in answer if line not in other]
                told = [f"[{len(other)} lines about other versions are left out]"] if other else []
                handle.write(clean("\n".join([*told, *kept]), work, python, address))
        server.shutdown()
    finally:
        if mounted:
            subprocess.run(["umount", f"{work}/env"], check=True)
        shutil.rmtree(work, ignore_errors=True)


def start_proxy(kind):
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    if kind == "down":
        listener.close()
        return port

    def serve():
        while True:
            connection, _ = listener.accept()
            connection.recv(4096)
            connection.sendall(f"HTTP/1.1 {kind} Forbidden\r\nContent-Length: 0\r\n\r\n".encode())
            connection.close()

    threading.Thread(target=serve, daemon=True).start()
    return port


def clean(text, work, python, address):
    prefix = os.path.dirname(os.path.dirname(os.path.realpath(python)))
    text = text.replace(prefix, "/opt/python").replace(work, "/work").replace(address, "https://index.example/simple/")
    text = re.sub(r"/(?:private/)?tmp/[\w.-]+", "/tmp/x", text)
    text = re.sub(r"/work/tmp/[\w.-]+", "/work/tmp/x", text)
    text = re.sub(r"^(Looking in (links|indexes)): .*\n", "", text, flags=re.M)
    text = re.sub(r"(?:https?://)(?!index\.(?:example|invalid)|git\.invalid|pip\.pypa\.io|setuptools|github\.com|numpy|packaging|www\.|visualstudio|scikit)[^\s'\"/]+/[^\s'\")>]*/", "https://index.example/", text)
    text = re.sub(r"(connection \(\d+\): |https?://)[\w.-]+(:\d+)(?=$| \"GET)", r"\1index.example\2", text, flags=re.M)
    text = re.sub(r"Resetting dropped connection: .*", "Resetting dropped connection: index.example", text)
    text = re.sub(r"127\.0\.0\.1(:|', port=|\", port=)\d+", r"index.example\g<1>443", text)
    text = re.sub(r"localhost:\d+", "index.example:443", text)
    text = re.sub(r"0x[0-9a-f]{6,}", "0x7f00", text)
    text = re.sub(r"^(Exception information:|Traceback)(?=.*DistributionNotFound).*?(?=^Removed|\Z)", "", text, flags=re.S | re.M)
    lines = [line[:2000] for line in text.split("\n")]
    if len(lines) > 160:
        lines = [*lines[:80], f"[{len(lines) - 160} lines are left out]", *lines[-80:]]
    return "\n".join(lines)


if __name__ == "__main__":
    chosen = sys.argv[2:] or list(CASES)
    for one in chosen:
        started = time.time()
        try:
            run_case(one, os.path.abspath(sys.argv[1]))
            print(one, f"{time.time() - started:.1f} s", flush=True)
        except Exception as error:
            print(one, "FAILED", error, flush=True)
