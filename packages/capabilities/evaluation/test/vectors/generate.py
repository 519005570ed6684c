"""Writes the metric vectors that the tests compare with: 100 random cases for each metric, answered by scikit-learn.

Run: python generate.py      (needs numpy and scikit-learn; the versions are written into versions.json)
One JSON object per line; floats are written in full, so they read back bit for bit.
"""

import json
import pathlib
import warnings

import numpy as np
import sklearn
from sklearn import metrics

HERE = pathlib.Path(__file__).parent
CASES = 100


def label_set(rng, kind, count):
    if kind == "boolean":
        return [False, True]
    if kind == "integer":
        return sorted(int(v) for v in rng.choice(np.arange(-5, 40), size=count, replace=False))
    words = ["Adelie", "Gentoo", "Chinstrap", "f/1", "ä", "标签", "__proto__", "constructor", "x y", "", "7", "true"]
    return sorted(str(v) for v in rng.choice([w for w in words if w != ""], size=count, replace=False))


def text(label):
    """The canonical form of a label."""
    return str(label).lower() if isinstance(label, bool) else str(label)


def classification_case(rng, i):
    kind = ["text", "integer", "boolean"][i % 3]
    labels = label_set(rng, kind, int(rng.integers(2, 7)))
    n = int(rng.integers(1, 50))
    target_labels = labels
    if i % 10 == 3:
        target_labels = labels[:1]  # one class
    if i % 10 == 4:
        target_labels = labels[1:]  # a label that no target has: predicted but absent
    targets = [target_labels[int(k)] for k in rng.integers(0, len(target_labels), n)]
    noise = rng.random(n) < rng.random()
    predictions = [labels[int(rng.integers(0, len(labels)))] if bad else t for t, bad in zip(targets, noise)]
    if i % 10 == 5:
        predictions = list(targets)  # perfect
    if i % 10 == 6:
        predictions = [labels[0]] * n  # constant
    union = sorted(set(targets) | set(predictions))
    t, p = np.array(targets, dtype=object), np.array(predictions, dtype=object)
    if kind != "text":
        t, p = np.array(targets), np.array(predictions)
    else:
        t, p = np.array(targets, dtype=str), np.array(predictions, dtype=str)
    precision, recall, f1, support = metrics.precision_recall_fscore_support(
        t, p, labels=union, average=None, zero_division=0
    )
    return {
        "labelType": kind,
        "targets": [text(v) for v in targets],
        "predictions": [text(v) for v in predictions],
        "labels": [text(v) for v in union],
        "accuracy": float(metrics.accuracy_score(t, p)),
        "macro_f1": float(metrics.f1_score(t, p, labels=union, average="macro", zero_division=0)),
        "precision": precision.tolist(),
        "recall": recall.tolist(),
        "f1": f1.tolist(),
        "support": support.tolist(),
        "confusion": metrics.confusion_matrix(t, p, labels=union).tolist(),
    }


def probabilities(rng, i, n, k):
    if i % 2 == 0:  # many ties, sums exact in binary
        cuts = rng.multinomial(16, np.ones(k) / k, size=n)
        return cuts / 16
    raw = rng.random((n, k)) ** 3 + 1e-9
    return raw / raw.sum(axis=1, keepdims=True)


def score_case(rng, i):
    kind = ["text", "integer", "boolean"][i % 3]
    labels = label_set(rng, kind, int(rng.integers(2, 6)))
    n = int(rng.integers(2, 40))
    target_labels = labels
    if i % 10 == 3:
        target_labels = labels[:1]  # one class: AUROC undefined
    if i % 10 == 4 and len(labels) > 2:
        target_labels = labels[1:]  # a scored label that no target has
    targets = [target_labels[int(c)] for c in rng.integers(0, len(target_labels), n)]
    scores = probabilities(rng, i, n, len(labels))
    dtype = str if kind == "text" else None
    y = np.array(targets, dtype=dtype)
    per_label = []
    for column, label in enumerate(labels):
        hit = y == label
        if hit.any() and not hit.all():
            per_label.append(float(metrics.roc_auc_score(hit, scores[:, column])))
    if len(labels) == 2:
        hit = y == labels[1]
        auroc = float(metrics.roc_auc_score(hit, scores[:, 1])) if hit.any() and not hit.all() else None
    else:
        auroc = float(np.mean(per_label)) if per_label else None
        if len(per_label) == len(labels):
            whole = metrics.roc_auc_score(y, scores, labels=np.array(labels, dtype=dtype), multi_class="ovr", average="macro")
            assert abs(whole - auroc) < 1e-12
    return {
        "labelType": kind,
        "targets": [text(v) for v in targets],
        "labels": [text(v) for v in labels],
        "scores": scores.tolist(),
        "auroc": auroc,
        "log_loss": float(metrics.log_loss(y, y_proba=scores, labels=np.array(labels, dtype=dtype))),
    }


def regression_case(rng, i):
    n = int(rng.integers(2, 60))
    scale = 10.0 ** rng.integers(-3, 7)
    targets = rng.normal(rng.normal() * scale, scale, n)
    predictions = targets + rng.normal(0, scale * rng.random(), n)
    if i % 10 == 3:
        targets = np.full(n, float(rng.integers(-9, 9)))  # constant targets
    if i % 10 == 4:
        targets = np.full(n, 2.5)
        predictions = targets.copy()  # constant and right
    if i % 10 == 5:
        predictions = targets.copy()  # perfect
    if i % 10 == 6:
        targets = rng.integers(0, 100, n).astype(float)
        predictions = np.full(n, targets.mean())  # a constant explains nothing
    return {
        "targets": targets.tolist(),
        "predictions": predictions.tolist(),
        "mse": float(metrics.mean_squared_error(targets, predictions)),
        "mae": float(metrics.mean_absolute_error(targets, predictions)),
        "rmse": float(metrics.root_mean_squared_error(targets, predictions)),
        "r2": float(metrics.r2_score(targets, predictions)),
    }


def main():
    warnings.simplefilter("ignore")
    for name, make in [("classification", classification_case), ("scores", score_case), ("regression", regression_case)]:
        rng = np.random.default_rng(17)
        lines = [json.dumps(make(rng, i), ensure_ascii=True) for i in range(CASES)]
        (HERE / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    versions = {"numpy": np.__version__, "scikit-learn": sklearn.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
