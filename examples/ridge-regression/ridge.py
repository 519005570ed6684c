"""Linear regression with an L2 penalty, in plain Python."""

import math
from typing import List, Optional, Sequence

from linear_algebra import gram_matrix, solve_positive_definite


class RidgeRegression:
    """Least squares with the penalty `alpha · |weights|²`.

    Columns are standardised first, so that the penalty treats them alike; the
    intercept is not penalised. A constant column gets weight zero.
    """

    def __init__(self, alpha: float = 1.0):
        if alpha <= 0:
            raise ValueError("alpha must be positive")
        self.alpha = alpha
        self.intercept: float = 0.0
        self.weights: Optional[List[float]] = None
        self._means: List[float] = []
        self._scales: List[float] = []

    def fit(self, X: Sequence[Sequence[float]], y: Sequence[float]) -> "RidgeRegression":
        """Learn from the rows of X and their targets."""
        if not X or len(X) != len(y):
            raise ValueError(f"{len(X)} rows but {len(y)} targets")
        columns = list(zip(*X))
        self._means = [math.fsum(column) / len(column) for column in columns]
        self._scales = [_spread(column, mean) for column, mean in zip(columns, self._means)]
        rows = [self._standardised(row) for row in X]
        self.intercept = math.fsum(y) / len(y)
        matrix = gram_matrix(rows)
        for i in range(len(matrix)):
            matrix[i][i] += self.alpha
        products = [math.fsum(row[i] * (t - self.intercept) for row, t in zip(rows, y)) for i in range(len(matrix))]
        self.weights = solve_positive_definite(matrix, products)
        return self

    def predict(self, X: Sequence[Sequence[float]]) -> List[float]:
        """The predicted target of each row."""
        if self.weights is None:
            raise RuntimeError("fit the model first")
        return [self.intercept + math.fsum(w * v for w, v in zip(self.weights, self._standardised(row))) for row in X]

    def _standardised(self, row):
        if len(row) != len(self._means):
            raise ValueError(f"a row has {len(row)} values, {len(self._means)} were learned from")
        return [(value - mean) / scale for value, mean, scale in zip(row, self._means, self._scales)]


def _spread(column, mean):
    variance = math.fsum((value - mean) ** 2 for value in column) / len(column)
    return math.sqrt(variance) or 1.0
