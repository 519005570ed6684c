"""Says whether an adapter does only what an adapter may, as one JSON object.

The file is parsed, not run. Defence in depth: what an adapter really cannot do
is decided by the sandbox. Usage: python3 policy.py ADAPTER
"""

import ast
import json
import os
import re
import sys

# Sixteen thousand columns may be named in the plan.
MAX_BYTES = 2 * 1024 * 1024
# The program that the generator writes below its plan, and what it may import beyond others: it loads models that the
# repository keeps as files and runs the repository's own programs, which is no more than importing its code.
PARTS = ("program", "inputs", "calls", "results", "commands", "checks")
OF_THE_PROGRAM = {"asyncio", "pickle", "runpy"}

FORBIDDEN_MODULES = {
    "starts processes": "subprocess multiprocessing pty concurrent asyncio sched signal",
    "uses the network": "socket ssl http urllib ftplib smtplib telnetlib xmlrpc socketserver requests httpx aiohttp urllib3",
    "deletes or moves files": "shutil tempfile",
    "installs packages": "pip ensurepip venv setuptools pkg_resources",
    "reaches below Python": "ctypes cffi mmap gc code codeop pickle marshal shelve dill cloudpickle runpy",
}
FORBIDDEN_OS = {
    "starts processes": "system popen fork forkpty posix_spawn posix_spawnp startfile "
    "execl execle execlp execlpe execv execve execvp execvpe spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe",
    "deletes or moves files": "remove unlink rmdir removedirs rename renames replace truncate",
    "changes permissions or links": "chmod chown lchown link symlink mkfifo mknod chroot",
    "ends other processes": "kill killpg",
}
FORBIDDEN_METHODS = {
    "deletes or moves files": "unlink rmdir rmtree",
    "starts processes": "create_subprocess_exec create_subprocess_shell",
    "reaches below Python": "__subclasses__ __globals__ __builtins__ __code__ __loader__",
}
FORBIDDEN_CALLS = {
    "runs text as code": "eval exec compile __import__",
    "waits for a person": "input breakpoint",
    "reaches below Python": "globals vars",
}
ALLOWED_IMPORTLIB = {"import_module"}


def main():
    with open(sys.argv[1], "rb") as file:
        source = file.read(MAX_BYTES + 1)
    problems = check(source)
    json.dump({"ok": not problems, "problems": problems[:50]}, sys.stdout)
    sys.stdout.write("\n")


def check(source):
    if len(source) > MAX_BYTES:
        return [problem(None, "size", "it is larger than %d bytes" % MAX_BYTES)]
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return [problem(getattr(error, "lineno", None), "syntax", "it is not Python: %s" % error)]
    allowed = OF_THE_PROGRAM if is_own_program(source) else set()
    found = [item for node in ast.walk(tree) for item in check_node(node, allowed)]
    return sorted(found, key=lambda item: (item["line"] or 0, item["rule"], item["message"]))


def is_own_program(source):
    """True when all but the line of the plan is the shipped program, byte for byte."""
    folder = os.path.dirname(os.path.abspath(__file__))
    own = b""
    for part in PARTS:
        with open(os.path.join(folder, "adapter_%s.py" % part), "rb") as file:
            own += file.read()
    return without_plan(source) == without_plan(own)


def without_plan(source):
    found = re.search(rb"(?m)^PLAN = json\.loads\((.*)\)$", source)
    try:
        is_plan = found is not None and isinstance(ast.literal_eval(found.group(1).decode("ascii")), str)
    except (ValueError, SyntaxError):
        return source
    return source[: found.start()] + source[found.end() :] if is_plan else source


def check_node(node, allowed):
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name not in allowed:
                yield from check_import(node, alias.name)
            # Under another name the rules below would not see it.
            if alias.asname and alias.name in ("os", "importlib", "sys", "builtins"):
                yield problem(node.lineno, "hides a module", "it renames %s" % alias.name)
    elif isinstance(node, ast.ImportFrom):
        yield from check_import(node, node.module or "")
        for alias in node.names:
            if node.module == "os":
                yield from check_name(node, alias.name, FORBIDDEN_OS, "os.")
            if node.module == "importlib" and alias.name not in ALLOWED_IMPORTLIB:
                yield problem(node.lineno, "imports in unusual ways", "it uses importlib.%s" % alias.name)
    elif isinstance(node, ast.Attribute):
        base = node.value.id if isinstance(node.value, ast.Name) else ""
        if base == "os":
            yield from check_name(node, node.attr, FORBIDDEN_OS, "os.")
        elif base == "importlib" and node.attr not in ALLOWED_IMPORTLIB:
            yield problem(node.lineno, "imports in unusual ways", "it uses importlib.%s" % node.attr)
        yield from check_name(node, node.attr, FORBIDDEN_METHODS, ".")
    elif isinstance(node, ast.Name):
        yield from check_name(node, node.id, FORBIDDEN_CALLS, "")
        yield from check_name(node, node.id, {"reaches below Python": "__builtins__ __loader__"}, "")
    elif isinstance(node, ast.Call) and dotted_import(node.func):
        first = node.args[0] if node.args else None
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            yield from check_import(node, first.value)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "setattr"):
        first = node.args[0] if node.args else None
        if isinstance(first, ast.Name) and first.id in ("os", "sys", "importlib", "builtins"):
            yield problem(node.lineno, "hides a name", "it looks up names of %s while it runs" % first.id)


def dotted_import(function):
    """`importlib.import_module(…)` and `import_module(…)`."""
    return getattr(function, "attr", getattr(function, "id", "")) == "import_module"


def check_import(node, name):
    top = name.split(".")[0]
    for rule, names in FORBIDDEN_MODULES.items():
        if top in names.split():
            yield problem(node.lineno, rule, "it imports %s" % name)
    if top == "builtins":
        yield problem(node.lineno, "reaches below Python", "it imports builtins")


def check_name(node, name, rules, prefix):
    for rule, names in rules.items():
        if name in names.split():
            yield problem(node.lineno, rule, "it uses %s%s" % (prefix, name))


def problem(line, rule, message):
    return {"line": line, "rule": rule, "message": message}


if __name__ == "__main__":
    main()
