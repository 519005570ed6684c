"""Naive Bayes over rows that mix numbers and texts and may lack values."""

import math
from typing import Any, Dict, List, Mapping, Optional, Sequence

from .distributions import Categorical, Gaussian

Row = Mapping[str, Any]


class NaiveBayesClassifier:
    """Learns one distribution per column and label.

    Numbers get a Gaussian, everything else a smoothed categorical
    distribution. A missing value (``None`` or an absent key) says nothing: its
    column is left out for that row, when learning and when predicting.
    """

    def __init__(self, columns: Optional[Sequence[str]] = None):
        """Use only the named columns; all columns of the rows by default."""
        self.columns = list(columns) if columns is not None else None
        self.labels: List[Any] = []
        self._log_prior: Dict[Any, float] = {}
        self._models: Dict[str, Dict[Any, Any]] = {}

    def fit(self, rows: Sequence[Row], labels: Sequence[Any]) -> "NaiveBayesClassifier":
        """Learn from rows and their labels."""
        if len(rows) != len(labels):
            raise ValueError(f"{len(rows)} rows but {len(labels)} labels")
        if not rows:
            raise ValueError("there is nothing to learn from")
        self.labels = sorted(set(labels), key=str)
        counts = {label: labels.count(label) for label in self.labels}
        self._log_prior = {label: math.log(n / len(labels)) for label, n in counts.items()}
        columns = self.columns if self.columns is not None else _columns_of(rows)
        self._models = {column: self._fit_column(column, rows, labels) for column in columns}
        return self

    def predict(self, rows: Sequence[Row]) -> List[Any]:
        """The most probable label of each row; ties go to the label that sorts first."""
        return [max(self.labels, key=scores.__getitem__) for scores in map(self._log_scores, rows)]

    def predict_proba(self, rows: Sequence[Row]) -> List[Dict[Any, float]]:
        """For each row the probability of every label."""
        return [_normalised(self._log_scores(row)) for row in rows]

    def _fit_column(self, column, rows, labels):
        by_label = {label: [] for label in self.labels}
        for row, label in zip(rows, labels):
            value = row.get(column)
            if value is not None:
                by_label[label].append(value)
        values = [value for group in by_label.values() for value in group]
        if values and all(_is_number(value) for value in values):
            floor = max(_variance(values) * 1e-6, 1e-12)
            return {label: Gaussian(group, floor) for label, group in by_label.items() if group}
        categories = sorted(set(values), key=str)
        return {label: Categorical(group, categories) for label, group in by_label.items()}

    def _log_scores(self, row: Row) -> Dict[Any, float]:
        scores = dict(self._log_prior)
        for column, models in self._models.items():
            value = row.get(column)
            # A label without a model for this column cannot be compared on it.
            if value is None or len(models) < len(self.labels):
                continue
            for label, model in models.items():
                scores[label] += model.log_likelihood(value)
        return scores


def _columns_of(rows):
    seen = {}
    for row in rows:
        for column in row:
            seen.setdefault(column, None)
    return list(seen)


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _variance(values):
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / len(values)


def _normalised(log_scores):
    highest = max(log_scores.values())
    weights = {label: math.exp(score - highest) for label, score in log_scores.items()}
    total = math.fsum(weights.values())
    return {label: weight / total for label, weight in weights.items()}
