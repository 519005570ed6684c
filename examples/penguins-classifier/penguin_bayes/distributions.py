"""The two kinds of per-column distributions that the classifier knows."""

import math


class Gaussian:
    """A normal distribution fitted to numbers by maximum likelihood.

    The variance is floored at a small fraction of the column's overall
    variance, so that a constant column cannot give an infinite density.
    """

    def __init__(self, values, variance_floor):
        self.mean = math.fsum(values) / len(values)
        spread = math.fsum((value - self.mean) ** 2 for value in values) / len(values)
        self.variance = max(spread, variance_floor)

    def log_likelihood(self, value):
        distance = (value - self.mean) ** 2 / self.variance
        return -0.5 * (math.log(2 * math.pi * self.variance) + distance)


class Categorical:
    """Frequencies of texts with additive (Laplace) smoothing.

    One extra category is kept for texts that were never seen.
    """

    def __init__(self, values, categories, smoothing=1.0):
        counts = {}
        for value in values:
            counts[value] = counts.get(value, 0) + 1
        total = len(values) + smoothing * (len(categories) + 1)
        self._log = {c: math.log((counts.get(c, 0) + smoothing) / total) for c in categories}
        self._unseen = math.log(smoothing / total)

    def log_likelihood(self, value):
        return self._log.get(value, self._unseen)
