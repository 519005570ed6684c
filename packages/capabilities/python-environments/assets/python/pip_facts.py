"""Prints, as JSON, what pip there is for this interpreter and how this person has configured it."""
import ast
import glob
import json
import os
import subprocess
import sys
import sysconfig

QUESTION = """
import json, os, pip
from pip._internal.models.index import PyPI
print(json.dumps([pip.__version__, os.path.dirname(os.path.dirname(os.path.abspath(pip.__file__))), PyPI.simple_url, PyPI.file_storage_domain]))
"""


def ask(arguments, env=None):
    done = subprocess.run([sys.executable] + arguments, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20)
    return done.stdout.decode() if done.returncode == 0 else None


def bundled_wheels():
    folders = [sysconfig.get_config_var("WHEEL_PKG_DIR")]
    try:
        import ensurepip

        folders.append(os.path.join(os.path.dirname(ensurepip.__file__), "_bundled"))
    except ImportError:
        pass
    return [wheel for folder in folders if folder for wheel in sorted(glob.glob(os.path.join(folder, "pip-*.whl")))]


def with_wheel(wheel):
    return dict(os.environ, PYTHONPATH=wheel)


def settings(text):
    """Lines `name='value'`, the value as a Python literal."""
    found = {}
    for line in (text or "").splitlines():
        name, separator, value = line.partition("=")
        try:
            literal = ast.literal_eval(value) if separator else None
        except (SyntaxError, ValueError):
            continue
        if literal is not None:
            found[name.strip()] = str(literal)
    return found


def main():
    answer = ask(["-c", QUESTION])
    installed = json.loads(answer) if answer else None
    bundled = None
    for wheel in bundled_wheels():
        answer = ask(["-c", QUESTION], with_wheel(wheel))
        if answer:
            bundled = json.loads(answer)
            bundled[1] = wheel
            break
    env = os.environ if installed else with_wheel(bundled[1]) if bundled else None
    known = installed or bundled or [None, None, None, None]
    print(
        json.dumps(
            {
                "platform": sysconfig.get_platform(),
                "abi": sysconfig.get_config_var("SOABI") or "",
                "installed": installed and {"version": installed[0], "location": installed[1]},
                "bundled": bundled and {"version": bundled[0], "location": bundled[1]},
                "defaultIndex": known[2],
                "defaultFileHost": known[3],
                "settings": settings(ask(["-m", "pip", "config", "list"], dict(env)) if env else ""),
            }
        )
    )


main()
