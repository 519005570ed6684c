"""A naive Bayes classifier for table rows, in plain Python."""

from .naive_bayes import NaiveBayesClassifier

__all__ = ["NaiveBayesClassifier"]
