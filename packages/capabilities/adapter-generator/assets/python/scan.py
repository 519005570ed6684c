"""Describes the Python code of a folder as one JSON object on standard output.

Every file is parsed and nothing of the folder is imported or run. Needs Python
3.8 and only its standard library. It runs in isolated mode (python3 -I), so its
own folder is named below. Usage: python3 scan.py FOLDER
"""

import ast
import io
import json
import os
import re
import stat
import sys
import sysconfig
import time
import tokenize
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scan_commands import commands_of
from scan_repository import label_constants, relative_files, repository_facts
from scan_usages import module_usages, readme_text, readme_usages

MAX_FILES = 5000
MAX_FILE_BYTES = 4 * 1024 * 1024
MAX_TOTAL_BYTES = 64 * 1024 * 1024
MAX_OUTPUT_BYTES = 16 * 1024 * 1024
MAX_SECONDS = 60.0
MAX_ITEMS = 400
MAX_NAMES = 64
MAX_USAGES = 3000
DOC_CHARS = 400

SKIPPED_FOLDERS = {"__pycache__", "node_modules", "site-packages", "dist-packages"}


def main():
    root = os.path.realpath(sys.argv[1])
    # Deep expressions are the parser's business, ours is to survive them.
    sys.setrecursionlimit(5000)
    warnings.simplefilter("ignore")
    json.dump(scan_tree(root), sys.stdout, ensure_ascii=True, separators=(",", ":"))
    sys.stdout.write("\n")


def scan_tree(root):
    started = time.monotonic()
    modules, errors, skipped, usages = [], [], [], []
    total = written = 0
    limit = None
    for path in python_files(root, skipped):
        if len(modules) + len(errors) >= MAX_FILES:
            limit = "more than %d Python files" % MAX_FILES
        elif total > MAX_TOTAL_BYTES:
            limit = "more than %d bytes of Python" % MAX_TOTAL_BYTES
        elif written > MAX_OUTPUT_BYTES:
            limit = "more facts than %d bytes" % MAX_OUTPUT_BYTES
        elif time.monotonic() - started > MAX_SECONDS:
            limit = "more than %d seconds" % MAX_SECONDS
        if limit:
            break
        source = read_source(root, path, skipped)
        if source is None:
            continue
        total += len(source)
        try:
            facts = scan_module(root, path, source)
        except SyntaxError as error:
            errors.append({"path": path, "line": error.lineno or 0, "message": str(error.msg)[:200]})
        except (ValueError, RecursionError, MemoryError) as error:
            errors.append({"path": path, "line": 0, "message": "%s: %s" % (type(error).__name__, str(error)[:200])})
        else:
            written += len(json.dumps(facts))
            usages.extend(facts.pop("usages"))
            modules.append(facts)
    return {
        "v": 1,
        "python": "%d.%d.%d" % sys.version_info[:3],
        "standardLibrary": standard_library(),
        "readmeNames": readme_names(root),
        "usages": (readme_usages(root) + usages)[:MAX_USAGES],
        **repository_facts(root),
        "modules": modules,
        "errors": errors,
        "skipped": skipped,
        "limit": limit,
    }


def python_files(root, skipped):
    """Paths of .py files relative to the root, shallow ones first; links are not followed."""
    level = [""]
    while level:
        deeper = []
        for folder in level:
            try:
                entries = sorted(os.scandir(os.path.join(root, folder)), key=lambda entry: entry.name)
            except OSError as error:
                note(skipped, folder or ".", error.strerror or "cannot be read")
                continue
            for entry in entries:
                path = folder + "/" + entry.name if folder else entry.name
                if not is_text(path):
                    continue
                if entry.is_symlink():
                    if entry.name.endswith(".py"):
                        note(skipped, path, "is a link")
                elif entry.is_dir(follow_symlinks=False):
                    if is_source_folder(entry):
                        deeper.append(path)
                elif entry.name.endswith(".py") and entry.is_file(follow_symlinks=False):
                    yield path
        level = deeper


def is_source_folder(entry):
    if entry.name.startswith(".") or entry.name in SKIPPED_FOLDERS:
        return False
    return not os.path.lexists(os.path.join(entry.path, "pyvenv.cfg"))


def is_text(path):
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def note(skipped, path, reason):
    if len(skipped) < MAX_ITEMS:
        skipped.append({"path": path, "reason": reason})


def read_source(root, path, skipped):
    """The bytes of a regular file, or None when it is too large or cannot be read."""
    try:
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        with open(os.open(os.path.join(root, path), flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                note(skipped, path, "is not a regular file")
                return None
            source = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        note(skipped, path, error.strerror or "cannot be read")
        return None
    if len(source) > MAX_FILE_BYTES:
        note(skipped, path, "is larger than %d bytes" % MAX_FILE_BYTES)
        return None
    return source


def standard_library():
    names = getattr(sys, "stdlib_module_names", None)
    if names is None:  # before Python 3.10
        folder = sysconfig.get_paths()["stdlib"]
        found = os.listdir(folder) + os.listdir(os.path.join(folder, "lib-dynload"))
        names = {name.split(".")[0] for name in found} | set(sys.builtin_module_names)
    return sorted(names)


def readme_names(root):
    """Identifiers that stand in code spans and code blocks of the README at the root."""
    text = readme_text(root)[1]
    code = re.findall(r"```.*?```|`[^`\n]+`|^(?: {4}|\t).*$", text, re.S | re.M)
    return sorted(set(re.findall(r"[A-Za-z_]\w+", "\n".join(code))))[:2000]


def scan_module(root, path, source):
    tree = ast.parse(source, filename=path)
    text = SourceText(source)
    import_root, module = module_name(root, path, has_relative_imports(tree))
    facts = {
        "path": path,
        "module": module,
        "importRoot": import_root,
        "isProgram": any(is_main_guard(node) for node in tree.body) or starts_at_once(tree),
        "docstring": docstring(tree),
        "imports": imports_of(tree, module, path.endswith("__init__.py")),
        "functions": [],
        "classes": [],
        "aliases": {},
        "exports": [],
        "atImport": [],
        "values": [],
        "labels": label_constants(tree, path),
        "relativeFiles": relative_files(tree, root, path, import_root),
        "usages": module_usages(tree, source, path),
        **commands_of(tree),
    }
    for node in top_level(tree.body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if len(facts["functions"]) < MAX_ITEMS:
                facts["functions"].append(function_facts(node, text))
        elif isinstance(node, ast.ClassDef):
            if len(facts["classes"]) < MAX_ITEMS:
                facts["classes"].append(class_facts(node, text))
        else:
            record_assignment(node, text, facts)
            facts["atImport"].extend(costs(node))
    facts["atImport"] = facts["atImport"][:MAX_NAMES]
    return facts


def top_level(body):
    """Statements that run at import, with those inside if, try and with laid open."""
    for node in body:
        if is_main_guard(node):
            continue
        if isinstance(node, (ast.If, ast.Try)):
            yield from top_level(node.body)
            for handler in getattr(node, "handlers", []):
                yield from top_level(handler.body)
            yield from top_level(node.orelse)
            yield from top_level(getattr(node, "finalbody", []))
        elif isinstance(node, ast.With):
            yield ast.Expr(value=ast.Tuple(elts=[item.context_expr for item in node.items], ctx=ast.Load()))
            yield from top_level(node.body)
        else:
            yield node


def starts_at_once(tree):
    """True for a script without a guard: what stands at its top reads the command line or starts a command."""
    commands = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and has_command(node)}
    apps = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and dotted(node.value.func).endswith("Typer")
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in top_level(tree.body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for part in running_parts(node):
            if isinstance(part, ast.Subscript) and dotted(part.value) == "sys.argv":
                return True
            if not isinstance(part, ast.Call):
                continue
            name = dotted(part.func)
            if name.endswith((".parse_args", ".parse_known_args")) or name in ("fire.Fire", "Fire", "typer.run"):
                return True
            if name in commands or name in apps:
                return True
    return False


def has_command(node):
    return any(dotted(item.func if isinstance(item, ast.Call) else item).endswith((".command", ".group")) for item in node.decorator_list)


def is_main_guard(node):
    if not (isinstance(node, ast.If) and isinstance(node.test, ast.Compare)):
        return False
    names = [part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)]
    return names == ["__name__"]


def module_name(root, path, relative):
    """The folder to put on sys.path and the dotted name to import.

    Folders with __init__.py are packages. A folder without one is a package
    too when its files import relatively, since that is the only way they work.
    """
    parts = path.split("/")
    folders, name = parts[:-1], parts[-1][: -len(".py")]
    names = [] if name == "__init__" else [name]
    while folders and (is_package(root, folders) or relative):
        names.insert(0, folders.pop())
        relative = False
    return "/".join(folders), ".".join(names)


def is_package(root, folders):
    return os.path.isfile(os.path.join(root, *folders, "__init__.py"))


def has_relative_imports(tree):
    return any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree))


def imports_of(tree, module, is_package_file):
    """Every import with its absolute name. `conditional` ones stand inside a function, if or try."""
    found = []
    unconditional = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        if len(found) >= MAX_ITEMS:
            break
        base = {"line": getattr(node, "lineno", 0), "conditional": id(node) not in unconditional}
        if isinstance(node, ast.Import):
            for alias in node.names:
                found.append(dict(base, module=alias.name, names=[], alias=alias.asname))
        elif isinstance(node, ast.ImportFrom):
            name = absolute_name(node, module, is_package_file)
            names = [[alias.name, alias.asname or alias.name] for alias in node.names][:MAX_NAMES]
            found.append(dict(base, module=name, names=names, alias=None, relative=bool(node.level)))
    return found


def absolute_name(node, module, is_package_file):
    if not node.level:
        return node.module or ""
    parts = module.split(".") if module else []
    keep = len(parts) - node.level + (1 if is_package_file else 0)
    return ".".join(parts[: max(0, keep)] + ([node.module] if node.module else []))


def record_assignment(node, text, facts):
    target = value = None
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, value = node.targets[0], node.value
    elif isinstance(node, ast.AnnAssign):
        target, value = node.target, node.value
    if not isinstance(target, ast.Name) or value is None:
        return
    if target.id == "__all__":
        words = [part.value for part in ast.walk(value) if isinstance(part, ast.Constant)]
        facts["exports"] = [word for word in words if isinstance(word, str)][:MAX_ITEMS]
    elif isinstance(value, ast.Call) and len(facts["values"]) < MAX_NAMES:
        facts["values"].append({"name": target.id, "line": node.lineno, "call": dotted(value.func)})
    elif isinstance(value, (ast.Subscript, ast.Name, ast.Attribute)) and len(facts["aliases"]) < MAX_ITEMS:
        facts["aliases"][target.id] = source_of(value, text)


COSTS = {
    "input": "waits for input",
    "sleep": "sleeps",
    "exit": "exits",
    "quit": "exits",
    "_exit": "exits",
    "parse_args": "reads the command line",
    "parse_known_args": "reads the command line",
    "urlopen": "uses the network",
    "urlretrieve": "uses the network",
    "open": "opens a file",
    "Popen": "starts a process",
    "system": "starts a process",
    "check_output": "starts a process",
    "fit": "trains",
    "train": "trains",
    "print": "prints",
}


def costs(node):
    """What a top-level statement does when the module is imported."""
    found = []
    if isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and node.test.value:
        if not any(isinstance(part, (ast.Break, ast.Return)) for part in ast.walk(node)):
            found.append({"line": node.lineno, "what": "loops for ever"})
    for part in running_parts(node):
        if not isinstance(part, ast.Call):
            continue
        name = dotted(part.func)
        last = name.rpartition(".")[2]
        if last in COSTS:
            found.append({"line": part.lineno, "what": COSTS[last]})
        elif name.startswith(("requests.", "socket.", "urllib.")):
            found.append({"line": part.lineno, "what": "uses the network"})
        elif name.startswith("subprocess."):
            found.append({"line": part.lineno, "what": "starts a process"})
    return found


def running_parts(node):
    """The parts of a statement that run with it: not the bodies of functions and lambdas."""
    yield node
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return
    for child in ast.iter_child_nodes(node):
        yield from running_parts(child)


def class_facts(node, text):
    methods = [n for n in node.body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    fields = []
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            annotation = source_of(part.annotation, text)
            if "ClassVar" not in annotation:
                fields.append({"name": part.target.id, "hasDefault": part.value is not None, "annotation": annotation})
    attributes = {
        part.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute)
        and isinstance(part.ctx, ast.Store)
        and isinstance(part.value, ast.Name)
        and part.value.id == "self"
    }
    return {
        "name": node.name,
        "line": node.lineno,
        "bases": [source_of(base, text) for base in node.bases][:MAX_NAMES],
        "decorators": [source_of(item, text) for item in node.decorator_list][:MAX_NAMES],
        "docstring": docstring(node),
        "methods": [function_facts(method, text) for method in methods][:MAX_ITEMS],
        "aliases": method_aliases(node),
        "fields": fields[:MAX_NAMES],
        "attributes": sorted(attributes)[:MAX_NAMES],
    }


def method_aliases(node):
    """`isCrawler = is_crawler` in a class: another name of the same method."""
    pairs = [
        (part.targets[0].id, part.value.id)
        for part in node.body
        if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name) and isinstance(part.value, ast.Name)
    ]
    return dict(pairs[:MAX_NAMES])


def function_facts(node, text):
    params = parameters(node, text)
    uses = parameter_uses(node, [param["name"] for param in params])
    for param in params:
        found = uses[param["name"]].facts()
        if found:
            param["uses"] = found
    return {
        "name": node.name,
        "line": node.lineno,
        "isAsync": isinstance(node, ast.AsyncFunctionDef),
        "params": params,
        "returnAnnotation": annotation_text(node.returns, text),
        "returns": return_kinds(node),
        "gives": given_calls(node),
        "globals": sorted({name for part in own_statements(node) if isinstance(part, ast.Global) for name in part.names}),
        "decorators": [source_of(item, text) for item in node.decorator_list][:MAX_NAMES],
        "docstring": docstring(node),
        "isStub": is_stub(node),
    }


def parameters(node, text):
    spec = node.args
    positional = list(getattr(spec, "posonlyargs", [])) + list(spec.args)
    defaults = [None] * (len(positional) - len(spec.defaults)) + list(spec.defaults)
    found = [parameter(arg, default, "positional", text) for arg, default in zip(positional, defaults)]
    if spec.vararg:
        found.append(parameter(spec.vararg, None, "rest", text))
    for arg, default in zip(spec.kwonlyargs, spec.kw_defaults):
        found.append(parameter(arg, default, "keyword", text))
    if spec.kwarg:
        found.append(parameter(spec.kwarg, None, "keywords", text))
    return found[:MAX_NAMES]


def parameter(arg, default, kind, text):
    return {
        "name": arg.arg,
        "kind": kind,
        "hasDefault": default is not None,
        "annotation": annotation_text(arg.annotation, text),
    }


def annotation_text(node, text):
    if node is None:
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value[:200]
    return source_of(node, text)


def source_of(node, text):
    return text.segment(node)[:200] or dotted(node)


class SourceText:
    """The text behind a node. `ast.get_source_segment` would split the whole file each time."""

    def __init__(self, source):
        encoding = tokenize.detect_encoding(io.BytesIO(source).readline)[0]
        text = source.decode(encoding, "replace")
        self._lines = [line.encode("utf-8") for line in re.split(r"\r\n|\r|\n", text)]

    def segment(self, node):
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        if first == last:
            return self._lines[first][node.col_offset : node.end_col_offset].decode("utf-8", "replace")
        lines = [self._lines[first][node.col_offset :]] + self._lines[first + 1 : last]
        lines.append(self._lines[last][: node.end_col_offset])
        return b" ".join(line.strip() for line in lines).decode("utf-8", "replace")


def docstring(node):
    return (ast.get_docstring(node) or "")[:DOC_CHARS]


def is_stub(node):
    """True when the body does nothing or only says that it is not implemented."""
    for statement in node.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        if isinstance(statement, ast.Pass):
            continue
        if isinstance(statement, ast.Raise) and "NotImplemented" in ast.dump(statement):
            continue
        return False
    return True


def return_kinds(node):
    """The kinds of values that the function's own return and yield statements give."""
    found = set()
    for part in own_statements(node):
        if isinstance(part, ast.Return) and part.value is not None:
            found.add(value_kind(part.value))
        elif isinstance(part, (ast.Yield, ast.YieldFrom)):
            found.add("generator")
    return sorted(found)


def given_calls(node):
    """The calls whose values a function returns, also through a name: `model = Model(); return model`."""
    assigned, found = {}, []
    for part in sorted(own_statements(node), key=lambda part: getattr(part, "lineno", 0)):
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Call):
            for target in part.targets:
                if isinstance(target, ast.Name):
                    assigned[target.id] = dotted(part.value.func)
        elif isinstance(part, ast.Return) and part.value is not None:
            value = part.value
            name = dotted(value.func) if isinstance(value, ast.Call) else assigned.get(dotted(value), "")
            if name and name not in found:
                found.append(name)
    return found[:8]


def own_statements(node):
    """Everything inside a function but what stands in functions and classes of its own."""
    waiting = list(ast.iter_child_nodes(node))
    while waiting:
        part = waiting.pop()
        if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield part
            waiting.extend(ast.iter_child_nodes(part))


def value_kind(node):
    if isinstance(node, ast.Constant):
        return type(node.value).__name__
    if isinstance(node, (ast.List, ast.ListComp, ast.GeneratorExp)):
        return "list"
    if isinstance(node, (ast.Dict, ast.DictComp)):
        return "dict"
    if isinstance(node, ast.Tuple):
        return "tuple"
    if isinstance(node, ast.BinOp):
        return "number"
    if isinstance(node, (ast.Compare, ast.BoolOp)):
        return "bool"
    if isinstance(node, ast.IfExp):
        return value_kind(node.body)
    if isinstance(node, ast.Name) and node.id == "self":
        return "self"
    if isinstance(node, ast.Call):
        return {"list": "list", "dict": "dict", "tuple": "tuple", "float": "number", "int": "number", "str": "str",
                "round": "number", "sum": "number"}.get(dotted(node.func), "value")
    return "value"


def dotted(node):
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return base + "." + node.attr if base else node.attr
    if isinstance(node, ast.Call):
        return dotted(node.func) + "()"
    return ""


class Uses:
    """How a value is used inside a function: enough to tell a text from a row from a list."""

    def __init__(self):
        self.keys = set()
        self.optional_keys = set()
        self.methods = set()
        self.marks = set()
        self.passed = []
        self.pair_names = []
        self._element = None
        self._pair = {}

    @property
    def element(self):
        if self._element is None:
            self._element = Uses()
        return self._element

    def pair(self, index):
        return self._pair.setdefault(index, Uses())

    def facts(self, depth=0):
        found = {}
        for name, values in (("keys", self.keys), ("optionalKeys", self.optional_keys), ("methods", self.methods),
                             ("marks", self.marks)):
            if values:
                found[name] = sorted(values)[:MAX_NAMES]
        if self.passed:
            found["passedTo"] = self.passed[:16]
        if depth < 3:
            element = self._element.facts(depth + 1) if self._element else {}
            if element or self._element:
                found["element"] = element
            pair = {str(index): uses.facts(depth + 1) for index, uses in self._pair.items()}
            if pair:
                found["pair"] = pair
        if self.pair_names:
            found["pairNames"] = self.pair_names[:8]
        return found


WRAPPERS = {"list", "tuple", "sorted", "iter", "reversed", "tqdm", "copy.copy", "copy.deepcopy", "set"}
NUMERIC = {"float", "int", "abs", "round", "pow", "sum", "min", "max"}


def parameter_uses(node, names):
    visitor = UseVisitor(names)
    for statement in node.body:
        visitor.visit(statement)
    return visitor.params


class UseVisitor(ast.NodeVisitor):
    """Follows parameters through plain assignments, loops and comprehensions."""

    def __init__(self, names):
        self.params = {name: Uses() for name in names}
        self.roles = dict(self.params)

    def role(self, node):
        """The value that an expression stands for, when it is one that is followed."""
        if isinstance(node, ast.Name):
            return self.roles.get(node.id)
        if isinstance(node, ast.Call) and dotted(node.func) in WRAPPERS and node.args:
            return self.role(node.args[0])
        if isinstance(node, ast.Subscript):
            base = self.role(node.value)
            if base is not None:
                index = index_of(node)
                if isinstance(index, ast.Tuple):
                    return self.place_in_table(base, index)
                if isinstance(index, ast.Slice):
                    return base
                if not (isinstance(index, ast.Constant) and isinstance(index.value, str)):
                    return base.element
        return None

    @staticmethod
    def place_in_table(base, index):
        """`X[:, 0]` is a column and no item, `X[i, 0]` a number of an item, `x[None, :]` the same values again."""
        if adds_axis(index):
            return base
        return None if has_slice(index) else base.element.element

    def visit_Assign(self, node):
        self.visit(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name):
                role = self.role(node.value)
                if role is not None:
                    self.roles[target.id] = role
                elif target.id not in self.params:
                    self.roles.pop(target.id, None)
            elif isinstance(target, ast.Tuple):
                role = self.role(node.value)
                if role is not None:
                    self.unpack(target, role)
            else:
                self.visit(target)

    def visit_For(self, node):
        self.bind_loop(node.target, node.iter)
        self.visit(node.iter)
        for statement in node.body + node.orelse:
            self.visit(statement)

    def visit_comprehensions(self, node):
        for generator in node.generators:
            self.bind_loop(generator.target, generator.iter)
            self.visit(generator.iter)
            for test in generator.ifs:
                self.visit(test)
        for name in ("elt", "key", "value"):
            if hasattr(node, name):
                self.visit(getattr(node, name))

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_comprehensions

    def bind_loop(self, target, iterable):
        sources = [iterable]
        if isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name):
            if iterable.func.id == "zip" and isinstance(target, ast.Tuple):
                for part, source in zip(target.elts, iterable.args):
                    self.bind_element(part, self.role(source))
                return
            if iterable.func.id == "enumerate" and isinstance(target, ast.Tuple) and iterable.args:
                target, sources = target.elts[-1], iterable.args[:1]
                return self.bind_loop(target, sources[0])
        self.bind_element(target, self.role(sources[0]))

    def bind_element(self, target, role):
        if role is None:
            if isinstance(target, ast.Name) and target.id not in self.params:
                self.roles.pop(target.id, None)
            return
        role.marks.add("iterated")
        if isinstance(target, ast.Name):
            self.roles[target.id] = role.element
        elif isinstance(target, ast.Tuple):
            self.unpack(target, role.element)

    def unpack(self, target, role):
        role.marks.add("unpacked%d" % len(target.elts))
        role.pair_names = [part.id if isinstance(part, ast.Name) else "" for part in target.elts]
        for index, part in enumerate(target.elts):
            if isinstance(part, ast.Name):
                self.roles[part.id] = role.pair(index)

    def visit_Subscript(self, node):
        role = self.role(node.value)
        index = index_of(node)
        if role is not None:
            if isinstance(index, ast.Constant) and isinstance(index.value, str):
                role.keys.add(index.value)
            elif isinstance(index, ast.Constant) and isinstance(index.value, int):
                role.marks.add("indexed")
            elif is_last(index):
                role.marks.add("last")
            elif isinstance(index, ast.Slice):
                role.marks.add("sliced")
            elif isinstance(index, ast.Tuple):
                role.marks.add("made a table" if adds_axis(index) else "table")
            else:
                role.marks.add("looked up")
        if isinstance(index, ast.Name) and index.id in self.roles:
            self.roles[index.id].marks.add("key")
        self.generic_visit(node)

    def visit_Attribute(self, node):
        role = self.role(node.value)
        if role is not None and isinstance(node.ctx, ast.Load):
            role.methods.add(node.attr)
        self.generic_visit(node)

    def visit_Call(self, node):
        name = dotted(node.func)
        if isinstance(node.func, ast.Attribute):
            self.method_call(node)
        for position, argument in enumerate(node.args):
            if isinstance(argument, ast.Starred):
                continue
            role = self.role(argument)
            if role is not None:
                self.argument(name, position, role)
                if position == 0 and goes_along_rows(node):
                    role.marks.add("table")
        for keyword in node.keywords:
            role = self.role(keyword.value)
            if role is not None and keyword.arg:
                role.passed.append({"to": name, "at": keyword.arg})
        if name == "map" and len(node.args) == 2:
            role = self.role(node.args[1])
            if role is not None:
                role.marks.add("iterated")
                role.element.passed.append({"to": dotted(node.args[0]), "at": 0})
        self.generic_visit(node)

    def method_call(self, node):
        role = self.role(node.func.value)
        if role is None:
            return
        if goes_along_rows(node):
            role.marks.add("table")
        if node.func.attr == "get" and node.args and isinstance(node.args[0], ast.Constant):
            if isinstance(node.args[0].value, str):
                role.optional_keys.add(node.args[0].value)

    def argument(self, name, position, role):
        if name in WRAPPERS or name in ("zip", "enumerate", "map", "filter"):
            role.marks.add("iterated")
        elif name in NUMERIC:
            role.marks.add("number" if name in ("float", "int", "abs", "round", "pow") else "numbers")
        elif name == "len":
            role.marks.add("sized")
        elif name.startswith("math."):
            role.marks.add("numbers" if name in ("math.fsum", "math.dist", "math.hypot", "math.prod") else "number")
        elif re.match(r"re\.(search|match|fullmatch|findall|finditer|sub|split)$", name):
            role.marks.add("text")
        elif name == "isinstance":
            role.marks.add("checked")
        else:
            role.passed.append({"to": name, "at": position})

    def visit_BinOp(self, node):
        if not isinstance(node.op, ast.Mod):
            for side, other in ((node.left, node.right), (node.right, node.left)):
                role = self.role(side)
                if role is not None and not (isinstance(other, ast.Constant) and isinstance(other.value, str)):
                    role.marks.add("multiplied" if isinstance(node.op, ast.MatMult) else "number")
        self.generic_visit(node)

    def visit_Compare(self, node):
        sides = [node.left] + list(node.comparators)
        for op, left, right in zip(node.ops, sides, sides[1:]):
            if isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
                for side in (left, right):
                    role = self.role(side)
                    if role is not None:
                        role.marks.add("number")
            elif isinstance(op, (ast.In, ast.NotIn)):
                role = self.role(right)
                if role is not None and isinstance(left, ast.Constant) and isinstance(left.value, str):
                    role.marks.add("contains text")
        self.generic_visit(node)


def is_last(index):
    return (
        isinstance(index, ast.UnaryOp)
        and isinstance(index.op, ast.USub)
        and isinstance(index.operand, ast.Constant)
        and index.operand.value == 1
    )


def adds_axis(index):
    """`x[None, :]` makes a table of one row: x itself is none."""
    return any((isinstance(part, ast.Constant) and part.value is None) or dotted(part).endswith("newaxis") for part in index.elts)


def has_slice(index):
    return any(isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value is Ellipsis) for part in index.elts)


def goes_along_rows(call):
    """`axis=1` is the second axis, so there are two."""
    return any(keyword.arg == "axis" and isinstance(keyword.value, ast.Constant) and keyword.value.value == 1 for keyword in call.keywords)


def index_of(node):
    index = node.slice
    # Python 3.8 wraps the index of a subscript.
    return index.value if type(index).__name__ == "Index" else index


if __name__ == "__main__":
    main()
