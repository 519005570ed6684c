"""Calls a repository's own prediction code on the rows of a data file.

Usage: python3 adapter.py --dataset F --output-dir D --limit N --repo-root R --seed 17 [--train T] [--checks]

F and T hold one JSON object per line with "row_index" and the columns; only T
holds the target. Writes D/predictions.jsonl and D/run_manifest.json, and with
--checks also D/checks.json. Ends with code 1 and one clear line on standard
error when the repository's code fails (13 when it wanted to write where it may
not, 14 when a module is missing).
"""

import argparse
import array
import ast
import asyncio
import csv
import hashlib
import importlib
import io
import json
import math
import os
import pickle
import random
import re
import runpy
import sys
import time
import traceback

# How the repository is called; filled in when the adapter is written.
PLAN = json.loads("{}")

READ_ONLY_CODE = 13
MISSING_MODULE_CODE = 14
CHECK_ROWS = 200
CHECK_SECONDS = 20.0
# Bound before anything of the repository runs: what it does to the module must not change how rows are read.
parse_json = json.JSONDecoder().decode


class AdapterError(Exception):
    """A failure with a sentence for the person who reads the log."""


def main():
    arguments = parse_arguments()
    keep_protocol_apart()
    try:
        run(arguments)
    except AdapterError as error:
        finish(code_of(error.__cause__ or error), str(error))
    except BaseException as error:  # SystemExit of the repository is a failure too
        finish(code_of(error), describe(error))
    finish(0, None)


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dataset", required=True)
    parser.add_argument("--output-dir", required=True)
    parser.add_argument("--limit", type=int, required=True)
    parser.add_argument("--repo-root", required=True)
    parser.add_argument("--seed", type=int, default=PLAN["seed"])
    parser.add_argument("--train")
    parser.add_argument("--checks", action="store_true")
    arguments = parser.parse_args()
    if PLAN["training"] and not arguments.train:
        parser.error("this adapter trains a model and needs --train")
    return arguments


def keep_protocol_apart():
    """Whatever the repository prints goes to standard error, also from C code."""
    sys.stdout.flush()
    os.dup2(2, 1)
    sys.stdout = sys.stderr


def say(message):
    """A line that tells a person how far it got when the time runs out."""
    print("[adapter] " + message, file=sys.__stderr__, flush=True)


def code_of(error):
    if (isinstance(error, OSError) and error.errno == 30) or "readonly database" in str(error):
        return READ_ONLY_CODE
    return MISSING_MODULE_CODE if isinstance(error, ModuleNotFoundError) else 1


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
    started = time.monotonic()
    arguments.output_dir = os.path.abspath(arguments.output_dir)
    arguments.repo_root = os.path.realpath(arguments.repo_root)
    rows, spread, digest = read_rows(arguments.dataset, arguments.limit)
    training_rows = list(read_rows(arguments.train, None)[0]) if PLAN["training"] else []
    random.seed(arguments.seed)
    inputs = Inputs(training_rows)
    prepare_paths(arguments.repo_root)
    say("loading " + PLAN["entrypoint"])
    entry = open_entry(arguments, inputs, training_rows)
    loaded = time.monotonic()
    say("loaded in %.1f s; %d rows to predict" % (loaded - started, len(rows)))
    way = choose_way(entry, rows)
    results = entry.predict(rows)
    lines = [(index,) + read_answer(value, index, entry) for index, value in zip(rows.indices(), results)]
    lines = with_companion(lines, entry, rows)
    predicted = time.monotonic()
    # Scores are written for all rows or for none.
    scored = are_scores([score for _, _, score in lines])
    labels = LabelMap(PLAN["labels"])
    mapped = [labels.line(line, scored) for line in lines]
    manifest = manifest_of(digest, arguments.seed, inputs, labels)
    manifest.update(sample_count=len(lines), scores=scored, load_seconds=round(loaded - started, 3))
    if entry.chunk is not None:
        manifest["chunk_rows"] = entry.chunk
    write_outputs(arguments.output_dir, mapped, scored, manifest)
    if arguments.checks:
        facts = {"way": way, "seconds": predicted - loaded, "load_seconds": loaded - started}
        write_checks(arguments.output_dir, Checks(entry, rows, spread).facts(results, lines, facts))


def read_rows(path, limit):
    """The first rows of a file, rows that are spread over all of it, and the SHA-256 of its bytes."""
    digest, spread, stride, at = hashlib.sha256(), [], 1, 0
    file = open(path, "rb")  # stays open: rows are read from it when they are wanted
    starts = array.array("Q")
    for number, line in enumerate(file, 1):
        digest.update(line)
        if limit is None or number <= limit:
            starts.append(at)
        at += len(line)
        if (number - 1) % stride == 0:
            spread.append(read_row(line, number, path))
            if len(spread) > 2 * CHECK_ROWS:
                spread, stride = spread[::2], stride * 2
    return Rows(file, starts), spread, digest.hexdigest()


class Rows:
    """The rows of a file, each read when it is wanted: of a large file only the places of its lines are kept."""

    def __init__(self, file, starts):
        self._file = file
        self._starts = starts
        self._indices = array.array("q", bytes(8 * len(starts)))
        self._known = 0

    def __len__(self):
        return len(self._starts)

    def __iter__(self):
        return self._between(0, len(self._starts))

    def __getitem__(self, place):
        if isinstance(place, slice):
            first, last, step = place.indices(len(self))
            if step == 1:
                return list(self._between(first, max(first, last)))
            return [self[at] for at in range(first, last, step)]
        if not -len(self) <= place < len(self):
            raise IndexError("there is no row %d" % place)
        at = place % len(self)
        return next(self._between(at, at + 1))

    def indices(self):
        """The row_index of every row, from memory once all were read."""
        if self._known < len(self):
            for _ in self:
                pass
        return self._indices

    def _between(self, first, last):
        place = self._starts[first] if first < last else 0
        for number in range(first, last):
            # Others may read between two rows.
            if self._file.tell() != place:
                self._file.seek(place)
            line = self._file.readline()
            place += len(line)
            row = read_row(line, number + 1, self._file.name)
            self._indices[number] = row["row_index"]
            if number == self._known:
                self._known += 1
            yield row


def read_row(line, number, path):
    try:
        row = parse_json(line.decode("utf-8"))
        if type(row["row_index"]) is not int:
            raise TypeError
    except (ValueError, KeyError, TypeError):
        raise AdapterError("line %d of %s is not a row with a row_index" % (number, os.path.basename(path)))
    return row


def manifest_of(digest, seed, inputs, labels):
    manifest = {
        "status": "ok",
        "dataset_sha256": digest,
        "sample_count": 0,
        "seed": seed,
        "adapter": PLAN["entrypoint"],
        "scores": False,
    }
    if inputs.fills:
        manifest["missing_numbers_filled"] = inputs.filled
    if labels.is_used:
        manifest["labels_mapped"] = labels.mapped
        manifest["labels_unmapped"] = labels.unmapped
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
    place = next((frame for frame in reversed(frames) if is_of_repository(frame.filename, own)), None)
    where = " at %s:%d" % (place.filename, place.lineno) if place else ""
    # Some libraries put lines of stars around what they say.
    text = [line.strip() for line in str(error).splitlines() if any(map(str.isalnum, line))]
    return "%s: %s%s" % (type(error).__name__, text[0][:300] if text else "no message", where)


def is_of_repository(filename, own):
    return not filename.startswith("<frozen") and os.path.abspath(filename) != own
