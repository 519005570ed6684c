"""Writes the vectors that the tests of comparisons use, answered by SciPy, statsmodels and scikit-learn.

Run: python generate_comparison.py   (needs numpy, scipy, statsmodels and scikit-learn; see comparison-versions.json)
"""

import json
import pathlib
import warnings

import numpy as np
import scipy
import sklearn
import statsmodels
from scipy import stats
from sklearn import metrics
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

HERE = pathlib.Path(__file__).parent


def exact_tests(rng):
    pairs = [(0, 0), (0, 1), (1, 0), (5, 5), (0, 10), (10, 0), (3, 14), (40, 25), (250, 251), (900, 1000), (12000, 12400)]
    pairs += [(int(a), int(b)) for a, b in rng.integers(0, 200, (60, 2))]
    for wins, losses in pairs:
        by_table = float(mcnemar([[7, wins], [losses, 9]], exact=True).pvalue)
        if wins + losses > 0:
            assert abs(by_table - stats.binomtest(wins, wins + losses, 0.5).pvalue) < 1e-12
        yield {"wins": wins, "losses": losses, "p": by_table}


def holm_cases(rng):
    for i in range(40):
        p = rng.random(int(rng.integers(1, 12))) ** 4
        if i % 5 == 0:
            p = np.round(p, 2)  # ties
        reject, adjusted, _, _ = multipletests(p, alpha=0.05, method="holm")
        yield {"p": p.tolist(), "adjusted": adjusted.tolist(), "reject": reject.tolist()}


def classification(rng, rows, accuracies):
    labels = np.array(["a", "b", "c"])
    target = labels[rng.integers(0, 3, rows)]
    hard = rng.random(rows)  # shared between the classifiers, so that pairing matters
    predictions = []
    for accuracy in accuracies:
        wrong = 0.7 * hard + 0.3 * rng.random(rows) > accuracy
        other = labels[(np.searchsorted(labels, target) + rng.integers(1, 3, rows)) % 3]
        predictions.append(np.where(wrong, other, target))
    return target, predictions


def intervals(statistic, rows, resamples, levels, rng):
    rows_of = np.arange(rows)
    result = {}
    for level in levels:
        found = stats.bootstrap(
            (rows_of,),
            lambda index, axis=None: statistic(index),
            n_resamples=resamples,
            confidence_level=level,
            method="percentile",
            vectorized=False,
            random_state=np.random.default_rng(rng),
        )
        result[str(level)] = [float(found.confidence_interval.low), float(found.confidence_interval.high)]
    return result


def paired_cases(rng):
    target, (first, second) = classification(rng, 300, (0.8, 0.7))

    def accuracy(index):
        return float(np.mean(first[index] == target[index]) - np.mean(second[index] == target[index]))

    def macro_f1(index):
        score = lambda p: metrics.f1_score(target[index], p[index], average="macro", zero_division=0)
        return float(score(first) - score(second))

    every = np.arange(len(target))
    wins = int(np.sum((first == target) & (second != target)))
    losses = int(np.sum((first != target) & (second == target)))
    yield {
        "task": "classification",
        "targets": target.tolist(),
        "first": first.tolist(),
        "second": second.tolist(),
        "differences": {"accuracy": accuracy(every), "macro_f1": macro_f1(every)},
        "intervals": {
            "accuracy": intervals(accuracy, 300, 20000, (0.95, 0.99), 1),
            "macro_f1": intervals(macro_f1, 300, 4000, (0.95,), 2),
        },
        "wins": wins,
        "losses": losses,
        "p": float(mcnemar([[0, wins], [losses, 0]], exact=True).pvalue),
    }
    y = rng.normal(10, 3, 200)
    near, far = y + rng.normal(0, 1, 200), y + rng.normal(0.3, 1.2, 200)

    def rmse(index):
        root = lambda p: metrics.root_mean_squared_error(y[index], p[index])
        return float(root(near) - root(far))

    def r2(index):
        return float(metrics.r2_score(y[index], near[index]) - metrics.r2_score(y[index], far[index]))

    every = np.arange(len(y))
    wins = int(np.sum(abs(near - y) < abs(far - y)))
    losses = int(np.sum(abs(near - y) > abs(far - y)))
    yield {
        "task": "regression",
        "targets": y.tolist(),
        "first": near.tolist(),
        "second": far.tolist(),
        "differences": {"rmse": rmse(every), "r2": r2(every)},
        "intervals": {
            "rmse": intervals(rmse, 200, 20000, (0.95, 0.99), 3),
            "r2": intervals(r2, 200, 20000, (0.95,), 4),
        },
        "wins": wins,
        "losses": losses,
        "p": float(stats.binomtest(wins, wins + losses, 0.5).pvalue),
    }


def main():
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(17)
    content = {"exact": list(exact_tests(rng)), "holm": list(holm_cases(rng)), "paired": list(paired_cases(rng))}
    (HERE / "comparison.jsonl").write_text(json.dumps(content) + "\n", encoding="utf-8")
    versions = {
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "statsmodels": statsmodels.__version__,
        "scikit-learn": sklearn.__version__,
    }
    (HERE / "comparison-versions.json").write_text(json.dumps(versions, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
