import type { JudgeOptions, Judged } from '../support/preflight.ts';
import {
  cards,
  digits,
  feelings,
  flowers,
  messages,
  people,
  prices,
  reviews,
  rooms,
  type Table,
} from '../support/tables.ts';

/** A small repository in the style of a real package, and how it must end. */
export interface CorpusCase {
  readonly name: string;
  readonly table: Table;
  readonly files: Readonly<Record<string, string>>;
  readonly options?: JudgeOptions;
  readonly expected: Judged;
}

const kinds = ['round', 'long', 'round', 'long'];
const moods = ['pos', 'neg', 'pos', 'pos'];
const moodRule = `
def _mood(text):
    words = text.lower().replace(",", " ").split()
    return sum(w in ("good", "great", "love") for w in words) - sum(w in ("bad", "awful") for w in words)
`;

/** Functions and classes that are called from Python. */
export const libraryCases: readonly CorpusCase[] = [
  {
    name: 'scores of what the target is about, under several names',
    table: feelings,
    files: {
      'mood.py': `${moodRule}
class Analyzer:
    def polarity_scores(self, text):
        return {"neu": 0.5, "compound": float(_mood(text))}

    def score_valence(self, total, text):
        return total / len(text)
`,
    },
    options: { map: 'key=compound,threshold=0,high=pos,low=neg' },
    expected: { entrypoint: 'mood:Analyzer.polarity_scores', predictions: moods },
  },
  {
    name: 'of two verbs the one whose module speaks of the target',
    table: feelings,
    files: {
      'kit/__init__.py': '',
      'kit/tag.py': 'def classify(text):\n    return "NOUN" if len(text) > 9 else "VERB"\n',
      'kit/sentiment.py': `${moodRule}\ndef classify(text):\n    return "pos" if _mood(text) > 0 else "neg"\n`,
    },
    expected: { entrypoint: 'kit.sentiment:classify', predictions: moods },
  },
  {
    name: 'a check of digits that come as a number',
    table: cards,
    files: {
      'README.md': '```python\nfrom luhnlike import verify\n\nverify("4242424242424242")\n```\n',
      'luhnlike.py':
        'def checksum(string):\n    digits = list(map(int, string))\n    odd = digits[-1::-2]\n    even = [sum(divmod(2 * d, 10)) for d in digits[-2::-2]]\n    return (sum(odd) + sum(even)) % 10\n\ndef verify(string):\n    """True when the string of digits is right."""\n    return checksum(string) == 0\n',
    },
    expected: { entrypoint: 'luhnlike:verify', predictions: [true, false, true, false] },
  },
  {
    name: 'a question about digits that code takes apart one by one',
    table: cards,
    files: {
      'README.md': '```python\nfrom digits import is_valid\n```\n',
      'digits.py':
        'def is_valid(code):\n    total = 0\n    for at, digit in enumerate(reversed(code)):\n        total += sum(divmod(int(digit) * (1 + at % 2), 10))\n    return total % 10 == 0\n',
    },
    expected: { entrypoint: 'digits:is_valid', predictions: [true, false, true, false] },
  },
  {
    name: 'parameters that name the unit of a column',
    table: people,
    files: {
      'body.py':
        'class Bmi:\n    @staticmethod\n    def calculate_bmi(weight_kg, height_m):\n        return weight_kg / height_m**2\n',
    },
    expected: { entrypoint: 'body:Bmi.calculate_bmi', predictions: [12.5, 36] },
  },
  {
    name: 'a package that asks for its own version when it is imported',
    table: messages,
    files: {
      'PKG-INFO': 'Metadata-Version: 2.1\nName: mood-kit\nVersion: 1.5\n',
      'mood_kit/__init__.py':
        'from importlib.metadata import version\n\nassert version("mood_kit") == "1.5"\nfrom .rules import classify\n',
      'mood_kit/rules.py': `${moodRule}\ndef classify(text):\n    return "pos" if _mood(text) > 0 else "neg"\n`,
    },
    expected: { entrypoint: 'mood_kit.rules:classify', predictions: moods },
  },
  {
    name: 'a version that only pyproject.toml says',
    table: messages,
    files: {
      'pyproject.toml':
        '[build-system]\nrequires = ["x"]\n\n[project]\nname = "moods"\nversion = "2.0"\n\n[tool.x]\nversion = "9"\n',
      'moods.py': `import importlib.metadata\n\nassert importlib.metadata.version("moods") == "2.0"\n${moodRule}\ndef classify(text):\n    return "pos" if _mood(text) > 0 else "neg"\n`,
    },
    expected: { entrypoint: 'moods:classify', predictions: moods },
  },
  {
    name: 'a class with a lexicon file beside it',
    table: messages,
    files: {
      'moodlib/__init__.py': 'from .core import MoodAnalyzer\n',
      'moodlib/core.py':
        'import os\n\nclass MoodAnalyzer:\n    def __init__(self):\n        path = os.path.join(os.path.dirname(__file__), "words.txt")\n        self.good = set(open(path).read().split())\n\n    def predict(self, text: str) -> str:\n        return "pos" if self.good & set(text.lower().replace(",", " ").split()) else "neg"\n',
      'moodlib/words.txt': 'good great love\n',
    },
    expected: { entrypoint: 'moodlib.core:MoodAnalyzer.predict', predictions: moods },
  },
  {
    name: 'a saved model of a class that cannot be made here',
    table: messages,
    files: {
      'moodlib/__init__.py': '',
      'moodlib/words.py':
        'class WordModel:\n    def __init__(self, words):\n        self.words = set(words.split())\n\n    def predict(self, texts):\n        return ["pos" if self.words & set(t.lower().replace(",", " ").split()) else "neg" for t in texts]\n',
      'models/mood.pkl': "cmoodlib.words\nWordModel\n(S'good great love'\ntR.",
    },
    expected: { entrypoint: 'file:models/mood.pkl', predictions: moods },
  },
  {
    name: 'a constructor that needs the path of its weights',
    table: flowers,
    files: {
      'net.py':
        'import json\n\nclass Net:\n    def __init__(self, weights_file):\n        self.limit = json.load(open(weights_file))["limit"]\n\n    def predict(self, row):\n        return "long" if row["petal_length"] > self.limit else "round"\n',
      'data/weights.json': '{"limit": 2.5}',
    },
    expected: { entrypoint: 'net:Net.predict', predictions: kinds },
  },
  {
    name: 'load_model() and predict(model, x)',
    table: flowers,
    files: {
      'inference.py':
        'import json\n\ndef load_model(path="model.json"):\n    return json.load(open(path))\n\ndef predict(model, features):\n    return "long" if features[0] > model["limit"] else "round"\n',
      'model.json': '{"limit": 2.5}',
    },
    expected: { entrypoint: 'inference:predict', predictions: kinds },
  },
  {
    name: 'a factory of an object that needs arguments',
    table: messages,
    files: {
      'app/model.py':
        'class Scorer:\n    def __init__(self, good, bad):\n        self.good, self.bad = good, bad\n\n    def classify(self, text):\n        words = set(text.lower().replace(",", " ").split())\n        return "pos" if words & self.good else "neg"\n\ndef load_scorer():\n    return Scorer({"good", "great", "love"}, {"bad"})\n',
      'app/__init__.py': '',
    },
    expected: { entrypoint: 'app.model:load_scorer().classify', predictions: moods },
  },
  {
    name: 'an instance that the module makes',
    table: flowers,
    files: {
      'serve.py':
        'class Rule:\n    def __init__(self, limit):\n        self.limit = limit\n\n    def predict(self, rows):\n        return ["long" if row["petal_length"] > self.limit else "round" for row in rows]\n\nmodel = Rule(2.5)\n',
    },
    expected: { entrypoint: 'serve:model.predict', predictions: kinds },
  },
  {
    name: 'a class method that loads from the only file',
    table: flowers,
    files: {
      'knn/store.py':
        'import json\n\nclass Store:\n    def __init__(self, points):\n        self.points = points\n\n    @classmethod\n    def load(cls, path):\n        return cls(json.load(open(path)))\n\n    def predict(self, x):\n        return min(self.points, key=lambda p: abs(p[0] - x[0]))[1]\n',
      'knn/__init__.py': '',
      'knn/points.json': '[[1.4, "round"], [4.7, "long"]]',
    },
    expected: { entrypoint: 'knn.store:Store.load().predict', predictions: kinds },
  },
  {
    name: 'init() sets a global that predict() needs',
    table: messages,
    files: {
      'mood.py':
        'GOOD = None\n\ndef init():\n    global GOOD\n    GOOD = {"good", "great", "love"}\n\ndef predict(text):\n    return "pos" if GOOD & set(text.lower().replace(",", " ").split()) else "neg"\n',
    },
    expected: { entrypoint: 'mood:predict', predictions: moods },
  },
  {
    name: 'an asynchronous function',
    table: flowers,
    files: {
      'service.py':
        'import asyncio\n\nasync def predict(row):\n    await asyncio.sleep(0)\n    return "long" if row["petal_length"] > 2.5 else "round"\n',
    },
    expected: { entrypoint: 'service:predict', predictions: kinds },
  },
  {
    name: 'a result object',
    table: messages,
    files: {
      'result.py': `from dataclasses import dataclass\n${moodRule}\n@dataclass\nclass Result:\n    label: str\n    score: float\n\ndef classify(text: str) -> Result:\n    m = _mood(text)\n    return Result("pos" if m > 0 else "neg", abs(m) / 3)\n`,
    },
    expected: { entrypoint: 'result:classify', predictions: moods },
  },
  {
    name: 'an enumeration',
    table: messages,
    files: {
      'kinds.py': `from enum import Enum\n${moodRule}\nclass Mood(Enum):\n    POS = "pos"\n    NEG = "neg"\n\ndef classify(text):\n    return Mood.POS if _mood(text) > 0 else Mood.NEG\n`,
    },
    expected: { entrypoint: 'kinds:classify', predictions: moods },
  },
  {
    name: 'a list of label and score, the best not first',
    table: messages,
    files: {
      'pipe.py': `${moodRule}\ndef classify(text):\n    p = 0.9 if _mood(text) > 0 else 0.2\n    return [{"label": "neg", "score": 1 - p}, {"label": "pos", "score": p}]\n`,
    },
    expected: { entrypoint: 'pipe:classify', predictions: moods },
  },
  {
    name: 'a batch that refuses more than two',
    table: flowers,
    files: {
      'limited.py':
        'def predict(rows: list) -> list:\n    if len(rows) > 2:\n        raise MemoryError("too many")\n    return ["long" if row["petal_length"] > 2.5 else "round" for row in rows]\n',
    },
    expected: { entrypoint: 'limited:predict', predictions: kinds },
  },
  {
    name: 'values by place',
    table: flowers,
    files: { 'star.py': 'def predict(*features):\n    return "long" if features[0] > 2.5 else "round"\n' },
    expected: { entrypoint: 'star:predict', predictions: kinds },
  },
  {
    name: 'a mapping by names',
    table: rooms,
    files: {
      'kw.py': 'def predict(**row):\n    return "large" if (row["size"] or 0) > 20 else "small"\n',
    },
    expected: { entrypoint: 'kw:predict', predictions: ['small', 'large', 'small', 'large'] },
  },
  {
    name: 'files that are named from the folder of the package',
    table: messages,
    files: {
      'src/mood/__init__.py': '',
      'src/mood/words.py':
        'WORDS = set(open("good.txt").read().split())\n\ndef predict(text):\n    return "pos" if WORDS & set(text.lower().replace(",", " ").split()) else "neg"\n',
      'src/mood/good.txt': 'good great love\n',
    },
    expected: { entrypoint: 'mood.words:predict', predictions: moods },
  },
  {
    name: 'a module that trains when it is imported',
    table: flowers,
    files: {
      'trained.py':
        'class Mean:\n    def fit(self, pairs):\n        self.limit = sum(p[0] for p in pairs) / len(pairs)\n        return self\n\nmodel = Mean().fit([(1.5, 0), (4.5, 1)])\n\ndef predict(row):\n    return "long" if row["petal_length"] > model.limit else "round"\n',
    },
    expected: { entrypoint: 'trained:predict', predictions: kinds },
  },
  {
    name: 'Chinese words and labels',
    table: reviews,
    files: {
      'qinggan/__init__.py': 'from .fenxi import predict\n',
      'qinggan/fenxi.py':
        '"""中文情感分类。"""\n\n好词 = ["喜欢", "好"]\n坏词 = ["差", "失望"]\n\ndef predict(text: str) -> str:\n    分 = sum(text.count(w) for w in 好词) - sum(text.count(w) for w in 坏词)\n    return "好评" if 分 > 0 else "差评"\n',
    },
    expected: { entrypoint: 'qinggan.fenxi:predict', predictions: ['好评', '差评', '好评', '差评'] },
  },
  {
    name: 'a price as a text',
    table: prices,
    files: { 'price.py': 'def predict(size):\n    return str(3.0 * size)\n' },
    expected: { entrypoint: 'price:predict', predictions: [30, 300, 21] },
  },
  {
    name: 'a price with its spread',
    table: prices,
    files: { 'spread.py': 'def predict(size):\n    return 3.0 * size, 0.5\n' },
    expected: { entrypoint: 'spread:predict', predictions: [30, 300, 21] },
  },
  {
    name: 'a price under a key',
    table: prices,
    files: { 'keyed.py': 'def predict(size):\n    return {"price": 3.0 * size}\n' },
    expected: { entrypoint: 'keyed:predict', predictions: [30, 300, 21] },
  },
  {
    name: 'a digit as the place of the largest score',
    table: digits,
    files: { 'scores.py': 'def predict(vector):\n    return [1.0 / vector[0], vector[0] / 3]\n' },
    expected: { entrypoint: 'scores:predict', predictions: [0, 1] },
  },
  {
    name: 'one list per column',
    table: flowers,
    files: {
      'columns.py':
        'from typing import List\n\ndef predict(petal_length: List[float], petal_width: List[float]) -> List[str]:\n    return ["long" if a > 2.5 and b > 1 else "round" for a, b in zip(petal_length, petal_width)]\n',
    },
    expected: { entrypoint: 'columns:predict', predictions: kinds },
  },
];
