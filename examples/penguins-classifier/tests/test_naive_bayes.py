import unittest

from penguin_bayes import NaiveBayesClassifier

ROWS = [
    {"size": 1.0, "colour": "red"},
    {"size": 1.2, "colour": "red"},
    {"size": 5.0, "colour": "blue"},
    {"size": 5.2, "colour": None},
]
LABELS = ["small", "small", "large", "large"]


class NaiveBayesTest(unittest.TestCase):
    def setUp(self):
        self.model = NaiveBayesClassifier().fit(ROWS, LABELS)

    def test_predicts_the_nearer_label(self):
        self.assertEqual(self.model.predict([{"size": 1.1}, {"size": 5.1}]), ["small", "large"])

    def test_missing_values_leave_the_prior(self):
        self.assertEqual(self.model.predict_proba([{}]), [{"large": 0.5, "small": 0.5}])

    def test_probabilities_sum_to_one(self):
        (row,) = self.model.predict_proba([{"size": 3.0, "colour": "green"}])
        self.assertAlmostEqual(sum(row.values()), 1.0)

    def test_rejects_uneven_input(self):
        with self.assertRaises(ValueError):
            NaiveBayesClassifier().fit(ROWS, LABELS[:2])


if __name__ == "__main__":
    unittest.main()
