import { cards, feelings, flowers, messages, prices, type Table } from '../support/tables.ts';
import type { CorpusCase } from './libraries.ts';

const kinds = ['round', 'long', 'round', 'long'];
const moods = ['pos', 'neg', 'pos', 'pos'];
const good = 'def _good(text):\n    return any(word in text.lower() for word in ("good", "great", "love"))\n';

/** The same flowers with a target of yes and no: whether the petal is long. */
function yesAndNo(target: string): Table {
  const { shape, train, test } = flowers;
  return {
    shape: {
      ...shape,
      targetColumn: target,
      columns: shape.columns.map((one) => (one.name === 'kind' ? { ...one, name: target } : one)),
    },
    test,
    train: train.map(({ kind, ...row }) => ({ ...row, [target]: kind === 'long' ? 'yes' : 'no' })),
  };
}

const question = (name: string, answer: string): CorpusCase['files'] => ({
  'm.py': `def ${name}(row):\n    return ${answer}\n`,
});
const LONG = 'row["petal_length"] > 2.5';

/** Objects that come to be in other ways. */
export const makingCases: readonly CorpusCase[] = [
  {
    name: 'a class that is made from the text and holds the answer as a property',
    table: feelings,
    files: {
      'README.md': '`Opinion("a text").sentiment`\n',
      'opinions.py': `${good}\nclass Opinion:\n    def __init__(self, text):\n        self.text = text.lower()\n\n    @property\n    def sentiment(self):\n        return "pos" if _good(self.text) else "neg"\n`,
    },
    expected: { entrypoint: 'opinions:Opinion.sentiment', predictions: moods },
  },
  {
    name: 'a class that is made from the text and sets the answer as an attribute',
    table: feelings,
    files: {
      'opinions.py': `${good}\nclass Opinion:\n    def __init__(self, text: str):\n        self.sentiment = "pos" if _good(text) else "neg"\n`,
    },
    expected: { entrypoint: 'opinions:Opinion.sentiment', predictions: moods },
  },
  {
    name: 'a class that is made from the text and has a method without arguments',
    table: messages,
    files: {
      'opinions.py': `${good}\nclass Opinion:\n    def __init__(self, text: str):\n        self.text = text\n\n    def classify(self):\n        return "pos" if _good(self.text) else "neg"\n`,
    },
    expected: { entrypoint: 'opinions:Opinion.classify', predictions: moods },
  },
  {
    name: 'a function that trains and returns an object of a class that needs what it learned',
    table: flowers,
    files: {
      'm.py':
        'class Middle:\n    def __init__(self, low, high):\n        self.low, self.high = low, high\n\n    def predict(self, X):\n        return [self.high if x[0] > 2.5 else self.low for x in X]\n\n\ndef fit(X, y):\n    pairs = sorted(zip([x[0] for x in X], y))\n    model = Middle(pairs[0][1], pairs[-1][1])\n    return model\n',
    },
    expected: { entrypoint: 'm:fit().predict', predictions: kinds },
  },
  {
    name: 'a function that trains and returns what another function takes',
    table: flowers,
    files: {
      'm.py':
        'def fit(X, y):\n    pairs = sorted(zip([x[0] for x in X], y))\n    return {"low": pairs[0][1], "high": pairs[-1][1]}\n\n\ndef predict(model, X):\n    return [model["high"] if x[0] > 2.5 else model["low"] for x in X]\n',
    },
    expected: { entrypoint: 'm:predict', predictions: kinds },
  },
  {
    name: 'a method that is inherited from a base class in another module',
    table: messages,
    files: {
      'kit/__init__.py': 'from .words import WordModel\n',
      'kit/base.py':
        'from abc import ABC, abstractmethod\n\n\nclass TextModel(ABC):\n    def predict(self, texts):\n        return [self._one(text) for text in texts]\n\n    @abstractmethod\n    def _one(self, text):\n        ...\n',
      'kit/words.py': `from . import base\n${good}\n\nclass WordModel(base.TextModel):\n    def _one(self, text):\n        return "pos" if _good(text.lower()) else "neg"\n`,
    },
    expected: { entrypoint: 'kit.words:WordModel.predict', predictions: moods },
  },
  {
    name: 'bytes by annotation',
    table: messages,
    files: {
      'm.py':
        'def classify(data: bytes) -> str:\n    return "pos" if any(word in data.lower() for word in (b"good", b"great", b"love")) else "neg"\n',
    },
    expected: { entrypoint: 'm:classify', predictions: moods },
  },
  {
    name: 'bytes by use',
    table: messages,
    files: { 'm.py': `${good}\ndef classify(data):\n    return "pos" if _good(data.decode("utf-8")) else "neg"\n` },
    expected: { entrypoint: 'm:classify', predictions: moods },
  },
  {
    name: 'texts or bytes',
    table: messages,
    files: {
      'm.py': `from typing import Union\n${good}\ndef classify(data: Union[str, bytes]) -> str:\n    text = data if isinstance(data, str) else data.decode()\n    return "pos" if _good(text) else "neg"\n`,
    },
    expected: { entrypoint: 'm:classify', predictions: moods },
  },
  {
    name: 'a script that reads its command line at once, without a guard',
    table: flowers,
    files: {
      'predict.py':
        '"""Predict kinds."""\nimport argparse, csv\n\nparser = argparse.ArgumentParser()\nparser.add_argument("--input", required=True, help="CSV file")\nargs = parser.parse_args()\n\nfor row in csv.DictReader(open(args.input)):\n    print("long" if float(row["petal_length"]) > 2.5 else "round")\n',
    },
    expected: { entrypoint: 'cli:python predict.py', predictions: kinds },
  },
  {
    name: 'a script that reads sys.argv at once, without a guard',
    table: messages,
    files: {
      'classify.py': `"""Classify a text."""\nimport sys\n${good}\nprint("pos" if _good(sys.argv[1]) else "neg")\n`,
    },
    expected: { entrypoint: 'cli:python classify.py', predictions: moods },
  },
  {
    name: 'fire on a class, whose constructor is harmless',
    table: messages,
    files: {
      'fire.py': 'import sys\n\ndef Fire(component):\n    print(getattr(component(), sys.argv[1])(*sys.argv[2:]))\n',
      'label.py': `import fire\n${good}\n\nclass Labels:\n    def predict(self, text):\n        return "pos" if _good(text) else "neg"\n\n\nif __name__ == "__main__":\n    fire.Fire(Labels)\n`,
    },
    options: { entry: 'cli:python label.py predict {text}' },
    expected: { entrypoint: 'cli:python label.py predict {text}', predictions: moods },
  },
  {
    name: 'scores that name other labels in each row, which are no scores of all labels',
    table: messages,
    files: {
      'm.py': `${good}\ndef classify(text):\n    return {"pos": 1.0} if _good(text) else {"neg": 1.0}\n`,
    },
    expected: { entrypoint: 'm:classify', predictions: moods },
  },
  {
    name: 'a pickle of plain data, which is no model',
    table: messages,
    files: {
      'm.py': `${good}\ndef classify(text):\n    return "pos" if _good(text) else "neg"\n`,
      // A mapping of one word to a number, protocol 0.
      'sentiment_model.pkl': '(dp0\nVgood\np1\nI1\ns.',
    },
    expected: { entrypoint: 'm:classify', predictions: moods },
  },
  {
    name: 'a conversion with a two in its name',
    table: prices,
    files: { 'size2price.py': 'def size2price(size):\n    return 3.0 * size\n' },
    expected: { entrypoint: 'size2price:size2price', predictions: [30, 300, 21] },
  },
];

/** Questions with yes or no whose yes is not the target's, and names that only case tells apart. */
export const doubtfulLabelCases: readonly CorpusCase[] = [
  {
    name: 'is_long for the target long',
    table: yesAndNo('long'),
    files: question('is_long', LONG),
    expected: {
      entrypoint: 'm:is_long',
      mapping: 'true and false are "yes" and "no"',
      predictions: ['no', 'yes', 'no', 'yes'],
    },
  },
  ...(['is_short', 'is_not_long', 'isnt_long', 'is_unlong', 'has_no_long'] as const).map((name): CorpusCase => ({
    name: `${name} for the target long`,
    table: yesAndNo('long'),
    files: question(name, `not (${LONG})`),
    options: { entry: `m:${name}` },
    expected: { entrypoint: `m:${name}`, question: ['true=yes,false=no', 'true=no,false=yes'] },
  })),
  {
    name: 'the same as 0 and 1',
    table: yesAndNo('long'),
    files: question('is_short', `int(not (${LONG}))`),
    options: { entry: 'm:is_short' },
    expected: { entrypoint: 'm:is_short', question: ['1=yes,0=no', '1=no,0=yes'] },
  },
  {
    name: 'is_invalid for the target valid, whose labels are true and false already',
    table: cards,
    files: { 'm.py': 'def is_invalid(number: int) -> bool:\n    return number % 2 == 1\n' },
    options: { entry: 'm:is_invalid' },
    expected: { entrypoint: 'm:is_invalid', question: ['true=true,false=false', 'true=false,false=true'] },
  },
  {
    name: 'a label that the name of the function turns round',
    table: flowers,
    files: question('is_not_long', `not (${LONG})`),
    options: { entry: 'm:is_not_long' },
    expected: { entrypoint: 'm:is_not_long', question: ['false=long,true=round', 'false=round,true=long'] },
  },
  {
    name: 'answers that only case tells apart, and one label',
    table: messages,
    files: {
      'm.py': `${good}\ndef classify(text):\n    if not _good(text):\n        return "neg"\n    return "POS" if "love" in text else "pos"\n`,
    },
    expected: { entrypoint: 'm:classify', question: ['pos=pos,neg=neg,POS=pos'] },
  },
  {
    name: 'labels that only case tells apart, and an answer that is neither',
    table: messages,
    files: { 'm.py': `${good}\ndef classify(text):\n    return "Pos" if _good(text) else "neg"\n` },
    options: { labels: ['POS', 'neg', 'pos'] },
    expected: { entrypoint: 'm:classify', question: ['neg=neg,Pos=POS', 'neg=neg,Pos=pos'] },
  },
  {
    name: 'labels that only case tells apart, answered exactly',
    table: messages,
    files: { 'm.py': `${good}\ndef classify(text):\n    return "pos" if _good(text) else "neg"\n` },
    options: { labels: ['POS', 'neg', 'pos'] },
    expected: { entrypoint: 'm:classify', predictions: moods },
  },
];
