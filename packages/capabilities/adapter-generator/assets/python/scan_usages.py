"""How a repository's README, tests and docstrings call it, with literals and what comes of them. Part of scan.py."""

import ast
import os
import re

MAX_USAGES = 1500
MAX_CODE_CHARS = 60 * 1024
READMES = ("README.md", "README.rst", "README.txt", "README", "readme.md", "README.markdown", "docs/index.rst", "docs/index.md")
TESTS = re.compile(r"(^|/)(tests?|testing)/|(^|/)(test_[^/]*|[^/]*_test|tests?)\.py$", re.I)
PROMPT = re.compile(r"^\s*(>>>|In \[\d+\]:) ?(.*)$")
GOES_ON = re.compile(r"^\s*(\.\.\.:?) ?(.*)$")
SAID = re.compile(r"^\s*#?\s*(?:Out\[\d+\]:|=+>|-+>|>+|returns?:?|outputs?:?|prints?:?|result:?)?\s*(.+?)\s*$", re.I)


def readme_text(root):
    """The first README at the root, or of the documentation, as its path and text."""
    for name in READMES:
        path = os.path.join(root, name)
        if os.path.isfile(path) and not os.path.islink(path):
            with open(path, "rb") as file:
                text = file.read(256 * 1024).decode("utf-8", "replace")
            if text.strip():
                return name, text
    return "", ""


def readme_usages(root):
    path, text = readme_text(root)
    return usages_in_text(path, text, "readme", 1)


def module_usages(tree, source, path):
    """The calls of a test file, or those that docstrings show."""
    if TESTS.search(path):
        reader = Reader(path, "test")
        if len(source) <= 8 * MAX_CODE_CHARS:
            reader.read(tree, 0, {})
        return reader.found
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        text = ast.get_docstring(node, clean=False) or ""
        if ">>>" in text and len(found) < 60:
            line = node.body[0].lineno - (0 if hasattr(node.body[0], "end_lineno") else text.count("\n"))
            found.extend(usages_in_text(path, text, "docstring", line))
    return found[:60]


def usages_in_text(path, text, origin, first):
    """All blocks of one text share their names: what the first imports, the others use."""
    reader = Reader(path, origin)
    lines = text[: 4 * MAX_CODE_CHARS].splitlines()
    for start, block in code_blocks(lines, origin == "docstring"):
        reader.read_block(block, first + start)
    return reader.found


def code_blocks(lines, only_prompts):
    """Fenced and indented blocks, and every line behind a prompt, as (line, lines)."""
    at = 0
    while at < len(lines):
        line = lines[at]
        fence = re.match(r"^\s*(```+|~~~+)\s*(\w*)", line)
        if fence and not only_prompts:
            end = at + 1
            while end < len(lines) and not lines[end].strip().startswith(fence.group(1)):
                end += 1
            if fence.group(2).lower() in ("", "python", "py", "python3", "pycon", "ipython", "code"):
                yield at + 1, lines[at + 1 : end]
            at = end + 1
        elif PROMPT.match(line):
            end = at + 1
            while end < len(lines) and lines[end].strip():
                end += 1
            yield at, lines[at:end]
            at = end
        elif re.match(r"^( {2,}|\t)\S", line) and not only_prompts:
            end = at + 1
            while end < len(lines) and (not lines[end].strip() or re.match(r"^( {2,}|\t)", lines[end])):
                end += 1
            yield at, lines[at:end]
            at = end
        else:
            at += 1


class Reader:
    """Follows imports and objects through pieces of code that belong together."""

    def __init__(self, path, origin):
        self.path = path
        self.origin = origin
        self.names = {}
        self.stars = []
        self.own = set()
        self.found = []

    def read_block(self, block, first):
        indent = min((len(line) - len(line.lstrip()) for line in block if line.strip()), default=0)
        block = [line[indent:] for line in block]
        if any(PROMPT.match(line) for line in block):
            self.read_prompts(block, first)
            return
        code = "\n".join(block)[:MAX_CODE_CHARS]
        said = {first + at + 1: line for at, line in enumerate(block)}
        try:
            self.read(ast.parse(code), first, said)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            for at, line in enumerate(block):
                self.read_line(line.strip(), first + at, said)

    def read_prompts(self, block, first):
        at = 0
        while at < len(block):
            begins = PROMPT.match(block[at])
            if not begins:
                at += 1
                continue
            code, start = [begins.group(2)], at
            at += 1
            while at < len(block) and GOES_ON.match(block[at]):
                code.append(GOES_ON.match(block[at]).group(2))
                at += 1
            want = block[at] if at < len(block) and not PROMPT.match(block[at]) else ""
            try:
                self.read(ast.parse("\n".join(code)), first + start, {first + start + len(code) + 1: "# " + want} if want.strip() else {})
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue

    def read_line(self, line, first, said):
        try:
            self.read(ast.parse(line), first, said)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass

    def read(self, tree, offset, said):
        """`said` holds the text of each line, in which an answer may stand as a comment."""
        self.own.update(node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef)))
        for node in in_order(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self.names[alias.asname or alias.name] = alias.name
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if alias.name == "*":
                        self.stars.append(node.module or "")
                    else:
                        self.names[alias.asname or alias.name] = ((node.module or "") + "." + alias.name).lstrip(".")
            elif isinstance(node, ast.Assign) and len(node.targets) == 1:
                self.assigned(node.targets[0], node.value)
        answers = asserted(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and len(self.found) < MAX_USAGES:
                self.call(node, offset, answers.get(id(node), said_behind(node, offset, said)))

    def assigned(self, target, value):
        name = path_of(target)
        if not name:
            return
        made = self.meant(value)
        if made and not isinstance(value, (ast.Constant, ast.List, ast.Dict)):
            self.names[name] = made
        elif isinstance(value, ast.Constant) or isinstance(value, (ast.List, ast.Tuple, ast.Dict)):
            self.names[name] = value
        else:
            self.names.pop(name, None)

    def meant(self, node):
        """The dotted name of the repository's thing that an expression stands for; `()` behind what was called."""
        if isinstance(node, ast.Call):
            called = self.meant(node.func)
            return called + "()" if called and called.count("()") < 2 else ""
        name = path_of(node)
        if not name:
            if isinstance(node, ast.Attribute):
                base = self.meant(node.value)
                return base + "." + node.attr if base else ""
            return ""
        parts = name.split(".")
        for length in range(len(parts), 0, -1):
            known = self.names.get(".".join(parts[:length]))
            if isinstance(known, str):
                return ".".join([known] + parts[length:])
            if known is not None:
                return ""
        if len(parts) == 1 and name not in self.own and self.stars and not hasattr(__builtins__, name):
            return self.stars[-1] + "." + name
        return ""

    def call(self, node, offset, answer):
        name = self.meant(node.func)
        if not name or not node.args or isinstance(node.args[0], ast.Starred):
            return
        given = kind_of(self.value(node.args[0]))
        self.found.append(
            {
                "name": name[:200],
                "path": self.path,
                "line": offset + node.lineno,
                "origin": self.origin,
                "arguments": len(node.args),
                "given": given,
                "gives": kind_of(answer),
                "answer": str(answer.value)[:60] if isinstance(answer, ast.Constant) else None,
            }
        )

    def value(self, node):
        name = path_of(node)
        known = self.names.get(name) if name else None
        return known if isinstance(known, ast.AST) else node


def in_order(tree):
    return sorted(
        (node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom, ast.Assign))),
        key=lambda node: node.lineno,
    )


def path_of(node):
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = path_of(node.value)
        return base + "." + node.attr if base else ""
    return ""


def kind_of(node):
    """text, number, bool, none, texts, numbers, list, row or other: what a literal is."""
    if node is None:
        return None
    if isinstance(node, ast.JoinedStr):
        return "text"
    if isinstance(node, ast.UnaryOp):
        return kind_of(node.operand)
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, bool):
            return "bool"
        if value is None:
            return "none"
        if isinstance(value, (int, float)):
            return "number"
        return "text" if isinstance(value, str) else "other"
    if isinstance(node, (ast.List, ast.Tuple)):
        kinds = {kind_of(part) for part in node.elts}
        if kinds == {"text"}:
            return "texts"
        return "numbers" if kinds == {"number"} else "list"
    return "row" if isinstance(node, ast.Dict) else "other"


def asserted(tree):
    """By call: the literal that a test says it gives."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.Is)):
            note_answer(found, node.left, node.comparators[0])
            note_answer(found, node.comparators[0], node.left)
        elif isinstance(node, ast.Assert):
            note_truth(found, node.test)
        elif isinstance(node, ast.Call):
            name = path_of(node.func).rpartition(".")[2]
            if name in ("assertEqual", "assertEquals", "assertIs", "assertAlmostEqual", "eq_") and len(node.args) >= 2:
                note_answer(found, node.args[0], node.args[1])
                note_answer(found, node.args[1], node.args[0])
            elif name in ("assertTrue", "assertFalse") and node.args and isinstance(node.args[0], ast.Call):
                found[id(node.args[0])] = ast.Constant(value=name == "assertTrue")
    return found


def note_answer(found, call, value):
    if isinstance(call, ast.Call) and kind_of(value) != "other":
        found[id(call)] = value


def note_truth(found, test):
    is_not = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    call = test.operand if is_not else test
    if isinstance(call, ast.Call):
        found[id(call)] = ast.Constant(value=not is_not)


def said_behind(node, offset, said):
    """`f("x")  # 3`, or a comment on the next lines that is a literal and nothing else."""
    end = offset + (getattr(node, "end_lineno", None) or node.lineno)
    same = said.get(end, "")
    texts = [same[same.index("#") :]] if "#" in same else []
    texts += [line for line in (said.get(end + 1, ""), said.get(end + 2, "")) if line.strip().startswith("#")]
    for text in texts:
        words = SAID.match(text.strip().lstrip("#"))
        value = literal(words.group(1)) if words else None
        if value is not None:
            return value
    return None


def literal(text):
    try:
        value = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return value if kind_of(value) != "other" else None
