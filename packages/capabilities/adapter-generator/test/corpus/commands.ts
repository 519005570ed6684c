import { flowers, messages, prices, reviews } from '../support/tables.ts';
import type { CorpusCase } from './libraries.ts';

const kinds = ['round', 'long', 'round', 'long'];
const moods = ['pos', 'neg', 'pos', 'pos'];
const mood =
  'def mood(text):\n    words = set(text.lower().replace(",", " ").split())\n    return "pos" if words & {"good", "great", "love"} else "neg"\n';

/** Programs that are started with words. */
export const commandCases: readonly CorpusCase[] = [
  {
    name: 'argparse with --text',
    table: messages,
    files: {
      'predict.py': `import argparse\n${mood}\nif __name__ == "__main__":\n    parser = argparse.ArgumentParser(description="Predict the mood of a text")\n    parser.add_argument("--text", required=True, help="the text")\n    args = parser.parse_args()\n    print("Prediction:", mood(args.text))\n`,
    },
    expected: { entrypoint: 'cli:python predict.py', predictions: moods },
  },
  {
    name: 'lines of standard input, each answered with a printed pair',
    table: messages,
    files: {
      'moodkit/__init__.py': '',
      'moodkit/line.py': `import sys\n${mood}\nif __name__ == "__main__":\n    for line in sys.stdin:\n        print((mood(line), -12.5))\n`,
    },
    options: { entry: 'cli:python -m moodkit.line' },
    expected: { entrypoint: 'cli:python -m moodkit.line', predictions: moods },
  },
  {
    name: 'argparse from CSV to CSV',
    table: flowers,
    files: {
      'predict.py':
        'import argparse, csv\n\ndef main():\n    """Predict kinds of flowers."""\n    p = argparse.ArgumentParser()\n    p.add_argument("--input", required=True, help="CSV file with features")\n    p.add_argument("--output", required=True, help="CSV file to write")\n    a = p.parse_args()\n    with open(a.input) as f, open(a.output, "w", newline="") as g:\n        w = csv.writer(g)\n        w.writerow(["petal_length", "prediction"])\n        for row in csv.DictReader(f):\n            w.writerow([row["petal_length"], "long" if float(row["petal_length"]) > 2.5 else "round"])\n    print("done")\n\nif __name__ == "__main__":\n    main()\n',
    },
    expected: { entrypoint: 'cli:python predict.py', predictions: kinds },
  },
  {
    name: 'a package with __main__ and sub-commands',
    table: messages,
    files: {
      'moody/__init__.py': '',
      'moody/__main__.py': 'from .cli import main\n\nmain()\n',
      'moody/cli.py': `import argparse\n${mood}\ndef main():\n    """Mood predictions."""\n    parser = argparse.ArgumentParser(prog="moody")\n    sub = parser.add_subparsers(dest="command", required=True)\n    train = sub.add_parser("train")\n    train.add_argument("corpus")\n    predict = sub.add_parser("predict", help="predict the mood")\n    predict.add_argument("file", help="text file, one document per line")\n    args = parser.parse_args()\n    if args.command == "predict":\n        for line in open(args.file):\n            print(mood(line))\n`,
    },
    expected: { entrypoint: 'cli:python -m moody predict', predictions: moods },
  },
  {
    name: 'an installed script',
    table: messages,
    files: {
      'pyproject.toml': '[project]\nname = "moody"\n\n[project.scripts]\nmood-classify = "moody.cli:run"\n',
      'moody/__init__.py': '',
      'moody/cli.py': `import argparse, sys\n${mood}\ndef run(argv=None):\n    """Classify texts."""\n    parser = argparse.ArgumentParser()\n    parser.add_argument("text", nargs="+", help="text to classify")\n    args = parser.parse_args(argv)\n    print(mood(" ".join(args.text)))\n    return 0\n`,
    },
    expected: { entrypoint: 'cli:mood-classify', predictions: moods },
  },
  {
    name: 'standard input, one line each, and noise on standard error',
    table: messages,
    files: {
      'classify.py': `"""Classify lines of standard input."""\nimport sys\n${mood}\nif __name__ == "__main__":\n    print("loading", file=sys.stderr)\n    verbose = len(sys.argv) > 1\n    for line in sys.stdin:\n        print(line.strip() + "\\t" + mood(line))\n`,
    },
    expected: { entrypoint: 'cli:python classify.py', predictions: moods },
  },
  {
    name: 'JSON on standard output',
    table: messages,
    files: {
      'label.py': `"""Predict labels."""\nimport argparse, json\n${mood}\ndef main():\n    parser = argparse.ArgumentParser()\n    parser.add_argument("input", help="JSON file: a list of texts")\n    args = parser.parse_args()\n    texts = json.load(open(args.input))\n    print(json.dumps([{"text": t, "label": mood(t)} for t in texts if isinstance(t, str)]))\n\nif __name__ == "__main__":\n    main()\n`,
    },
    expected: { entrypoint: 'cli:python label.py', predictions: moods },
  },
  {
    name: 'columns as options',
    table: prices,
    files: {
      'estimate.py':
        '"""Predict a price."""\nimport argparse\n\nif __name__ == "__main__":\n    p = argparse.ArgumentParser()\n    p.add_argument("--size", type=float, required=True)\n    p.add_argument("--verbose", action="store_true")\n    a = p.parse_args()\n    print(f"Predicted price: {3 * a.size}")\n',
    },
    options: { entry: 'cli:python estimate.py --size {col:size}' },
    expected: { entrypoint: 'cli:python estimate.py --size {col:size}', predictions: [30, 300, 21] },
  },
  {
    name: 'sys.argv without any word about it',
    table: messages,
    files: {
      'predict.py': `"""Predict the mood."""\nimport sys\n${mood}\nif __name__ == "__main__":\n    print(mood(sys.argv[1]))\n`,
    },
    expected: { entrypoint: 'cli:python predict.py', predictions: moods },
  },
  {
    name: 'a Chinese program',
    table: reviews,
    files: {
      '预测.py':
        '"""情感分类命令行。"""\nimport argparse\n\nif __name__ == "__main__":\n    解析 = argparse.ArgumentParser(description="预测评论的情感")\n    解析.add_argument("--文件", required=True, help="文本文件路径, 每行一条评论")\n    参数 = 解析.parse_args()\n    for 行 in open(参数.文件, encoding="utf-8"):\n        print("好评" if "喜欢" in 行 or "很好" in 行 else "差评")\n',
    },
    expected: { entrypoint: 'cli:python 预测.py', predictions: ['好评', '差评', '好评', '差评'] },
  },
  {
    name: 'the command line that a person wrote',
    table: messages,
    files: {
      'tool.py': `import argparse\n${mood}\nif __name__ == "__main__":\n    p = argparse.ArgumentParser()\n    p.add_argument("mode")\n    p.add_argument("source")\n    a = p.parse_args()\n    assert a.mode == "go"\n    for line in open(a.source):\n        print(mood(line))\n`,
    },
    options: { entry: 'cli:python tool.py go {input.txt}' },
    expected: { entrypoint: 'cli:python tool.py go {input.txt}', predictions: moods },
  },
];
