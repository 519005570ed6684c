import { flowers, many, manyMessages, messages, prices } from '../support/tables.ts';
import type { CorpusCase } from './libraries.ts';

/** Repositories in which nothing predicts what the data asks for, or only something that looks like it. */
export const refusedCases: readonly CorpusCase[] = [
  {
    name: 'a constant',
    table: many,
    files: { 'm.py': 'def predict(row):\n    return "long" if row["petal_length"] > -1 else "round"\n' },
    expected: { entrypoint: 'm:predict', refused: 'it gives the same answer, "long", for 40 different rows' },
  },
  {
    name: 'a cleaner of texts that is named like a label',
    table: manyMessages,
    files: { 'm.py': 'def label_text(text):\n    return text.lower().strip()\n' },
    expected: { entrypoint: 'm:label_text', refused: 'its answers are the values of the column text' },
  },
  {
    name: 'a counter',
    table: many,
    files: {
      'm.py':
        'def predict(rows: list) -> list:\n    return ["round" if at % 2 else "long" for at, row in enumerate(rows) if row["petal_length"] is not None]\n',
    },
    expected: { entrypoint: 'm:predict', refused: 'its answers follow the place of a row in the list and not the row' },
  },
  {
    name: 'a regressor for labels',
    table: many,
    files: { 'm.py': 'def predict(row):\n    return row["petal_length"] * 1000 // 7\n' },
    expected: {
      entrypoint: 'm:predict',
      refused: 'it gives 40 different numbers for 40 rows, and the data has 2 labels',
    },
  },
  {
    name: 'what gives back what it was handed',
    table: flowers,
    files: { 'm.py': 'def predict(row: dict):\n    return row\n' },
    expected: { entrypoint: 'm:predict', refused: 'adapter: row 0: m:predict gave back what it was handed' },
  },
  {
    name: 'only training',
    table: messages,
    files: { 'train.py': 'def train(texts, labels):\n    return len(texts)\n' },
    expected: {
      entrypoint: null,
      refused:
        'no entry point for predictions was recognised: 1 Python files with 1 functions and 0 classes, 0 command lines and 0 saved models were looked at; none is named like a prediction (predict, classify, label, score, estimate …)',
    },
  },
  {
    name: 'a server',
    table: messages,
    files: {
      'serve.py':
        'import argparse\n\nif __name__ == "__main__":\n    p = argparse.ArgumentParser()\n    p.add_argument("--port", type=int, required=True)\n    print(p.parse_args().port)\n',
    },
    expected: {
      entrypoint: null,
      refused:
        'no entry point for predictions was recognised: 1 Python files with 0 functions and 0 classes, 1 command lines and 0 saved models were looked at; not usable: cli:python serve.py: serve.py:4 needs --port',
    },
  },
  {
    name: 'a model whose weights are not there',
    table: messages,
    files: {
      'm.py':
        'class Model:\n    def __init__(self, weights_path):\n        self.w = open(weights_path)\n\n    def predict(self, text):\n        return "pos"\n',
    },
    expected: {
      entrypoint: null,
      refused:
        'no entry point for predictions was recognised: 1 Python files with 0 functions and 1 classes, 0 command lines and 0 saved models were looked at; not usable: m:Model.predict: m.py:5 its constructor needs weights_path',
    },
  },
  {
    name: 'a text where a number is asked for',
    table: prices,
    files: { 'm.py': 'def predict(size):\n    return "cheap" if size < 50 else "dear"\n' },
    expected: { entrypoint: 'm:predict', refused: "adapter: row 0: the prediction is 'cheap' (str), not a number" },
  },
];
