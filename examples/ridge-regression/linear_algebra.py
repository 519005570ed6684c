"""The little linear algebra that ridge regression needs."""

import math


def gram_matrix(rows):
    """The matrix of inner products of the columns of `rows`."""
    width = len(rows[0])
    return [[math.fsum(row[i] * row[j] for row in rows) for j in range(width)] for i in range(width)]


def solve_positive_definite(matrix, right):
    """Solve `matrix · x = right` by Cholesky decomposition.

    Raises ValueError when the matrix is not positive definite.
    """
    size = len(matrix)
    lower = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = matrix[i][j] - math.fsum(lower[i][k] * lower[j][k] for k in range(j))
            if i == j:
                if rest <= 0:
                    raise ValueError("the matrix is not positive definite")
                lower[i][i] = math.sqrt(rest)
            else:
                lower[i][j] = rest / lower[j][j]
    half = [0.0] * size
    for i in range(size):
        half[i] = (right[i] - math.fsum(lower[i][k] * half[k] for k in range(i))) / lower[i][i]
    solution = [0.0] * size
    for i in reversed(range(size)):
        below = math.fsum(lower[k][i] * solution[k] for k in range(i + 1, size))
        solution[i] = (half[i] - below) / lower[i][i]
    return solution
