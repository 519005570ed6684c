# Answers of the repository as predictions, and predictions in the labels of the data.

ANSWER_KEYS = ("label", "prediction", "predicted_label", "predicted_class", "class", "category", "predicted", "pred",
               "sentiment", "language", "lang", "class_name", "result", "output", "value", "target", "y", "标签", "类别", "情感")
CONFIDENCE_KEYS = ("score", "confidence", "probability", "prob", "proba", "置信度")


def read_answer(value, row_index, entry):
    """The prediction in an answer and, when it holds them, label → score."""
    value = plain(value)
    key = (PLAN["labels"] or {}).get("key")
    if key is not None:
        return checked(picked(value, key, row_index), row_index), None
    if isinstance(value, dict):
        return read_mapping(value, row_index)
    if isinstance(value, (list, tuple)) and value:
        return read_list(value, row_index, entry)
    return checked(value, row_index), None


def picked(value, key, row_index):
    """The part of an answer that the person named: a key of a mapping, or a place in a list."""
    try:
        return plain(value[key] if isinstance(value, dict) else value[int(key)])
    except (KeyError, IndexError, TypeError, ValueError):
        raise AdapterError("row %s: the answer %s has no part %r" % (row_index, shown(value), key))


def read_mapping(value, row_index):
    names = {str(name).lower(): name for name in value}
    key = next((names[name] for name in ANSWER_KEYS if name in names), None)
    if key is not None:
        return checked(unwrapped(value[key]), row_index), None
    if PLAN["task"] == "regression":
        numbers = [plain(part) for part in value.values() if is_number(plain(part))]
        return checked(numbers[0] if len(numbers) == 1 else value, row_index), None
    score = as_distribution(value, None)
    return (checked(max(score, key=score.get), row_index), score) if score else (checked(value, row_index), None)


def read_list(value, row_index, entry):
    parts = [plain(part) for part in value]
    if len(parts) == 1:  # a list of one
        return read_answer(parts[0], row_index, entry)
    if is_pair(value, parts):
        return checked(unwrapped(parts[0]), row_index), None
    if PLAN["task"] == "regression":
        return checked(value, row_index), None
    if all(isinstance(part, dict) for part in parts):  # [{"label": …, "score": …}, …]
        parts = [labelled(part) for part in parts]
    if all(isinstance(part, (list, tuple)) and len(part) == 2 and is_number(plain(part[1])) for part in parts):
        score = {label_text(part[0]): plain(part[1]) for part in parts}
        return checked(max(score, key=score.get), row_index), score
    if all(is_number(part) for part in parts):
        labels = (entry.classes() or (None, None))[1]
        if labels is None or len(labels) != len(parts):
            labels = list(range(len(parts)))  # the place of the largest score
        at = max(range(len(parts)), key=lambda place: parts[place])
        return checked(labels[at], row_index), as_distribution(parts, labels)
    return checked(value, row_index), None


def labelled(part):
    """(label, score) of a mapping that holds both, else nothing."""
    names = {str(name).lower(): name for name in part}
    label = next((names[name] for name in ANSWER_KEYS if name in names), None)
    score = next((names[name] for name in CONFIDENCE_KEYS if name in names), None)
    return None if label is None or score is None else (plain(part[label]), plain(part[score]))


def unwrapped(value):
    value = plain(value)
    return plain(value[0]) if isinstance(value, (list, tuple)) and len(value) == 1 else value


def is_pair(value, parts):
    """(label, confidence) or (value, spread); a list of two numbers could as well be the scores of two labels."""
    if len(parts) != 2 or isinstance(parts[0], (list, tuple, dict)):
        return False
    second = parts[1]
    if not is_number(second):
        # (label, everything else), as a detail beside the answer
        return isinstance(value, tuple) and isinstance(second, (list, dict)) and isinstance(parts[0], (str, int))
    return isinstance(value, tuple) or not isinstance(parts[0], float)


def checked(value, row_index):
    """The prediction as JSON can hold it; raises for what is no prediction of this task."""
    if isinstance(value, float) and not math.isfinite(value):
        raise AdapterError("row %s: the prediction is %r" % (row_index, value))
    if PLAN["task"] == "regression":
        if isinstance(value, str) and is_numeral(value):
            value = float(value)
        if not is_number(value):
            raise AdapterError("row %s: the prediction is %s, not a number" % (row_index, shown(value)))
        return value
    if not isinstance(value, (str, int, float, bool)):
        raise AdapterError("row %s: the prediction is %s, not a label" % (row_index, shown(value)))
    if isinstance(value, float) and value.is_integer() and PLAN["target_type"] != "number":
        return int(value)
    return value


def is_numeral(text):
    return re.fullmatch(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", text.strip()) is not None


def with_companion(lines, entry, rows):
    """Scores of the companion method beside the predictions of the entry point."""
    probabilities = entry.probabilities(rows)
    if probabilities is None:
        return lines
    return [(index, prediction, score) for (index, prediction, _), score in zip(lines, probabilities)]


def as_distribution(value, labels):
    """Label → score from a mapping, pairs, or numbers in the order of the labels; None for anything else."""
    value = plain(value)
    if isinstance(value, (list, tuple)):
        parts = [plain(part) for part in value]
        if labels is not None and len(parts) == len(labels) and all(is_number(part) for part in parts):
            value = dict(zip(labels, parts))
        elif parts and all(isinstance(part, (list, tuple)) and len(part) == 2 for part in parts):
            value = {plain(label): plain(part) for label, part in parts}
    if not isinstance(value, dict) or not value:
        return None
    found = {label_text(label): plain(part) for label, part in value.items()}
    return found if len(found) == len(value) and all(is_number(part) for part in found.values()) else None


class LabelMap:
    """The repository's words in the labels of the data, as the plan says. What it does not know stays as it is."""

    def __init__(self, plan):
        self.is_used = plan is not None
        self.mapped = self.unmapped = 0
        self._plan = plan or {}
        self._values = {label_text(said): label for said, label in self._plan.get("values", [])}
        self._folded = folded_labels(self._values) if self._plan.get("fold") else {}

    def line(self, line, scored):
        row_index, prediction, score = line
        if not self.is_used:
            return line
        label = self.label(prediction)
        if label is None:
            self.unmapped += 1
            return row_index, prediction, self._score(score) if scored else None
        self.mapped += 1
        return row_index, label, self._score(score) if scored else None

    def label(self, prediction):
        threshold = self._plan.get("threshold")
        if threshold is not None:
            if isinstance(prediction, bool) or not is_number(prediction):
                return None
            return self._plan["high"] if prediction >= threshold else self._plan["low"]
        text = label_text(prediction)
        return self._values[text] if text in self._values else self._folded.get(fold(text))

    def _score(self, score):
        """Scores of several names of one label belong together."""
        if score is None:
            return None
        found = {}
        for said, part in score.items():
            label = self.label(said)
            name = said if label is None else label_text(label)
            found[name] = found.get(name, 0) + part
        return found


def folded_labels(values):
    """Fold → label, without the folds of two labels: which of them a new spelling means is not for code to say."""
    found = {}
    for said, label in values.items():
        found.setdefault(fold(said), set()).add(label_text(label))
    return {fold(said): label for said, label in values.items() if len(found[fold(said)]) == 1}


def fold(text):
    return re.sub(r"[\s_-]+", " ", text.strip()).casefold()


def label_text(label):
    label = plain(label)
    if isinstance(label, float) and label.is_integer():
        label = int(label)
    return json.dumps(label) if isinstance(label, (bool, int, float)) else str(label)


def are_scores(scores):
    """True when every row has a distribution over the same labels: a row that names only some says nothing of the others."""
    return all(is_distribution(score) for score in scores) and len({frozenset(score) for score in scores}) <= 1


def is_distribution(score):
    if not score or any(not math.isfinite(part) or part < 0 for part in score.values()):
        return False
    return abs(math.fsum(score.values()) - 1) <= 1e-6


def plain(value, depth=0):
    """Scalars, arrays and small objects of libraries as Python's own."""
    if isinstance(value, (bool, dict)) or value is None or type(value) in (str, int, float, list, tuple):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if depth > 3:
        return value
    inner = getattr(value, "value", None)
    if hasattr(type(value), "__members__") and isinstance(inner, (str, int, float)):  # a member of an enumeration
        return getattr(value, "name") if isinstance(inner, int) and not isinstance(value, int) else inner
    if isinstance(value, (str, int, float)):
        return str(value) if isinstance(value, str) else (int(value) if isinstance(value, int) else float(value))
    for name in ("item", "tolist"):
        convert = getattr(value, name, None)
        if callable(convert):
            try:
                return convert()
            except (TypeError, ValueError, RuntimeError):
                continue
    if isinstance(value, (tuple, set, frozenset)):
        return tuple(value) if isinstance(value, tuple) else sorted(value, key=str)
    for name in ANSWER_KEYS:
        if name.isascii() and hasattr(value, name) and not callable(getattr(value, name)):
            return plain(getattr(value, name), depth + 1)
    return value


def plain_table(results):
    """The results of a batch call as a sequence: tables and series of libraries, mappings by row."""
    to_dict = getattr(results, "to_dict", None)
    if callable(to_dict) and hasattr(results, "columns"):
        records = to_dict("records")
        return [next(iter(record.values())) if len(record) == 1 else record for record in records]
    if hasattr(results, "tolist"):
        return results.tolist()
    if isinstance(results, dict):
        lists = [value for value in results.values() if isinstance(value, (list, tuple))]
        keys = [name for name in ("predictions", "labels", "results", "outputs") if isinstance(results.get(name), (list, tuple))]
        if len(lists) == 1 or keys:
            return list(results[keys[0]]) if keys else list(lists[0])
    return results


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def shown(value):
    return "%s (%s)" % (repr(value)[:80], type(value).__name__)
