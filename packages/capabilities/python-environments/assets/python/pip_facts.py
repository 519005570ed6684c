"""Prints, as JSON, what pip there is for this interpreter and how this person has configured it."""
import ast
import glob
import json
import os
import subprocess
import sys
import sysconfig

def look():
    """The pip that can be imported: version, place, and its own constants."""
    try:
        import pip
        from pip._internal.models.index import PyPI
    except ImportError:
        return None
    place = os.path.dirname(os.path.dirname(os.path.abspath(pip.__file__)))
    return {"version": pip.__version__, "location": place}, PyPI.simple_url, PyPI.file_storage_domain


def bundled_wheel():
    """The wheel that came with the interpreter for ensurepip."""
    folders = [sysconfig.get_config_var("WHEEL_PKG_DIR")]
    try:
        import ensurepip

        folders.append(os.path.join(os.path.dirname(ensurepip.__file__), "_bundled"))
    except ImportError:
        pass
    wheels = [wheel for folder in folders if folder for wheel in sorted(glob.glob(os.path.join(folder, "pip-*.whl")))]
    return wheels[0] if wheels else None


def version_in(wheel):
    return os.path.basename(wheel).split("-")[1]


def settings(wheel):
    """`pip config list`: lines `name='value'`, the value as a Python literal."""
    env = dict(os.environ, PYTHONPATH=wheel) if wheel else None
    done = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20
    )
    found = {}
    for line in done.stdout.decode().splitlines() if done.returncode == 0 else []:
        name, separator, value = line.partition("=")
        try:
            literal = ast.literal_eval(value) if separator else None
        except (SyntaxError, ValueError):
            continue
        if literal is not None:
            found[name.strip()] = str(literal)
    return found


def main():
    found = look()
    wheel = bundled_wheel()
    if found is None and wheel:
        sys.path.insert(0, wheel)
        known = look()
    else:
        known = found
    print(
        json.dumps(
            {
                "platform": sysconfig.get_platform(),
                "abi": sysconfig.get_config_var("SOABI") or "",
                "installed": found[0] if found else None,
                "bundled": {"version": version_in(wheel), "location": wheel} if wheel else None,
                "defaultIndex": known[1] if known else None,
                "defaultFileHost": known[2] if known else None,
                "settings": settings(None if found else wheel) if known else {},
            }
        )
    )


main()
