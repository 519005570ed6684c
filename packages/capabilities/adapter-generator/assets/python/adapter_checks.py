# What the preflight looks at beside the first rows: whether the answers depend on the rows at all.


class Checks:
    """Calls the entry point again on the first rows in another order, and on rows from all over the file."""

    def __init__(self, entry, rows, spread):
        self._entry = entry
        self._rows = rows
        self._spread = spread
        self._until = time.monotonic() + CHECK_SECONDS

    def facts(self, results, lines, facts):
        first = [prediction for _, prediction, _ in lines]
        facts = dict(facts, v=1, outputs=[told(value) for value in first])
        facts["score_keys"] = sorted({name for _, _, score in lines for name in (score or {})})[:200]
        facts["scored"] = are_scores([score for _, _, score in lines])
        facts["classes"] = self._classes()
        facts["again"] = self._predict(self._rows)
        facts["reversed"] = self._predict(self._rows[::-1])
        facts["spread"] = self._spread_facts()
        facts["positions"] = any(is_vector(plain(value)) for value in results) and facts["classes"] is None
        facts["columns"] = self._columns(facts["outputs"])
        facts["vectors"] = max([len(plain(value)) for value in results if is_vector(plain(value))] or [0])
        return facts

    def _classes(self):
        found = self._entry.classes()
        return None if found is None else {"name": found[0], "labels": [told(label) for label in found[1]]}

    def _predict(self, rows):
        """The predictions, or why there are none."""
        if not rows or time.monotonic() > self._until:
            return None
        try:
            values = self._entry.predict(rows)
            return [told(read_answer(value, row["row_index"], self._entry)[0]) for row, value in zip(rows, values)]
        except Exception as error:
            return str(error)[:300]

    def _spread_facts(self):
        began = time.monotonic()
        rows, count = self._spread, len(self._spread)
        some = rows[:: max(1, count // 16)][:16]
        outputs = self._predict(some)
        each = (time.monotonic() - began) / max(1, len(some))
        more = min(CHECK_ROWS, int((self._until - time.monotonic()) / max(each, 1e-6)))
        if isinstance(outputs, list) and more > len(some) and count > len(some):
            some = rows[:: max(1, -(-count // more))]
            outputs = self._predict(some)
        if not isinstance(outputs, list):
            return {"rows": 0, "different": 0, "outputs": [], "problem": outputs, "equal": []}
        columns = PLAN["ways"][0]["columns"]
        asked = [[row.get(column) for column, _ in columns] for row in some]
        different = len({json.dumps(values) for values in asked})
        equal = [columns[at][0] for at in range(len(columns)) if is_same(outputs, [values[at] for values in asked])]
        return {"rows": len(some), "different": different, "outputs": outputs, "problem": None, "equal": equal}

    def _columns(self, outputs):
        """Columns whose values, exchanged between the rows, change no answer."""
        columns = [column for column, _ in PLAN["ways"][0]["columns"]]
        if len(columns) < 2 or len(columns) > 12 or len(self._rows) < 4:
            return None
        without = []
        for column in columns:
            values = [row.get(column) for row in self._rows]
            moved = [dict(row, **{column: value}) for row, value in zip(self._rows, values[1:] + values[:1])]
            answers = self._predict(moved)
            if answers is None:
                return None
            if answers == outputs:
                without.append(column)
        return {"without_effect": without}


def is_same(outputs, values):
    return len(set(map(str, outputs))) > 2 and all(label_text(a) == label_text(b) for a, b in zip(outputs, values))


def is_vector(value):
    return isinstance(value, (list, tuple)) and len(value) > 1 and all(is_number(plain(part)) for part in value)


def told(value):
    """A prediction as the checks tell it: short."""
    return value[:200] if isinstance(value, str) else value


def write_checks(folder, facts):
    with open(os.path.join(folder, "checks.json"), "w", encoding="utf-8") as file:
        json.dump(facts, file, allow_nan=False)


if __name__ == "__main__":
    main()
