import { durations, manyMessages, messages } from '../support/tables.ts';
import type { CorpusCase } from './libraries.ts';

const seconds =
  'import re\n\ndef timeparse(sval, granularity="seconds"):\n    """Parse a time expression.\n\n    >>> timeparse("1m")\n    60\n    """\n    found = re.match(r"(\\d+)([hm])", sval)\n    return int(found.group(1)) * {"h": 3600, "m": 60}[found.group(2)] if found else None\n';

/** Packages whose entry points no verb of prediction names: what they show of themselves says which they are. */
export const shownCases: readonly CorpusCase[] = [
  {
    name: 'a function that the package exports under another name',
    table: durations,
    files: {
      'README.rst': 'Usage\n-----\n\n::\n\n    >>> from durationlib import parse\n    >>> parse("2m")\n    120\n',
      'durationlib/__init__.py': 'from .reading import timeparse as parse\n',
      'durationlib/reading.py': seconds,
    },
    expected: { entrypoint: 'durationlib.reading:timeparse', predictions: [60, 7200, 180] },
  },
  {
    name: 'a bound method that the package exports',
    table: durations,
    files: {
      'README.md': '```python\nimport spans\n\nspans.spans("2m")  # 120\n```\n',
      'spans/__init__.py': 'from .core import Spans\n\nspans = Spans().spans\n__all__ = ["spans"]\n',
      'spans/core.py':
        'class Spans:\n    def spans(self, inputs):\n        return int(inputs[:-1]) * {"h": 3600, "m": 60}[inputs[-1]]\n',
    },
    expected: { entrypoint: 'spans.core:Spans.spans', predictions: [60, 7200, 180] },
  },
  {
    name: 'a class whose method may be called without its only argument',
    table: messages,
    // "label" does not say that its yes is praise.
    options: { labels: ['false', 'true'], map: 'true=true,false=false' },
    files: {
      'README.md':
        '```py\nfrom praise import PraiseDetect\n\npraise = PraiseDetect()\npraise.isPraise("a great day")\n# True\n```\n',
      'praise/__init__.py': 'from .core import PraiseDetect\n',
      'praise/core.py':
        'class PraiseDetect:\n    def __init__(self, text=""):\n        self.text = text\n\n    def is_praise(self, text=None):\n        return bool({"good", "great", "love"} & set((text or self.text).lower().replace(",", " ").split()))\n\n    isPraise = is_praise\n',
    },
    expected: { entrypoint: 'praise.core:PraiseDetect.is_praise', predictions: ['true', 'false', 'true', 'true'] },
  },
  {
    name: 'a score of whole numbers for two labels',
    table: manyMessages,
    files: {
      'README.md': '    >>> from mood import Mood\n    >>> mood = Mood()\n    >>> mood.weigh("a good day")\n    1\n',
      'mood.py':
        'class Mood:\n    def weigh(self, text):\n        words = text.split()\n        return 3 * ("good" in words) - 2 * ("bad" in words)\n',
    },
    expected: {
      entrypoint: 'mood:Mood.weigh',
      question: [
        'threshold=1,high=pos,low=neg',
        'threshold=1,high=neg,low=pos',
        'threshold=0,high=pos,low=neg',
        'threshold=0,high=neg,low=pos',
      ],
    },
  },
  {
    name: 'three functions on texts of which one says yes or no',
    table: messages,
    options: { labels: ['false', 'true'] },
    files: {
      'README.md':
        '```python\n>>> from checks import *\n>>> holds("a great day")\nTrue\n>>> longer("abc")\n\'abcd\'\n>>> sized("abc")\n3\n```\n',
      'checks.py':
        'def longer(text):\n    return text + "d"\n\ndef sized(text):\n    return len(text)\n\ndef holds(text):\n    return "great" in text\n',
    },
    expected: { entrypoint: 'checks:holds', predictions: [true, false, false, false] },
  },
  {
    name: 'two functions of which the README shows both',
    table: durations,
    files: {
      'README.md': '```python\nfrom texts import length, vowels\nlength("abc")  # 3\nvowels("abc")  # 1\n```\n',
      'texts.py':
        'def length(text):\n    return len(text)\n\ndef vowels(text):\n    return sum(c in "aeiou" for c in text)\n',
    },
    expected: { entrypoint: null, question: ['texts:length', 'texts:vowels'] },
  },
  {
    name: 'a function that only a test calls',
    table: durations,
    files: {
      'texts.py': 'def length(text):\n    return len(text)\n',
      'test_texts.py': 'import texts\n\ndef test_length():\n    assert texts.length("abc") == 3\n',
    },
    expected: { entrypoint: null, question: ['texts:length'] },
  },
];
