"""Calls a repository's own prediction code on the rows of a data file.

Usage: python3 adapter.py --dataset F --output-dir D --limit N --repo-root R --seed 17 [--train T]

F and T hold one JSON object per line with "row_index" and the columns; only T
holds the target. Writes D/predictions.jsonl and D/run_manifest.json. Ends with
code 1 and one clear line on standard error when the repository's code fails.
"""

import argparse
import hashlib
import importlib
import json
import math
import os
import random
import sys
import traceback

# How the repository is called; filled in when the adapter is written.
PLAN = json.loads("{}")


class AdapterError(Exception):
    """A failure with a sentence for the person who reads the log."""


def main():
    arguments = parse_arguments()
    keep_protocol_apart()
    try:
        run(arguments)
    except AdapterError as error:
        finish(1, str(error))
    except BaseException as error:  # SystemExit of the repository is a failure too
        finish(1, describe(error))
    finish(0, None)


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dataset", required=True)
    parser.add_argument("--output-dir", required=True)
    parser.add_argument("--limit", type=int, required=True)
    parser.add_argument("--repo-root", required=True)
    parser.add_argument("--seed", type=int, default=PLAN["seed"])
    parser.add_argument("--train")
    arguments = parser.parse_args()
    if PLAN["training"] and not arguments.train:
        parser.error("this adapter trains a model and needs --train")
    return arguments


def keep_protocol_apart():
    """Whatever the repository prints goes to standard error, also from C code."""
    sys.stdout.flush()
    os.dup2(2, 1)
    sys.stdout = sys.stderr


def finish(code, message):
    """Ends the process at once: a thread that the repository left running must not keep it alive."""
    if message:
        print("adapter: " + message, file=sys.__stderr__)
    for stream in (sys.stdout, sys.stderr, sys.__stderr__):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass
    os._exit(code)


def run(arguments):
    rows, digest = read_rows(arguments.dataset, arguments.limit)
    training_rows = read_rows(arguments.train, None)[0] if PLAN["training"] else []
    random.seed(arguments.seed)
    module = load_module(os.path.realpath(arguments.repo_root))
    seed_numpy(arguments.seed)
    inputs = Inputs(training_rows)
    model = Model(module, inputs, training_rows)
    results = model.predict(rows)
    probabilities = model.probabilities(rows)
    lines = []
    for at, row in enumerate(rows):
        prediction, score = read_result(results[at], row["row_index"])
        if probabilities is not None:
            score = probabilities[at]
        lines.append((row["row_index"], prediction, score))
    # Scores are written for all rows or for none.
    scored = all(is_distribution(score) for _, _, score in lines)
    write_outputs(arguments.output_dir, lines, scored, manifest_of(digest, len(lines), arguments.seed, inputs, scored))


def read_rows(path, limit):
    """The rows of a file and the SHA-256 of all its bytes."""
    digest, rows = hashlib.sha256(), []
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            digest.update(line)
            if limit is not None and len(rows) >= limit:
                continue
            try:
                row = json.loads(line)
                row["row_index"]
            except (ValueError, KeyError, TypeError):
                raise AdapterError("line %d of %s is not a row with a row_index" % (number, os.path.basename(path)))
            rows.append(row)
    return rows, digest.hexdigest()


def load_module(root):
    """Imports the planned module from the repository and makes sure that it is that file."""
    import_root = os.path.join(root, PLAN["import_root"]) if PLAN["import_root"] else root
    sys.dont_write_bytecode = True
    own = os.path.dirname(os.path.abspath(__file__))
    wanted = [import_root, root, os.path.join(root, "src")]
    sys.path[:] = wanted + [entry for entry in sys.path if os.path.abspath(entry or ".") != own and entry not in wanted]
    os.chdir(root)
    module = importlib.import_module(PLAN["module"])
    found = os.path.realpath(getattr(module, "__file__", None) or "")
    if found != os.path.join(root, PLAN["file"]):
        raise AdapterError("module %s came from %s, not from the repository" % (PLAN["module"], found or "nowhere"))
    return module


def seed_numpy(seed):
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)


class Inputs:
    """Turns rows of the data file into what the entry point takes."""

    def __init__(self, training_rows):
        self.filled = 0
        self._means = {}
        if PLAN["input"] == "feature_vector":
            for column, _ in PLAN["columns"]:
                values = [row[column] for row in training_rows if row.get(column) is not None]
                if values:
                    self._means[column] = math.fsum(values) / len(values)

    def item(self, row):
        columns = PLAN["columns"]
        if PLAN["input"] == "text":
            value = row.get(columns[0][0])
            return "" if value is None else str(value)
        if PLAN["input"] == "row_dict":
            return {name: row.get(column) for column, name in columns}
        if PLAN["input"] == "feature_vector":
            return [self._number(row, column) for column, _ in columns]
        if PLAN["call"] == "batch" or PLAN["training"]:  # one column, one bare value
            return row.get(columns[0][0])
        return {name: row.get(column) for column, name in columns}

    def _number(self, row, column):
        value = row.get(column)
        if value is not None:
            return float(value)
        if column not in self._means:
            raise AdapterError("row %s has no value in %s, and nothing says what it should be" % (row["row_index"], column))
        self.filled += 1
        return self._means[column]


class Model:
    """The entry point, ready to be called: trained when the plan says so."""

    def __init__(self, module, inputs, training_rows):
        self._inputs = inputs
        self._owner = getattr(module, PLAN["owner"]) if PLAN["owner"] else module
        self._learned = None
        if PLAN["kind"] == "method":
            self._owner = self._owner()
        if PLAN["training"]:
            self._learned = train(getattr(self._owner, PLAN["training"]["attribute"]), inputs, training_rows)

    def predict(self, rows):
        return self._call(PLAN["attribute"], rows)

    def probabilities(self, rows):
        """For each row label → probability, or None when the companion gives something else."""
        if not PLAN["probabilities"]:
            return None
        labels = self._labels()
        found = [as_distribution(value, labels) for value in self._call(PLAN["probabilities"], rows)]
        return None if any(value is None for value in found) else found

    def _labels(self):
        for name in ("classes_", "labels_", "classes", "labels", "label_names", "class_names"):
            value = getattr(self._owner, name, None)
            if isinstance(value, (list, tuple)) or hasattr(value, "tolist"):
                return [plain(label) for label in value]
        return None

    def _call(self, attribute, rows):
        function = getattr(self._owner, attribute)
        items = [self._inputs.item(row) for row in rows]
        if PLAN["call"] == "single":
            return [self._call_one(function, item, row["row_index"]) for item, row in zip(items, rows)]
        results = self._apply(function, items)
        if isinstance(results, (str, bytes, dict)):
            raise AdapterError("%s gave one %s for %d rows" % (PLAN["entrypoint"], type(results).__name__, len(rows)))
        results = list(results)
        if len(results) != len(rows):
            raise AdapterError("%s gave %d results for %d rows" % (PLAN["entrypoint"], len(results), len(rows)))
        return results

    def _call_one(self, function, item, row_index):
        try:
            return self._apply(function, item)
        except Exception as error:
            raise AdapterError("row %s: %s" % (row_index, describe(error)))

    def _apply(self, function, item):
        if PLAN["kind"] == "model_function":
            return function(self._learned, item) if PLAN["model_first"] else function(item, self._learned)
        if isinstance(item, dict) and PLAN["input"] == "arguments":
            return function(**item)
        return function(item)


def train(function, inputs, rows):
    """Calls the training code once, or once per row, and gives what it returned."""
    style, labels_first = PLAN["training"]["style"], PLAN["training"]["labels_first"]
    items, labels = [inputs.item(row) for row in rows], [row[PLAN["target"]] for row in rows]
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
        function(*pair)
    return None


def read_result(value, row_index):
    """The prediction in a result, and label → probability when the result holds them."""
    value = plain(value)
    score = None
    if isinstance(value, dict):
        key = next((name for name in ("label", "prediction", "class", "category", "value") if name in value), None)
        if key is not None:
            value = plain(value[key])
        elif PLAN["task"] != "regression":
            score = as_distribution(value, None)
            value = max(score, key=score.get) if score else value
    elif isinstance(value, (list, tuple)) and value:
        # (label, confidence), or a list of one
        if len(value) == 1 or is_pair(value):
            value = plain(value[0])
    return checked(value, row_index), score


def is_pair(value):
    """(label, confidence) or (value, spread); a list of two numbers could as well be the scores of two labels."""
    if len(value) != 2 or not is_number(plain(value[1])) or isinstance(value[0], (list, tuple)):
        return False
    return isinstance(value, tuple) or not isinstance(plain(value[0]), float)


def checked(value, row_index):
    """The prediction as JSON can hold it; raises for what is no prediction of this task."""
    if isinstance(value, float) and not math.isfinite(value):
        raise AdapterError("row %s: the prediction is %r" % (row_index, value))
    if PLAN["task"] == "regression":
        if not is_number(value):
            raise AdapterError("row %s: the prediction is %s, not a number" % (row_index, shown(value)))
        return value
    if not isinstance(value, (str, int, float, bool)):
        raise AdapterError("row %s: the prediction is %s, not a label" % (row_index, shown(value)))
    if isinstance(value, float) and PLAN["target_type"] == "integer" and value.is_integer():
        return int(value)
    return value


def as_distribution(value, labels):
    """Label → probability from a mapping, pairs, or numbers in the order of the labels; None for anything else."""
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


def label_text(label):
    label = plain(label)
    return json.dumps(label) if isinstance(label, (bool, int, float)) else str(label)


def is_distribution(score):
    if not score or any(not math.isfinite(part) or part < 0 for part in score.values()):
        return False
    return abs(math.fsum(score.values()) - 1) <= 1e-6


def plain(value):
    """Scalars and arrays of numeric libraries as Python's own."""
    if isinstance(value, (str, bool, int, float, dict, list, tuple)) or value is None:
        return value
    for name in ("item", "tolist"):
        convert = getattr(value, name, None)
        if callable(convert):
            try:
                return convert()
            except (TypeError, ValueError):
                continue
    return value


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def shown(value):
    return "%s (%s)" % (repr(value)[:80], type(value).__name__)


def manifest_of(digest, count, seed, inputs, scored):
    manifest = {
        "status": "ok",
        "dataset_sha256": digest,
        "sample_count": count,
        "seed": seed,
        "adapter": PLAN["entrypoint"],
        "scores": scored,
    }
    if PLAN["input"] == "feature_vector":
        manifest["missing_numbers_filled"] = inputs.filled
    return manifest


def write_outputs(folder, lines, scored, manifest):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "predictions.jsonl"), "w", encoding="utf-8") as file:
        for row_index, prediction, score in lines:
            record = {"row_index": row_index, "prediction": prediction}
            if scored:
                record["score"] = score
            file.write(json.dumps(record, allow_nan=False) + "\n")
    with open(os.path.join(folder, "run_manifest.json"), "w", encoding="utf-8") as file:
        file.write(json.dumps(manifest, allow_nan=False) + "\n")


def describe(error):
    """What went wrong and the last line of the repository's code that led there."""
    frames = traceback.extract_tb(error.__traceback__)
    own = os.path.abspath(__file__)
    place = next((frame for frame in reversed(frames) if os.path.abspath(frame.filename) != own), None)
    where = " at %s:%d" % (place.filename, place.lineno) if place else ""
    text = str(error).strip().splitlines()
    return "%s: %s%s" % (type(error).__name__, text[0][:300] if text else "no message", where)


if __name__ == "__main__":
    main()
