"""Reads what a setup.py declares, without running it: prints JSON. Usage: python3 read_setup.py FILE

Only literals, names that hold literals, sums of lists, and the common ways of reading a requirements file are
understood; anything else is reported as computed, with its line. Needs Python 3.8 and only its standard library.
"""
import ast
import json
import sys

LISTS = ("install_requires", "setup_requires", "tests_require")
MAX_FILE = 1 << 20


def main(path):
    with open(path, "rb") as handle:
        source = handle.read(MAX_FILE + 1)
    facts = {"v": 1, "found": False, "requires": None, "python": None, "extras": [], "computed": [], "files": [],
             "extensions": None, "packageDir": None, "error": None}
    try:
        if len(source) > MAX_FILE:
            raise SyntaxError("the file is too large")
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        facts["error"] = {"message": str(getattr(error, "msg", error))[:200], "line": getattr(error, "lineno", 1) or 1}
        return facts
    names = assignments(tree)
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and name_of(call.func) == "setup":
            facts["found"] = True
            for keyword in keywords(call, names):
                read_keyword(keyword, names, facts)
    return facts


def name_of(node):
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def assignments(tree):
    """What module-level names hold, also inside with, if and try; the last assignment counts."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            found[node.target.id] = node.value
        elif isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
            found[node.optional_vars.id] = node.context_expr
    return found


def keywords(call, names):
    """Keyword arguments, also of setup(**settings) and setup(**dict(...))."""
    for keyword in call.keywords:
        if keyword.arg is not None:
            yield keyword.arg, keyword.value
            continue
        value = follow(keyword.value, names)
        if isinstance(value, ast.Dict):
            for key, item in zip(value.keys, value.values):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, item
        elif isinstance(value, ast.Call) and name_of(value.func) == "dict":
            for inner in value.keywords:
                if inner.arg is not None:
                    yield inner.arg, inner.value


def follow(node, names, depth=0):
    while isinstance(node, ast.Name) and node.id in names and depth < 8:
        node, depth = names[node.id], depth + 1
    return node


def read_keyword(keyword, names, facts):
    key, value = keyword
    if key == "install_requires":
        items = texts(value, names, facts["files"])
        if items is None:
            facts["computed"].append({"what": key, "line": value.lineno})
        else:
            facts["requires"] = (facts["requires"] or []) + items
    elif key == "python_requires":
        node = follow(value, names)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            facts["python"] = {"text": node.value, "line": node.lineno}
        else:
            facts["computed"].append({"what": key, "line": value.lineno})
    elif key == "extras_require":
        node = follow(value, names)
        if isinstance(node, ast.Dict):
            facts["extras"] += [{"name": k.value, "line": k.lineno} for k in node.keys
                                if isinstance(k, ast.Constant) and isinstance(k.value, str)]
    elif key in ("ext_modules", "cffi_modules", "rust_extensions"):
        node = follow(value, names)
        if not (isinstance(node, (ast.List, ast.Tuple)) and not node.elts):
            facts["extensions"] = {"what": key, "line": value.lineno}
    elif key == "package_dir":
        node = follow(value, names)
        if isinstance(node, ast.Dict):
            for k, item in zip(node.keys, node.values):
                if isinstance(k, ast.Constant) and k.value == "" and isinstance(item, ast.Constant):
                    facts["packageDir"] = item.value


def texts(node, names, files, depth=0):
    """The texts of a list with their lines; None when it is computed. Names of files that it is read from go to `files`."""
    if depth > 20:
        return None
    if isinstance(node, ast.Name):
        if node.id not in names:
            return None
        return texts(names[node.id], names, files, depth + 1)
    if isinstance(node, ast.Constant):
        if node.value is None:
            return []
        if isinstance(node.value, str):
            return [{"text": line.strip(), "line": node.lineno} for line in node.value.splitlines() if line.strip()]
        return None
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        found = []
        for item in node.elts:
            part = texts(item.value if isinstance(item, ast.Starred) else item, names, files, depth + 1)
            if part is None:
                return None
            found += part
        return found
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = texts(node.left, names, files, depth + 1), texts(node.right, names, files, depth + 1)
        return None if left is None or right is None else left + right
    named = file_read_by(node, names)
    if named:
        files += [{"file": one, "line": node.lineno} for one in named if one not in [f["file"] for f in files]]
        return []
    return None


def file_read_by(node, names):
    """The requirements files whose content an expression is made of: open("requirements.txt").read().splitlines() …"""
    found, seen, queue = [], set(), [node]
    while queue and len(seen) < 2000:
        part = queue.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.endswith((".txt", ".in")):
            found.append(part.value)
        elif isinstance(part, ast.Name) and part.id in names:
            queue.append(names[part.id])
        queue.extend(ast.iter_child_nodes(part))
    return found


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1])))
