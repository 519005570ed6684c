"""What a repository holds beside its code: saved models, lists of labels, programs it installs. Part of scan.py."""

import ast
import json
import os
import pickletools
import re

MAX_FILES = 4000
MAX_SAVED = 40
MAX_LABEL_BYTES = 64 * 1024
MAX_PICKLE_BYTES = 8 * 1024 * 1024
MAX_LABELS = 200
SKIPPED = {"__pycache__", "node_modules", "site-packages", "dist-packages"}
LOADERS = {".joblib": "joblib", ".pkl": "pickle", ".pickle": "pickle", ".skops": "skops"}


def repository_facts(root):
    files, scripts = [], []
    saved, labels = [], []
    for path, size in walk(root):
        name = path.rpartition("/")[2]
        stem, extension = os.path.splitext(name.lower())
        if extension in LOADERS and len(saved) < MAX_SAVED:
            saved.append(saved_model(root, path, LOADERS[extension]))
        elif extension in (".txt", ".json") and size <= MAX_LABEL_BYTES and is_label_name(stem):
            labels.extend(label_file(root, path, extension))
        if extension != ".py" and len(files) < MAX_FILES:
            files.append(path)
    scripts.extend(pyproject_scripts(read_text(root, "pyproject.toml")))
    scripts.extend(setup_scripts(read_text(root, "setup.cfg") + "\n" + read_text(root, "setup.py")))
    unique = {(item["name"], item["target"]): item for item in scripts}
    return {"savedModels": saved, "labelFiles": labels[:50], "files": files, "scripts": list(unique.values())[:50]}


def walk(root):
    level, seen = [""], 0
    while level:
        deeper = []
        for folder in level:
            try:
                entries = sorted(os.scandir(os.path.join(root, folder)), key=lambda entry: entry.name)
            except OSError:
                continue
            for entry in entries:
                path = folder + "/" + entry.name if folder else entry.name
                seen += 1
                if seen > 10 * MAX_FILES:
                    return
                if entry.is_symlink() or not is_text(path):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith(".") and entry.name not in SKIPPED:
                        deeper.append(path)
                elif entry.is_file(follow_symlinks=False):
                    yield path, entry.stat(follow_symlinks=False).st_size
        level = deeper


def is_text(path):
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def is_label_name(stem):
    return re.search(r"label|class(es)?$|class_names|categor|id2|idx2|^config$|^vocab_labels$|^tags$", stem) is not None


def read_text(root, path, limit=512 * 1024):
    full = os.path.join(root, path)
    if os.path.islink(full) or not os.path.isfile(full):
        return ""
    with open(full, "rb") as file:
        return file.read(limit).decode("utf-8", "replace")


def saved_model(root, path, loader):
    """The modules that loading the file would import, read from its opcodes; nothing is loaded."""
    modules, names, is_read = set(), set(), False
    with open(os.path.join(root, path), "rb") as file:
        data = file.read(MAX_PICKLE_BYTES)
    try:
        for module, name in named_globals(data):
            modules.add(module)
            names.add(name)
        is_read = True
    except Exception:  # arrays stand raw in some of these files; what was read until there counts
        pass
    modules = {module for module in modules if re.fullmatch(r"[A-Za-z_][\w.]*", module)}
    return {"path": path, "loader": loader, "modules": sorted(modules)[:60], "names": sorted(names)[:60],
            "isPlainData": is_read and not names}


def named_globals(data):
    """(module, name) of everything that a pickle imports. A name that was used before is fetched from the memo."""
    pushed, memo = [None, None], {}
    for opcode, argument, _ in pickletools.genops(data):
        if opcode.name == "GLOBAL":
            module, _, name = argument.partition(" ")
            yield module, name
            pushed.append(None)
        elif opcode.name == "STACK_GLOBAL":
            if isinstance(pushed[-2], str) and isinstance(pushed[-1], str):
                yield pushed[-2], pushed[-1]
            pushed.append(None)
        elif opcode.name == "MEMOIZE":
            memo[len(memo)] = pushed[-1]
        elif opcode.name in ("PUT", "BINPUT", "LONG_BINPUT"):
            memo[int(argument)] = pushed[-1]
        elif opcode.name in ("GET", "BINGET", "LONG_BINGET"):
            pushed.append(memo.get(int(argument)))
        elif opcode.stack_after:
            pushed.append(argument if isinstance(argument, str) else None)
        del pushed[:-2]


def label_file(root, path, extension):
    text = read_text(root, path, MAX_LABEL_BYTES)
    if extension == ".txt":
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return [labels_of(path, 1, path, lines)] if 2 <= len(lines) <= MAX_LABELS else []
    try:
        value = json.loads(text)
    except ValueError:
        return []
    found = []
    for name, part in [("", value)] + (list(value.items()) if isinstance(value, dict) else []):
        known = json_labels(part)
        if known is not None and (name == "" or is_label_name(name.lower()) or name.lower() in ("id2label", "label2id")):
            found.append(dict(known, name=path + (":" + name if name else ""), path=path, line=1))
    return found


def json_labels(value):
    if isinstance(value, list) and 2 <= len(value) <= MAX_LABELS and all(is_scalar(part) for part in value):
        return {"list": [scalar(part) for part in value], "pairs": None}
    if isinstance(value, dict) and 2 <= len(value) <= MAX_LABELS and all(is_scalar(part) for part in value.values()):
        return {"list": None, "pairs": [[scalar(key), scalar(part)] for key, part in value.items()]}
    return None


def labels_of(path, line, name, values):
    return {"path": path, "line": line, "name": name, "list": [scalar(value) for value in values], "pairs": None}


def is_scalar(value):
    return isinstance(value, (str, int, float, bool))


def scalar(value):
    """A label as text: 1.0 and 1 are the same."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value)[:100]


def pyproject_scripts(text):
    """`name = "module:function"` below [project.scripts] or [tool.poetry.scripts]."""
    found, inside = [], False
    for line in text.splitlines():
        heading = re.match(r"\s*\[([^\]]+)\]", line)
        if heading:
            inside = heading.group(1).strip().replace('"', "") in ("project.scripts", "tool.poetry.scripts", "tool.flit.scripts")
        entry = re.match(r"""\s*["']?([\w.-]+)["']?\s*=\s*["']([\w.]+):([\w.]+)["']""", line)
        if inside and entry:
            found.append({"name": entry.group(1), "target": entry.group(2) + ":" + entry.group(3)})
    return found


def setup_scripts(text):
    """`name = module:function` behind console_scripts, in setup.cfg or setup.py."""
    at = text.find("console_scripts")
    if at < 0:
        return []
    found = re.findall(r"""([\w.-]+)\s*=\s*([\w.]+)\s*:\s*([\w.]+)""", text[at : at + 4000])
    return [{"name": name, "target": module + ":" + function} for name, module, function in found]


LABEL_NAME = re.compile(
    r"label|class|categor|target|id2|id_to|idx|index_to|int2|int_to|num2|sentiment|species|lang|outcome|polarit|tags?$|names$|map(ping)?$",
    re.I,
)


def label_constants(tree, path):
    """Lists and dictionaries of constants whose name says labels, wherever they stand, and enumerations."""
    found = named_numbers(tree, path)
    for node in ast.walk(tree):
        if len(found) >= 60:
            break
        if isinstance(node, ast.ClassDef) and any(base.endswith("Enum") for base in map(name_of, node.bases)):
            pairs = [
                [scalar(part.value.value), part.targets[0].id]
                for part in node.body
                if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name) and is_constant(part.value)
            ]
            if 2 <= len(pairs) <= MAX_LABELS:
                found.append({"path": path, "line": node.lineno, "name": node.name, "list": None, "pairs": pairs})
            continue
        value, targets = getattr(node, "value", None), []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            name = name_of(target)
            if name and LABEL_NAME.search(name):
                known = constant_labels(value)
                if known is not None:
                    found.append(dict(known, path=path, line=node.lineno, name=name))
    return found


def named_numbers(tree, path):
    """`TRADITIONAL = 1` and `SIMPLIFIED = 2` at the top of a module, as one source of labels."""
    pairs, line = [], 0
    for node in tree.body:
        value = node.value if isinstance(node, ast.Assign) else None
        if not is_constant(value) or type(value.value) is not int:
            continue
        for target in node.targets:
            if isinstance(target, ast.Name) and target.id.isupper():
                line = line or node.lineno
                pairs.append([scalar(value.value), target.id])
    return [{"path": path, "line": line, "name": "constants", "list": None, "pairs": pairs}] if 2 <= len(pairs) <= MAX_LABELS else []


def name_of(node):
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def is_constant(node):
    return isinstance(node, ast.Constant) and is_scalar(node.value)


def constant_labels(node):
    if isinstance(node, ast.Call) and node.args and name_of(node.func) in ("tuple", "list", "array", "asarray", "OrderedDict", "dict"):
        node = node.args[0]
    if isinstance(node, (ast.List, ast.Tuple)) and 2 <= len(node.elts) <= MAX_LABELS:
        if all(is_constant(part) for part in node.elts):
            return {"list": [scalar(part.value) for part in node.elts], "pairs": None}
    if isinstance(node, ast.Dict) and 2 <= len(node.keys) <= MAX_LABELS:
        if all(key is not None and is_constant(key) for key in node.keys) and all(map(is_constant, node.values)):
            return {"list": None, "pairs": [[scalar(k.value), scalar(v.value)] for k, v in zip(node.keys, node.values)]}
    return None


def relative_files(tree, root, path, import_root):
    """Texts in the code that name a file of the repository, and from which folders they do."""
    folder = path.rpartition("/")[0]
    found, seen = [], set()
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Constant) else None
        if not isinstance(value, str) or not 3 <= len(value) <= 150 or value in seen or len(found) >= 20:
            continue
        if "." not in value or not re.fullmatch(r"[\w][\w./ -]*\.\w{1,10}", value) or ".." in value:
            continue
        seen.add(value)
        places = [place for place in dict.fromkeys(["", import_root, folder]) if os.path.isfile(os.path.join(root, place, value))]
        if places:
            found.append({"path": value, "folders": places})
    return found
