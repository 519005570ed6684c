# How the entry point comes to be and is called.


def prepare_paths(root):
    import_root = os.path.join(root, PLAN["import_root"]) if PLAN["import_root"] else root
    sys.dont_write_bytecode = True
    own = os.path.dirname(os.path.abspath(__file__))
    wanted = list(dict.fromkeys([import_root, root, os.path.join(root, "src")]))
    sys.path[:] = wanted + [entry for entry in sys.path if os.path.abspath(entry or ".") != own and entry not in wanted]
    sys.meta_path.append(OwnMetadata(root))
    os.chdir(os.path.join(root, PLAN["cwd"]) if PLAN["cwd"] else root)


class OwnMetadata:
    """Tells code that asks for its own version what the repository says: it is imported, not installed."""

    def __init__(self, root):
        self._root = root

    def find_spec(self, *_):
        return None

    def find_distributions(self, context=None):
        metadata = importlib.import_module("importlib.metadata")
        text, wanted = self._text(), getattr(context, "name", None)
        own = re.search(r"^Name: *(.+)$", text, re.M)
        if own is None or (wanted is not None and fold_name(own.group(1)) != fold_name(wanted)):
            return []

        class Own(metadata.Distribution):
            def read_text(self, filename):
                return text if filename in ("METADATA", "PKG-INFO") else None

            def locate_file(self, path):
                return path

        return [Own()]

    def _text(self):
        for name in ("PKG-INFO", "pyproject.toml"):
            try:
                with open(os.path.join(self._root, name), encoding="utf-8", errors="replace") as file:
                    text = file.read(1024 * 1024)
            except OSError:
                continue
            if name == "PKG-INFO":
                return text
            section = re.search(r"^\[(?:project|tool\.poetry)\]\s*$(.*?)(?=^\[|\Z)", text, re.M | re.S)
            said = dict(re.findall(r"""^(name|version)\s*=\s*["']([^"']+)["']""", section.group(1), re.M)) if section else {}
            if "name" in said:
                return "Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (said["name"], said.get("version", "0"))
        return ""


def open_entry(arguments, inputs, training_rows):
    if PLAN["kind"] == "command":
        return Command(arguments, inputs)
    if PLAN["kind"] == "saved_model":
        return Called(load_saved(os.path.join(arguments.repo_root, PLAN["object"]["path"])), inputs, arguments.repo_root, [])
    module = load_module(arguments.repo_root)
    seed_numpy(arguments.seed)
    return Called(make_owner(module, arguments.repo_root), inputs, arguments.repo_root, training_rows)


def load_module(root):
    """Imports the planned module from the repository and makes sure that it is that file."""
    module = importlib.import_module(PLAN["module"])
    found = os.path.realpath(getattr(module, "__file__", None) or "")
    if found != os.path.join(root, PLAN["file"]):
        raise AdapterError("module %s came from %s, not from the repository" % (PLAN["module"], found or "nowhere"))
    return module


def load_saved(path):
    """A model that the repository keeps as a file. What loads it can run code: that happens only in here."""
    loader = PLAN["object"]["loader"]
    if loader == "pickle":
        with open(path, "rb") as file:
            return pickle.load(file)
    if loader == "skops":
        skops = importlib.import_module("skops.io")
        return skops.load(path, trusted=skops.get_untrusted_types(file=path))
    return importlib.import_module("joblib").load(path)


def seed_numpy(seed):
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)


def make_owner(module, root):
    """What holds the attribute that is called: the module, a class, an object of it, or what a function gave."""
    source = PLAN["object"]
    paths = [os.path.join(root, path) for path in source.get("paths", [])]
    owner = module if source["from"] in ("module", "trained") else getattr(module, source["name"])
    if source["from"] in ("class", "call"):
        owner = settled(owner(*paths))
    elif source["from"] == "loaded":
        owner = settled(getattr(owner, source["attribute"])(*paths))
    if owner is None:
        raise AdapterError("%s gave nothing to call" % source["name"])
    if source.get("prepare"):
        settled(getattr(owner, source["prepare"])(*[os.path.join(root, path) for path in source.get("prepare_paths", [])]))
    return owner


def settled(value):
    """What a coroutine or an asynchronous generator gives in the end."""
    if hasattr(value, "__await__"):
        return asyncio.run(finished(value))
    return asyncio.run(collected(value)) if hasattr(value, "__aiter__") else value


async def finished(value):
    return await value


async def collected(values):
    return [value async for value in values]


class Called:
    """A function or method of the repository, ready to be called: trained when the plan says so."""

    def __init__(self, owner, inputs, root, training_rows):
        self.chunk = None
        self._inputs = inputs
        self._owner = owner
        self._learned = None
        if PLAN["loader"]:
            paths = [os.path.join(root, path) for path in PLAN["loader"]["paths"]]
            self._learned = settled(getattr(owner, PLAN["loader"]["attribute"])(*paths))
        if PLAN["training"]:
            self._learned = settled(train(getattr(owner, PLAN["training"]["attribute"]), inputs, training_rows))
        if PLAN["object"]["from"] == "trained":
            if self._learned is None:
                raise AdapterError("%s gave nothing to call" % PLAN["object"]["name"])
            self._owner = self._learned

    def use(self, way):
        """Takes a way of calling; a model that knows its columns is given these, in its order."""
        names = getattr(self._owner, "feature_names_in_", None)
        if names is None or way["input"] not in ("frame", "feature_vector", "values"):
            self._inputs.way = way
            return
        known = {fold_name(column): column for column, _ in way["columns"]}
        wanted = [str(name) for name in names]
        missing = [name for name in wanted if fold_name(name) not in known]
        if missing:
            raise AdapterError("it was trained on columns that the data does not have: %s" % ", ".join(missing[:10]))
        self._inputs.way = dict(way, columns=[[known[fold_name(name)], name] for name in wanted])

    def predict(self, rows):
        return self._call(PLAN["attribute"], rows)

    def probabilities(self, rows):
        """For each row label → probability, or None when the companion gives something else."""
        if not PLAN["probabilities"] or not callable(getattr(self._owner, PLAN["probabilities"], None)):
            return None
        labels = (self.classes() or (None, None))[1]
        try:
            found = [as_distribution(value, labels) for value in self._call(PLAN["probabilities"], rows)]
        except Exception as error:  # such as an SVM that was not made for it
            say("no probabilities: %s" % error)
            return None
        return None if any(value is None for value in found) else found

    def classes(self):
        """The labels that the object names, in the order of its scores, with where they stand."""
        for owner in (self._owner, self._learned):
            for name in ("classes_", "labels_", "classes", "labels", "label_names", "class_names", "id2label"):
                value = getattr(owner, name, None)
                if isinstance(value, dict) and name == "id2label":
                    value = [value[key] for key in sorted(value, key=lambda key: int(key))]
                if isinstance(value, (list, tuple)) or hasattr(value, "tolist"):
                    labels = [plain(label) for label in value]
                    if 2 <= len(labels) <= 1000 and all(isinstance(label, (str, int, float)) for label in labels):
                        return name, labels
        return None

    def _call(self, attribute, rows):
        if PLAN["kind"] == "per_item":
            function = lambda *given, **named: asked(self._owner(*given, **named), attribute)
        else:
            function = getattr(self._owner, attribute) if attribute else self._owner
        if self._inputs.way["call"] == "single":
            return [self._call_one(function, self._inputs.item(row), row["row_index"]) for row in rows]
        results, size = [], len(rows)
        while len(results) < len(rows):
            part = rows[len(results) : len(results) + size]
            try:
                results.extend(self._call_batch(function, part))
            except (Exception, MemoryError) as error:
                if isinstance(error, AdapterError) or code_of(error) != 1:
                    raise
                if size == 1:
                    raise AdapterError("row %s: %s" % (part[0]["row_index"], describe(error))) from error
                size = self.chunk = max(1, min(size, len(part)) // 2)
        return results

    def _call_batch(self, function, rows):
        items = self._inputs.batch(rows)
        results = settled(self._apply(function, items))
        if results is items:
            raise AdapterError("%s gave back what it was handed" % PLAN["entrypoint"])
        if isinstance(results, (str, bytes, dict)) and not isinstance(plain_table(results), list):
            raise AdapterError("%s gave one %s for %d rows" % (PLAN["entrypoint"], type(results).__name__, len(rows)))
        results = list(plain_table(results))
        if len(results) != len(rows):
            raise AdapterError("%s gave %d results for %d rows" % (PLAN["entrypoint"], len(results), len(rows)))
        return results

    def _call_one(self, function, item, row_index):
        try:
            result = settled(self._apply(function, item))
        except Exception as error:
            raise AdapterError("row %s: %s" % (row_index, describe(error))) from error
        if result is item and not isinstance(item, (bool, int, float)):
            raise AdapterError("row %s: %s gave back what it was handed" % (row_index, PLAN["entrypoint"]))
        return result

    def _apply(self, function, item):
        kind, call = self._inputs.way["input"], self._inputs.way["call"]
        if PLAN["kind"] == "model_function":
            return function(self._learned, item) if PLAN["model_first"] else function(item, self._learned)
        if kind == "positional" and call == "single":
            return function(*item)
        if kind == "arguments" and call == "batch" and isinstance(item[0], dict):
            return function(**{name: [row[name] for row in item] for name in item[0]})  # one list per column
        if kind == "arguments" and isinstance(item, dict):
            return function(**item)
        return function(item)


def asked(made, attribute):
    """What an object that was made from an item says: an attribute, a property or a method without arguments."""
    value = getattr(made, attribute)
    return value() if callable(value) else value


def fold_name(name):
    return re.sub(r"[\W_]+", "", str(name)).casefold()


def train(function, inputs, rows):
    """Calls the training code once, or once per row, and gives what it returned."""
    style, labels_first = PLAN["training"]["style"], PLAN["training"]["labels_first"]
    labels = [row[PLAN["target"]] for row in rows]
    items = inputs.batch(rows)
    if inputs.way["input"] == "frame" and style == "rows":
        return function(items.assign(**{PLAN["target"]: labels}), PLAN["target"])
    if style == "columns":
        labels = inputs.labels(labels)
    if style == "rows":
        return function([dict(item, **{PLAN["target"]: label}) for item, label in zip(items, labels)], PLAN["target"])
    if style == "last":
        return function([item + [label] for item, label in zip(items, labels)])
    if style == "columns":
        return function(labels, items) if labels_first else function(items, labels)
    pairs = list(zip(labels, items) if labels_first else zip(items, labels))
    if style == "pairs":
        return function(pairs)
    for pair in pairs:
        settled(function(*pair))
    return None
