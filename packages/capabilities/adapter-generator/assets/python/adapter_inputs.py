# What an item is: rows of the data file in the form that the entry point takes.


class Inputs:
    """Turns rows of the data file into what the entry point takes."""

    def __init__(self, training_rows):
        self.filled = 0
        self.way = PLAN["ways"][0]
        self._means = {}
        for column, _ in self.way["columns"]:
            values = [row[column] for row in training_rows if is_number(row.get(column))]
            if values:
                self._means[column] = math.fsum(values) / len(values)

    @property
    def fills(self):
        return self.way["input"] == "feature_vector"

    def item(self, row):
        kind, columns = self.way["input"], self.way["columns"]
        if kind == "text":
            value = row.get(columns[0][0])
            return "" if value is None else str(value)
        if kind == "bytes":
            value = row.get(columns[0][0])
            return b"" if value is None else str(value).encode("utf-8")
        if kind == "row_dict":
            return {name: row.get(column) for column, name in columns}
        if kind == "feature_vector":
            return self._array([self._number(row, column) for column, _ in columns])
        if kind in ("values", "positional"):
            return [row.get(column) for column, _ in columns]
        if kind == "arguments" and len(columns) == 1 and (self.way["call"] == "batch" or PLAN["training"]):
            return row.get(columns[0][0])  # one column, one bare value
        return {name: row.get(column) for column, name in columns}

    def batch(self, rows):
        """All rows as the one argument of a batch call, or the arguments of it."""
        if self.way["input"] == "frame":
            return frame_of(rows, self.way["columns"])
        items = [self.item(row) for row in rows]
        return self._array(items) if self.way["input"] == "feature_vector" else items

    def labels(self, values):
        """Labels in the form of the items: a column beside a table, an array beside arrays (`y == label` needs one)."""
        if self.way["input"] == "frame":
            return importlib.import_module("pandas").Series(values, name=PLAN["target"])
        numpy = sys.modules.get("numpy") if self.way.get("array") and self.way["input"] == "feature_vector" else None
        return values if numpy is None else numpy.asarray(values)

    def _array(self, values):
        """Numbers in the form of the array library, when the code that takes them uses it."""
        numpy = sys.modules.get("numpy") if self.way.get("array") else None
        return values if numpy is None else numpy.asarray(values, dtype=float)

    def _number(self, row, column):
        value = row.get(column)
        if value is not None:
            return float(value)
        if column not in self._means:
            raise AdapterError("row %s has no value in %s, and nothing says what it should be" % (row["row_index"], column))
        self.filled += 1
        return self._means[column]


def frame_of(rows, columns):
    """A table of the data-frame library with the columns under the names that the code reads."""
    try:
        pandas = importlib.import_module("pandas")
    except ImportError as error:
        raise AdapterError("the entry point takes a table, and pandas is not installed") from error
    return pandas.DataFrame({name: [row.get(column) for row in rows] for column, name in columns})


def choose_way(entry, rows):
    """The first way of calling that answers the first rows; decided only when the plan leaves it open."""
    ways = PLAN["ways"]
    if len(ways) == 1:
        entry.use(ways[0])
        return 0
    problems, started = [], time.monotonic()
    for number, way in enumerate(ways):
        entry.use(way)
        try:
            values = entry.predict(rows[:8])
            answers = [read_answer(value, row["row_index"], entry) for row, value in zip(rows, values)]
            if len(rows) > 1 and way["call"] == "batch":
                require_same_alone(entry, rows[0], answers[0])
        except Exception as error:
            if code_of(error.__cause__ or error) != 1 or time.monotonic() - started > 60:
                raise
            problems.append("%s: %s" % (way["name"], error if isinstance(error, AdapterError) else describe(error)))
            continue
        say("called with " + way["name"])
        return number
    raise AdapterError("no way of calling it gave predictions (%s)" % "; ".join(problems)[:900])


def require_same_alone(entry, row, answer):
    """A text that is taken for a list gives an answer per character: the same row alone must give one answer."""
    alone = entry.predict([row])
    if type(read_answer(alone[0], row["row_index"], entry)[0]) is not type(answer[0]):
        raise AdapterError("a row alone gives another kind of answer than in a list")
