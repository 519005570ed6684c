import { flowers, manyMessages, messages } from '../support/tables.ts';
import type { CorpusCase } from './libraries.ts';

const spam = `
def _bad(text):
    return any(word in text.lower() for word in ("bad", "awful"))
`;
const moods = ['pos', 'neg', 'pos', 'pos'];

/** Repositories that speak of their labels in another way than the data. */
export const labelCases: readonly CorpusCase[] = [
  {
    name: 'other case',
    table: messages,
    files: { 'm.py': `${spam}\ndef classify(text):\n    return "NEG " if _bad(text) else "Pos"\n` },
    expected: {
      entrypoint: 'm:classify',
      mapping: 'the names are the same but for case and blanks: "Pos" is "pos", "NEG " is "neg"',
      predictions: moods,
    },
  },
  {
    name: 'places in a list of the code',
    table: messages,
    files: { 'm.py': `LABELS = ["neg", "pos"]\n${spam}\ndef predict(text):\n    return 0 if _bad(text) else 1\n` },
    expected: { entrypoint: 'm:predict', mapping: 'm.py:1 LABELS says 0 = neg, 1 = pos', predictions: moods },
  },
  {
    name: 'a dictionary from label to number',
    table: messages,
    files: {
      'm.py': `label2id = {"pos": 7, "neg": 3}\n${spam}\ndef predict(text):\n    return 3 if _bad(text) else 7\n`,
    },
    expected: { entrypoint: 'm:predict', mapping: 'm.py:1 label2id says 7 = pos, 3 = neg', predictions: moods },
  },
  {
    name: 'a file of labels',
    table: messages,
    files: { 'm.py': `${spam}\ndef predict(text):\n    return 1 if _bad(text) else 0\n`, 'labels.txt': 'pos\nneg\n' },
    expected: { entrypoint: 'm:predict', mapping: 'labels.txt:1 labels.txt says 0 = pos, 1 = neg', predictions: moods },
  },
  {
    name: 'id2label of a configuration',
    table: messages,
    files: {
      'm.py': `${spam}\ndef predict(text):\n    return 1 if _bad(text) else 0\n`,
      'config.json': '{"hidden": 12, "id2label": {"0": "POS", "1": "NEG"}}',
    },
    expected: {
      entrypoint: 'm:predict',
      mapping: 'config.json:1 config.json:id2label says 0 = pos, 1 = neg',
      predictions: moods,
    },
  },
  {
    name: 'classes of the object behind a list of scores',
    table: messages,
    files: {
      'm.py': `${spam}\nclass Model:\n    def __init__(self):\n        self.classes_ = ["pos", "neg"]\n\n    def predict(self, text):\n        return [0.1, 0.9] if _bad(text) else [0.8, 0.2]\n`,
    },
    expected: { entrypoint: 'm:Model.predict', predictions: moods },
  },
  {
    name: 'words of another language that the code translates',
    table: messages,
    files: {
      'm.py': `NAMES = {"积极": "pos", "消极": "neg"}\n${spam}\ndef classify(text):\n    return "消极" if _bad(text) else "积极"\n`,
    },
    expected: { entrypoint: 'm:classify', mapping: 'm.py:1 NAMES says 积极 = pos, 消极 = neg', predictions: moods },
  },
  {
    name: 'numbers without a word about them',
    table: messages,
    files: { 'm.py': `${spam}\ndef predict(text):\n    return 0 if _bad(text) else 1\n` },
    expected: { entrypoint: 'm:predict', question: ['0=neg,1=pos', '0=pos,1=neg'] },
  },
  {
    name: 'the same numbers with a mapping that was given',
    table: messages,
    files: { 'm.py': `${spam}\ndef predict(text):\n    return 0 if _bad(text) else 1\n` },
    options: { map: '0=neg,1=pos' },
    expected: { entrypoint: 'm:predict', predictions: moods },
  },
  {
    name: 'numbers that the code gives names',
    table: messages,
    files: {
      'm.py': `UNKNOWN = 0\nPOS = POSITIVE = 4\nNEG = 7\n${spam}\ndef predict(text):\n    return NEG if _bad(text) else POS\n`,
    },
    expected: { entrypoint: 'm:predict', mapping: 'm.py:1 constants says 4 = pos, 7 = neg', predictions: moods },
  },
  {
    name: 'two lists that disagree',
    table: messages,
    files: {
      'm.py': `LABELS = ["neg", "pos"]\nCLASSES = ["pos", "neg"]\n${spam}\ndef predict(text):\n    return 0 if _bad(text) else 1\n`,
    },
    expected: { entrypoint: 'm:predict', question: ['0=neg,1=pos', '0=pos,1=neg'] },
  },
  {
    name: 'a probability',
    table: messages,
    files: { 'm.py': `${spam}\ndef predict(text):\n    return 0.12 if _bad(text) else 0.93\n` },
    expected: {
      entrypoint: 'm:predict',
      question: ['threshold=0.5,high=pos,low=neg', 'threshold=0.5,high=neg,low=pos'],
    },
  },
  {
    name: 'a probability with a threshold that was given',
    table: messages,
    files: { 'm.py': `${spam}\ndef predict(text):\n    return 0.12 if _bad(text) else 0.93\n` },
    options: { map: 'threshold=0.5,high=pos,low=neg' },
    expected: { entrypoint: 'm:predict', predictions: moods },
  },
  {
    name: 'scores under names that are no labels',
    table: messages,
    files: {
      'm.py': `${spam}\ndef classify(text):\n    bad = _bad(text)\n    return {"negative": float(bad), "neu": 0.5, "compound": -0.4 if bad else 0.6}\n`,
    },
    expected: {
      entrypoint: 'm:classify',
      question: ['key=compound,threshold=0,high=pos,low=neg', 'key=compound,threshold=0,high=neg,low=pos'],
    },
  },
  {
    name: 'a number under a key and a threshold that were given',
    table: messages,
    files: {
      'm.py': `${spam}\ndef classify(text):\n    bad = _bad(text)\n    return {"neu": 0.5, "compound": -0.4 if bad else 0.6}\n`,
    },
    options: { map: 'key=compound,threshold=0,high=pos,low=neg' },
    expected: { entrypoint: 'm:classify', predictions: moods },
  },
  {
    name: 'is_neg as true and false',
    table: messages,
    files: { 'm.py': `${spam}\ndef predict_neg(text) -> bool:\n    return _bad(text)\n` },
    expected: { entrypoint: 'm:predict_neg', mapping: 'm.py:5 predict_neg says true for "neg"', predictions: moods },
  },
  {
    name: 'yes and no as true and false',
    table: messages,
    files: { 'm.py': `${spam}\ndef predict(text) -> bool:\n    return not _bad(text)\n` },
    options: { labels: ['no', 'yes'] },
    expected: {
      entrypoint: 'm:predict',
      mapping: 'true and false are "yes" and "no"',
      predictions: ['yes', 'no', 'yes', 'yes'],
    },
  },
  {
    name: 'names that begin alike are only proposed',
    table: messages,
    files: { 'm.py': `${spam}\ndef classify(text):\n    return "negative" if _bad(text) else "positive"\n` },
    expected: { entrypoint: 'm:classify', question: ['positive=pos,negative=neg'] },
  },
  {
    name: 'a third name stays and counts as wrong',
    table: manyMessages,
    files: {
      'm.py':
        'def classify(text):\n    if text.endswith("7"):\n        return "neutral"\n    return "neg" if "bad" in text else "pos"\n',
    },
    expected: {
      entrypoint: 'm:classify',
      predictions: Array.from({ length: 40 }, (_, at) => (at % 10 === 7 ? 'neutral' : at % 3 === 0 ? 'pos' : 'neg')),
    },
  },
  {
    name: 'labels of an enumeration by number',
    table: flowers,
    files: {
      'm.py':
        'from enum import IntEnum\n\nclass Kind(IntEnum):\n    ROUND = 0\n    LONG = 1\n\ndef predict(row):\n    return int(Kind.LONG if row["petal_length"] > 2.5 else Kind.ROUND)\n',
    },
    expected: {
      entrypoint: 'm:predict',
      mapping: 'm.py:3 Kind says 0 = round, 1 = long',
      predictions: ['round', 'long', 'round', 'long'],
    },
  },
];
