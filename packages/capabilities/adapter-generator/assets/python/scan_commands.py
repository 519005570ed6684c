"""Command lines in parsed Python: argparse, click, typer, fire and plain sys.argv. Part of scan.py."""

import ast

MAX_OPTIONS = 60
MAX_COMMANDS = 40


def commands_of(tree):
    """Each command with its options; options of the program itself stand in the command without a name."""
    found = argparse_commands(tree) + decorated_commands(tree) + fire_commands(tree)
    marks = stream_marks(tree)
    if not found and "argv" in marks:
        found = [command("argv", "", None, [], 0)]
    return {"commands": found[:MAX_COMMANDS], "marks": sorted(marks)}


def command(kind, name, function, options, line):
    return {"kind": kind, "name": name, "function": function, "options": options[:MAX_OPTIONS], "line": line}


def dotted(node):
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return base + "." + node.attr if base else node.attr
    if isinstance(node, ast.Call):
        return dotted(node.func)
    return ""


def constant(node):
    return node.value if isinstance(node, ast.Constant) else None


def text_of(node):
    """A text, also one that is put together from constants."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return text_of(node.left) + text_of(node.right)
    return ""


def option(names, keywords, line):
    """One option or argument: the names, and what is said of it."""
    choices = keywords.get("choices")
    listed = [constant(part) for part in choices.elts] if isinstance(choices, (ast.List, ast.Tuple)) else None
    default, required = keywords.get("default"), keywords.get("required")
    nargs = keywords.get("nargs")
    is_option = any(name.startswith("-") for name in names)
    has_default = default is not None and not (isinstance(default, ast.Constant) and default.value is None)
    needed = bool(constant(required)) if required is not None else not is_option
    if not is_option and (constant(nargs) in ("?", "*") or has_default):
        needed = False
    return {
        "names": [name for name in names if name][:4],
        "isOption": is_option,
        "required": needed,
        "help": text_of(keywords.get("help"))[:200],
        "type": type_of(keywords.get("type")),
        "nargs": None if nargs is None else str(constant(nargs)),
        "choices": [str(value) for value in listed if value is not None][:30] if listed else None,
        "isFlag": constant(keywords.get("action")) in ("store_true", "store_false", "version", "count", "help")
        or constant(keywords.get("is_flag")) is True,
        "default": None if not isinstance(default, ast.Constant) else str(default.value)[:100],
        "line": line,
    }


def type_of(node):
    if node is None:
        return ""
    name = dotted(node)
    if isinstance(node, ast.Call):
        mode = next((str(constant(arg)) for arg in node.args if isinstance(constant(arg), str)), "")
        return "%s(%s)" % (name, mode)
    if isinstance(node, ast.Subscript):
        return dotted(node.value) + "[...]"
    return name


def argparse_commands(tree):
    """Parsers are followed by the names of their variables: `sub.add_parser("predict")` begins a command."""
    owner, names, lines, found = {}, {}, {}, {}
    for node in ordered(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.value, ast.Call):
            variable, name = dotted(node.targets[0]), dotted(node.value.func)
            if name.endswith("ArgumentParser"):
                owner[variable], names[variable], lines[variable] = variable, "", node.lineno
            elif name.endswith((".add_parser",)):
                owner[variable], lines[variable] = variable, node.lineno
                names[variable] = text_of(node.value.args[0]) if node.value.args else ""
            elif name.endswith((".add_argument_group", ".add_mutually_exclusive_group")):
                base = name.rpartition(".")[0]
                owner[variable] = owner.get(base, base)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_argument":
            base = dotted(node.func.value)
            key = owner.get(base, base)
            given = [text_of(arg) for arg in node.args]
            keywords = {part.arg: part.value for part in node.keywords if part.arg}
            found.setdefault(key, []).append(option(given, keywords, node.lineno))
    keys = list(dict.fromkeys(list(names) + list(found)))
    return [command("argparse", names.get(key, ""), None, found.get(key, []), lines.get(key, 0)) for key in keys]


def ordered(tree):
    return sorted(ast.walk(tree), key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))


def decorated_commands(tree):
    """Functions that click or typer turn into commands."""
    apps = {
        dotted(node.targets[0]): dotted(node.value.func)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.value, ast.Call)
    }
    found = []
    for node in tree.body:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        kinds = [dotted(item.func if isinstance(item, ast.Call) else item) for item in node.decorator_list]
        at = next((i for i, kind in enumerate(kinds) if kind.endswith(".command") or kind == "command"), None)
        if at is None:
            continue
        decorator = node.decorator_list[at]
        said = text_of(decorator.args[0]) if isinstance(decorator, ast.Call) and decorator.args else ""
        base = kinds[at].rpartition(".")[0]
        in_group = base not in ("click", "")
        if apps.get(base, "").endswith("Typer"):
            single = sum(1 for other in tree.body if is_command_of(other, base)) == 1
            name = "" if single else said or node.name.replace("_", "-")
            found.append(command("typer", name, base, typer_options(node), node.lineno))
        else:
            name = (said or node.name.replace("_", "-")) if in_group else ""
            found.append(command("click", name, base if in_group else node.name, click_options(node), node.lineno))
    return found + run_by_typer(tree)


def run_by_typer(tree):
    """`typer.run(main)` makes a command of a function without a decorator."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    return [
        command("typer", "", None, typer_options(functions[node.args[0].id]), node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and dotted(node.func) == "typer.run"
        and node.args
        and isinstance(node.args[0], ast.Name)
        and node.args[0].id in functions
    ]


def is_command_of(node, base):
    return isinstance(node, ast.FunctionDef) and any(
        dotted(item.func if isinstance(item, ast.Call) else item) == base + ".command" for item in node.decorator_list
    )


def click_options(node):
    found = []
    for item in node.decorator_list:
        name = dotted(item.func) if isinstance(item, ast.Call) else ""
        if name.rpartition(".")[2] not in ("argument", "option"):
            continue
        keywords = {part.arg: part.value for part in item.keywords if part.arg}
        made = option([text_of(arg) for arg in item.args], keywords, item.lineno)
        if constant(keywords.get("nargs")) == -1:
            made["nargs"] = "*"
        if name.endswith("argument") and constant(keywords.get("required")) is False:
            made["required"] = False
        found.append(made)
    return found


def typer_options(node, bound=0):
    """Parameters without a default are arguments, those with one are options; `bound` ones, such as self, are neither."""
    spec = node.args
    defaults = [None] * (len(spec.args) - len(spec.defaults)) + list(spec.defaults)
    found = []
    for arg, default in list(zip(spec.args, defaults))[bound:] + list(zip(spec.kwonlyargs, spec.kw_defaults)):
        type_node, note = annotated(arg.annotation)
        said = note or (default if isinstance(default, ast.Call) else None)
        kind = dotted(said.func) if said is not None else ""
        keywords = {part.arg: part.value for part in said.keywords if part.arg} if kind else {}
        values = [constant(value) if isinstance(value, ast.Constant) else value for value in (said.args if kind else [])]
        is_required = default is None or (note is None and kind and values[:1] == [Ellipsis])
        is_argument = kind.endswith("Argument") or (default is None and not kind.endswith("Option"))
        long = [value for value in values if isinstance(value, str) and value.startswith("--")]
        names = [arg.arg] if is_argument else (long or ["--" + arg.arg.replace("_", "-")])
        made = option(names, dict(keywords), arg.lineno)
        made.update(required=bool(is_required), type=type_of(type_node), isOption=not is_argument)
        made["isFlag"] = made["type"] == "bool"
        found.append(made)
    return found


def annotated(node):
    """The type in `Annotated[Path, typer.Argument(help=…)]` and the call beside it."""
    if isinstance(node, ast.Subscript) and dotted(node.value).endswith("Annotated"):
        inner = getattr(node.slice, "value", node.slice)  # Python 3.8 has an Index around it
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        note = next((part for part in parts[1:] if isinstance(part, ast.Call)), None)
        return parts[0], note
    return node, None


def fire_commands(tree):
    """`fire.Fire(function)`: parameters become arguments; public methods of a class, or of an object of it, become commands."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    found = []
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and dotted(node.func) in ("fire.Fire", "Fire")):
            continue
        keyword = next((part.value for part in node.keywords if part.arg == "component"), None)
        target = node.args[0] if node.args else keyword
        made = target.func if isinstance(target, ast.Call) else target
        if isinstance(made, ast.Name) and made.id in classes:
            found.extend(method_commands(classes[made.id], node.lineno, isinstance(target, ast.Call)))
        elif isinstance(target, ast.Name) and target.id in functions:
            found.append(command("fire", "", None, typer_options(functions[target.id]), node.lineno))
        elif isinstance(target, ast.Dict):
            for key, value in zip(target.keys, target.values):
                if isinstance(value, ast.Name) and value.id in functions:
                    found.append(command("fire", text_of(key), None, typer_options(functions[value.id]), node.lineno))
        elif target is None:
            found.extend(command("fire", name, None, typer_options(at), node.lineno) for name, at in functions.items())
    return found


def method_commands(node, line, is_made):
    """The commands of a class for fire; one whose constructor needs arguments would need them on every command."""
    methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
    init = next((part for part in methods if part.name == "__init__"), None)
    if init is not None and not is_made and any(made["required"] for made in typer_options(init, 1)):
        return []
    return [
        command("fire", part.name, None, typer_options(part, 0 if is_static(part) else 1), line)
        for part in methods
        if not part.name.startswith("_") and not any(dotted(item) == "property" for item in part.decorator_list)
    ]


def is_static(node):
    return any(dotted(item) == "staticmethod" for item in node.decorator_list)


def stream_marks(tree):
    """How the module reads: `argv`, `stdin`, `csv`, `json`, `pandas`, `prints`, `argv1` …"""
    marks = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            name = dotted(node)
            if name == "sys.argv":
                marks.add("argv")
            elif name.startswith("sys.stdin"):
                marks.add("stdin")
            elif name.startswith(("csv.", "json.", "pd.read", "pandas.read")):
                marks.add({"c": "csv", "j": "json", "p": "pandas"}[name[0]])
        elif isinstance(node, ast.Name) and node.id == "print":
            marks.add("prints")
        elif isinstance(node, ast.Call) and dotted(node.func) in ("fileinput.input", "click.get_text_stream"):
            marks.add("stdin")
        elif isinstance(node, ast.Call) and dotted(node.func) == "open":
            marks.add("opens")
        if isinstance(node, ast.Subscript) and dotted(node.value) == "sys.argv":
            index = getattr(node.slice, "value", None)
            if isinstance(index, int) and 0 < index < 10:
                marks.add("argv%d" % index)
    return marks
