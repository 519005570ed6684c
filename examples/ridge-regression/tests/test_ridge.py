import unittest

from ridge import RidgeRegression


class RidgeTest(unittest.TestCase):
    def test_follows_a_line_when_the_penalty_is_small(self):
        model = RidgeRegression(alpha=1e-9).fit([[1.0], [2.0], [4.0]], [3.0, 5.0, 9.0])
        self.assertAlmostEqual(model.predict([[3.0]])[0], 7.0)

    def test_a_large_penalty_leaves_the_mean(self):
        model = RidgeRegression(alpha=1e12).fit([[1.0], [2.0], [3.0]], [3.0, 5.0, 7.0])
        self.assertAlmostEqual(model.predict([[100.0]])[0], 5.0, places=6)

    def test_a_constant_column_does_not_matter(self):
        model = RidgeRegression(alpha=1e-9).fit([[1.0, 7.0], [2.0, 7.0]], [1.0, 2.0])
        self.assertAlmostEqual(model.predict([[3.0, 7.0]])[0], 3.0, places=6)

    def test_rejects_rows_of_another_width(self):
        model = RidgeRegression().fit([[1.0], [2.0]], [1.0, 2.0])
        with self.assertRaises(ValueError):
            model.predict([[1.0, 2.0]])


if __name__ == "__main__":
    unittest.main()
