# A command line of the repository, run inside this process: its options, its files, what it prints.


class Command:
    """Runs a program of the repository with the arguments of the plan, once per row or once for all rows."""

    def __init__(self, arguments, inputs):
        self.chunk = None
        self._inputs = inputs
        self._root = arguments.repo_root
        self._folder = arguments.output_dir + "-work"
        os.makedirs(self._folder, exist_ok=True)

    def use(self, way):
        self._inputs.way = way

    def classes(self):
        return None

    def probabilities(self, rows):
        return None

    def predict(self, rows):
        if self._inputs.way["call"] == "single":
            return [self._one(row) for row in rows]
        answers = self._run(rows)
        if len(answers) != len(rows):
            raise AdapterError("the command gave %d answers for %d rows" % (len(answers), len(rows)))
        return answers

    def _one(self, row):
        try:
            answers = self._run([row])
        except Exception as error:
            text = str(error) if isinstance(error, AdapterError) else describe(error)
            raise AdapterError("row %s: %s" % (row["row_index"], text)) from error
        if not answers:
            raise AdapterError("row %s: the command printed nothing" % row["row_index"])
        return answers[-1]

    def _run(self, rows):
        way = self._inputs.way
        text = way["columns"][0][0]
        path = os.path.join(self._folder, "input" + SUFFIXES[way["format"]])
        output = os.path.join(self._folder, "output" + way["output_suffix"])
        body = encoded(rows, way["columns"], way["format"])
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(body)
        with open(output, "w", encoding="utf-8"):
            pass  # emptied: an answer of an earlier call is not taken again
        values = {"input": path, "output": output, "text": one_line(rows[0].get(text))}
        argv = [filled_in(token, values, rows[0]) for token in way["argv"]]
        printed = self._start(argv, path if way["feed"] == "stdin" else os.devnull)
        if way["take"] == "file":
            with open(output, encoding="utf-8", errors="replace", newline="") as file:
                printed = file.read()
        return parsed(printed, rows, way)

    def _start(self, argv, stdin):
        """Runs the program to its end; gives what it printed on standard output."""
        captured = os.path.join(self._folder, "stdout.txt")
        kept = (sys.argv, sys.stdin, sys.stdout, os.dup(0), os.dup(1))
        with open(captured, "wb") as out, open(stdin, "rb") as source:
            os.dup2(source.fileno(), 0)
            os.dup2(out.fileno(), 1)
            sys.argv = [PLAN["object"]["program"]] + argv
            sys.stdin = io.TextIOWrapper(io.FileIO(os.dup(0), "r"), encoding="utf-8")
            sys.stdout = io.TextIOWrapper(io.FileIO(os.dup(1), "w"), encoding="utf-8", line_buffering=True)
            try:
                self._call()
            except SystemExit as error:
                if error.code not in (None, 0):
                    raise AdapterError("the command ended with %r" % (error.code,))
            finally:
                try:
                    sys.stdout.flush()
                except (OSError, ValueError):
                    pass
                sys.argv, sys.stdin, sys.stdout = kept[:3]
                for number, descriptor in ((0, kept[3]), (1, kept[4])):
                    os.dup2(descriptor, number)
                    os.close(descriptor)
        with open(captured, encoding="utf-8", errors="replace", newline="") as file:
            return file.read()

    def _call(self):
        start = PLAN["object"]
        if start["from"] == "path":
            runpy.run_path(os.path.join(self._root, start["name"]), run_name="__main__")
        elif start["from"] == "program":
            runpy.run_module(start["name"], run_name="__main__", alter_sys=True)
        else:
            function = importlib.import_module(start["name"])
            for part in start["attribute"].split("."):
                function = getattr(function, part)
            code = settled(function(sys.argv[1:]) if start["pass_argv"] else function())
            if isinstance(code, int) and not isinstance(code, bool) and code != 0:
                raise SystemExit(code)


SUFFIXES = {"lines": ".txt", "csv": ".csv", "tsv": ".tsv", "jsonl": ".jsonl", "json": ".json", "texts": ".json"}


def one_line(value):
    return "" if value is None else re.sub(r"\s*[\r\n]+\s*", " ", str(value))


def filled_in(token, values, row):
    """A word of the command line with its placeholders: {input}, {output}, {text}, {col:NAME}."""

    def part(match):
        name = match.group(1)
        if name.startswith("col:"):
            value = row.get(name[4:])
            return "" if value is None else one_line(value)
        return values[name]

    return re.sub(r"\{(input|output|text|col:[^{}]+)\}", part, token)


def encoded(rows, columns, form):
    if form == "lines":
        return "".join(one_line(row.get(columns[0][0])) + "\n" for row in rows)
    if form == "texts":
        return json.dumps([one_line(row.get(columns[0][0])) for row in rows], ensure_ascii=False)
    records = [{name: row.get(column) for column, name in columns} for row in rows]
    if form == "json":
        return json.dumps(records, ensure_ascii=False)
    if form == "jsonl":
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t" if form == "tsv" else ",", lineterminator="\n")
    writer.writerow([name for _, name in columns])
    for record in records:
        writer.writerow(["" if value is None else value for value in record.values()])
    return text.getvalue()


def parsed(text, rows, way):
    """The answers in a text: JSON, JSON Lines, a table with a header, or one line per row."""
    whole = json_of(text)
    if isinstance(whole, dict) and len(rows) == 1:
        return [whole]
    if isinstance(whole, (dict, list)):
        found = plain_table(whole)
        if isinstance(found, list):
            return [found] if len(rows) == 1 and len(found) != 1 else found
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise AdapterError("the command gave no answer")
    table = table_of(lines, rows, way)
    if table is not None:
        return table
    if len(rows) == 1:
        marked = [line for line in lines if MARKED.match(line.strip())]
        return [line_answer((marked or lines)[-1], rows[0], way)]
    if len(lines) != len(rows):
        raise AdapterError("the command gave %d lines for %d rows" % (len(lines), len(rows)))
    return [line_answer(line, row, way) for line, row in zip(lines, rows)]


def json_of(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def literal_of(line):
    """What `print(("en", 0.9))` and `print({"label": "en"})` leave; None for everything else."""
    if len(line) > 10000 or not re.fullmatch(r"\(.*,.*\)|\[.*\]|\{.*\}", line):
        return None
    try:
        return ast.literal_eval(line)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def table_of(lines, rows, way):
    """One column of a table with a header: the one that is named like an answer, or the only one that is new."""
    if len(lines) != len(rows) + 1:
        return None
    delimiter = "\t" if "\t" in lines[0] else ","
    header, *records = list(csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter))
    given = {name for _, name in way["columns"]}
    plain_names = [name.strip().lower() for name in header]
    named = [at for name in ANSWER_KEYS for at, found in enumerate(plain_names) if found == name and header[at] not in given]
    new = [at for at, name in enumerate(header) if name.strip() not in given and plain_names[at] not in CONFIDENCE_KEYS]
    new = [at for at in new if plain_names[at] not in ("", "id", "index", "row", "row_index")]
    if not named and len(new) != 1:
        return None
    at = named[0] if named else new[0]
    if len(records) != len(rows) or any(len(record) <= at for record in records):
        return None
    return [record[at].strip() for record in records]


MARKED = re.compile(
    r"^(?:the )?(?:predict\w*(?: (?:class|label|value|category|price))?|label|class|category|result|sentiment|language|"
    r"output|answer|预测结果|预测|结果|标签|类别|情感|语言)\s*(?:is)?\s*[:=：]\s*(.+)$",
    re.I,
)


def line_answer(line, row, way):
    """The answer in a printed line: `spam`, `Prediction: spam`, `text -> spam`, `spam 0.93`, `text<tab>spam`."""
    line = line.strip()
    value = json_of(line)
    if value is None:
        value = literal_of(line)
    if value is not None:
        return value
    texts = {one_line(row.get(column)).strip() for column, _ in way["columns"]}
    for text in sorted(texts, key=len, reverse=True):  # a line that repeats its row says the answer beside it
        for quoted in (repr(text), '"' + text + '"', text):
            if text and line.startswith(quoted) and len(line) > len(quoted):
                line = re.sub(r"^\s*(?:->|=>|→|[:=\t,;|：])\s*", "", line[len(quoted) :]).strip()
                break
    marked = MARKED.match(line)
    if marked:
        line = marked.group(1).strip()
    fields = [field.strip() for field in re.split(r"\t|,(?=\S)|\s*\|\s*", line)]
    if len(fields) > 1:
        rest = [field for field in fields if field not in texts]
        named = [field for field in rest if not is_numeral(field.rstrip("%"))]
        if len(named) == 1:
            line = named[0]
    scored = re.match(r"^(.*\S)[\s:(=]+\d*\.\d+\s*%?\)?$", line)
    return (scored.group(1).rstrip(":(= ") if scored else line).strip("\"'")
