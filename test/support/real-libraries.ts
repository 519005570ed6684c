import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Files = Readonly<Record<string, string>>;

/** One set for all cases of a kind, so that each environment is installed once and shared. */
export const tableRequirements = 'scikit-learn\npandas\nnumpy\njoblib\nskops\n';
export const commandRequirements = 'click\ntyper\ntyping_extensions\nfire\n';

/** 40 messages; a word decides, and rows 0, 10, 20 and 30 (two of each label) are on the wrong side. */
export function mailCsv(): string {
  const rows = Array.from({ length: 40 }, (_, at) => {
    const isFree = at % 4 === 0;
    const isWrong = at % 10 === 0;
    return `${isFree ? 'a free prize' : 'lunch at noon'} ${at},${isFree === isWrong ? 'ham' : 'spam'}`;
  });
  return `text,label\n${rows.join('\n')}\n`;
}

/** 60 points of two labels, all on their side of x = 5: whichever rows are held out, the right rule makes no mistake. */
export function sidesCsv(): string {
  const rows = Array.from({ length: 60 }, (_, i) => {
    const x = ((i * 37) % 100) / 10;
    return `${x},${(i * 13) % 7},${x > 5 ? 'high' : 'low'}`;
  });
  return `x,y,label\n${rows.join('\n')}\n`;
}

const rule = `
def _kind_of(text):
    """The label of one message."""
    return "spam" if "free" in text else "ham"
`;

const clickFile = `"""Predicts labels of messages."""
import csv

import click
${rule}

@click.command()
@click.argument("input", type=click.Path(exists=True))
@click.option("--output", "-o", type=click.Path(), required=True, help="CSV file to write")
@click.option("--verbose", is_flag=True)
def main(input, output, verbose):
    """Classify the messages of a CSV file."""
    with open(input, newline="") as source, open(output, "w", newline="") as target:
        writer = csv.writer(target)
        writer.writerow(["text", "prediction"])
        for row in csv.DictReader(source):
            writer.writerow([row["text"], _kind_of(row["text"])])
    click.secho("done", fg="green")

`;

const clickGroup = `import click
${rule}

@click.group()
def cli():
    """Labels of messages."""


@cli.command()
@click.argument("corpus", type=click.File("r"))
def train(corpus):
    """Count the words of a corpus."""


@cli.command()
@click.argument("file", type=click.File("r"))
def predict(file):
    """Classify a file, one message per line."""
    for line in file:
        click.echo(_kind_of(line))

`;

const clickText = `import click
${rule}

@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--color/--no-color", default=True)
def classify(text, color):
    """Classify one message."""
    click.secho("Label: " + _kind_of(" ".join(text)), bold=color)

`;

const typerFile = `from pathlib import Path
from typing import Annotated, Optional

import typer
${rule}
app = typer.Typer(help="Labels of messages")


@app.command()
def predict(
    source: Annotated[Path, typer.Argument(exists=True, help="CSV file with a column text")],
    output: Annotated[Optional[Path], typer.Option("--output", "-o", help="JSON file to write")] = None,
):
    """Classify the messages of a CSV file."""
    import csv, json

    with open(source, newline="") as file:
        found = [{"text": row["text"], "label": _kind_of(row["text"])} for row in csv.DictReader(file)]
    output.write_text(json.dumps(found)) if output else print(json.dumps(found))


@app.command()
def info():
    """Say what this is."""
    typer.echo("labels")

`;

const typerLines = `import typer
${rule}

def main(path: str = typer.Argument(..., help="text file, one message per line"), quiet: bool = False):
    """Classify the lines of a file."""
    with open(path) as file:
        for line in file:
            typer.echo(_kind_of(line))

`;

const typerText = `import typer
from typing_extensions import Annotated
${rule}
app = typer.Typer()


@app.command()
def classify(text: Annotated[str, typer.Argument(help="the message")], loud: Annotated[bool, typer.Option()] = False):
    """Classify one message."""
    typer.echo(_kind_of(text))

`;

const fireFile = `import csv

import fire
${rule}

def convert(input_file, output_file):
    """Classify the messages of a CSV file and write a CSV file."""
    with open(input_file, newline="") as source, open(output_file, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["text", "label"])
        for row in csv.DictReader(source):
            writer.writerow([row["text"], _kind_of(row["text"])])

`;

const fireLines = `import fire
${rule}

class Labels:
    """Labels of messages."""

    def predict(self, path):
        """Classify the lines of a text file."""
        with open(path) as file:
            return [_kind_of(line) for line in file]

    def version(self):
        return "1"

`;

const fireText = `import fire
${rule}

def main(text):
    """Classify one message."""
    return _kind_of(text)

`;

const main = (call: string) => `if __name__ == "__main__":\n    ${call}\n`;

/** Command lines of real libraries: rows go in as a file or as a text, answers come out in a file or are printed. */
export const commandLines: readonly { readonly name: string; readonly files: Files; readonly entry: string }[] = [
  { name: 'click: file to file', files: { 'label.py': clickFile + main('main()') }, entry: 'cli:python label.py' },
  {
    name: 'click: file to standard output, in a group',
    files: { 'mail/__init__.py': '', 'mail/cli.py': clickGroup, 'mail/__main__.py': 'from .cli import cli\n\ncli()\n' },
    entry: 'cli:python -m mail predict',
  },
  { name: 'click: one text', files: { 'label.py': clickText + main('classify()') }, entry: 'cli:python label.py' },
  {
    name: 'typer: file to file',
    files: { 'label.py': typerFile + main('app()') },
    entry: 'cli:python label.py predict',
  },
  {
    name: 'typer: file to standard output',
    files: { 'label.py': typerLines + main('typer.run(main)') },
    entry: 'cli:python label.py',
  },
  { name: 'typer: one text', files: { 'label.py': typerText + main('app()') }, entry: 'cli:python label.py' },
  {
    name: 'fire: file to file',
    files: { 'label.py': fireFile + main('fire.Fire(convert)') },
    entry: 'cli:python label.py',
  },
  {
    name: 'fire: file to standard output, of a class',
    files: { 'label.py': fireLines + main('fire.Fire(Labels)') },
    entry: 'cli:python label.py predict',
  },
  {
    name: 'fire: one text',
    files: { 'label.py': fireText + main('fire.Fire(main)') },
    entry: 'cli:python label.py',
  },
];

/** Functions and classes that take what the table and array libraries make. */
export const arrayCases: readonly { readonly name: string; readonly files: Files; readonly entry: string }[] = [
  {
    name: 'an array of numpy',
    files: {
      'model.py':
        'import numpy as np\n\n\nclass Threshold:\n    """Labels of points."""\n\n    def predict(self, X: np.ndarray) -> np.ndarray:\n        return np.where(X[:, 0] > 5, "high", "low")\n',
    },
    entry: 'model:Threshold.predict',
  },
  {
    name: 'a table of pandas',
    files: {
      'model.py':
        'import pandas as pd\n\n\ndef predict(df: pd.DataFrame) -> pd.Series:\n    """Labels of points."""\n    return (df["x"] > 5).map({True: "high", False: "low"})\n',
    },
    entry: 'model:predict',
  },
  {
    name: 'an array of numpy, by what is done with it alone',
    files: {
      'model.py':
        'import numpy as np\n\n\ndef predict(X):\n    """Labels of points."""\n    return np.where(X[:, 0] > 5, "high", "low")\n',
    },
    entry: 'model:predict',
  },
];

const learning = (body: string) => `import numpy as np
import pandas as pd


class Sides:
    """What lies on both sides of x = 5."""

${body}`;

/** Training that needs its labels in the form of the library: a column, the name of one, an array. */
export const trainedCases: readonly { readonly name: string; readonly files: Files; readonly entry: string }[] = [
  {
    name: 'a table of pandas and a column of labels',
    files: {
      'model.py': learning(`    def fit(self, X: pd.DataFrame, y: pd.Series):
        self.sides = {True: y[X["x"] > 5].mode()[0], False: y[X["x"] <= 5].mode()[0]}
        return self

    def predict(self, X: pd.DataFrame):
        return X["x"].gt(5).map(self.sides)
`),
    },
    entry: 'model:Sides.predict',
  },
  {
    name: 'a table of pandas and the name of its column of labels',
    files: {
      'model.py': learning(`    def fit(self, df: pd.DataFrame, target: str):
        self.sides = df.groupby(df["x"] > 5)[target].agg(lambda found: found.mode()[0]).to_dict()
        return self

    def predict(self, df: pd.DataFrame):
        return [self.sides[is_high] for is_high in df["x"] > 5]
`),
    },
    entry: 'model:Sides.predict',
  },
  {
    name: 'an array of numpy and an array of labels',
    files: {
      'model.py': learning(`    def fit(self, X, y):
        self.classes_ = sorted(np.unique(y), key=lambda label: X[y == label][:, 0].mean())
        return self

    def predict(self, X):
        return np.where(X[:, 0] > 5, self.classes_[-1], self.classes_[0])
`),
    },
    entry: 'model:Sides.predict',
  },
];

/** Saved by the library itself; a tree of one question over scaled points, learned on both sides of x = 5. */
const saving = `
import pickle, sys, joblib, skops.io
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

folder = sys.argv[1]
points = [[x / 10, x % 7] for x in range(100)]
labels = ["high" if x > 50 else "low" for x in range(100)]
model = Pipeline([("scale", StandardScaler()), ("tree", DecisionTreeClassifier(max_depth=1))]).fit(points, labels)
joblib.dump(model, folder + "/joblib/model.joblib")
pickle.dump(model, open(folder + "/pickle/model.pkl", "wb"))
skops.io.dump(model, folder + "/skops/model.skops")
`;

export const savedModels = [
  { name: 'joblib', entry: 'file:model.joblib' },
  { name: 'pickle', entry: 'file:model.pkl' },
  { name: 'skops', entry: 'file:model.skops' },
] as const;

/** Saves the models below `folder` with the libraries of the environment that this home has installed for tables. */
export function saveModels(home: string, folder: string): void {
  const cache = join(home, 'cache', 'environments');
  const python = readdirSync(cache, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith('/site-packages/sklearn'),
  );
  if (python === undefined) throw new Error(`no environment with scikit-learn in ${cache}`);
  execFileSync('python3', ['-c', saving, folder], {
    env: { PATH: process.env['PATH'], PYTHONPATH: join(cache, dirname(python)), PYTHONDONTWRITEBYTECODE: '1' },
  });
}
