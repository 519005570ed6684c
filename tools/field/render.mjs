import { commandOf } from './cases.mjs';

const HEAD = `# Field tests

[中文](field-tests.zh-CN.md)

Packages that nobody prepared, each measured with one plain command on small data with known answers
([where the data comes from](../test/field/data/README.md)). They were chosen by what they are for before their code was
looked at. \`npm run field\` runs them again (it needs the package index that pip is configured with); every run is a line of
[results.jsonl](../test/field/results.jsonl), and this page is made from these lines.

| word           | meaning                                                                                                          |
| -------------- | ---------------------------------------------------------------------------------------------------------------- |
| hit            | it ended with the entry point that a person would choose, and every number was computed again and confirmed       |
| wrong choice   | it ended with another entry point, or with a result where it had to refuse                                       |
| question       | it waited and named what a person has to decide: which of several entry points, or what the answers mean         |
| honest refusal | nothing was measured; it said what was looked at and why                                                         |
| failure        | an entry point was run and ended with an error                                                                   |
`;

const HEADINGS = ['Tried first', 'Tried after mending, never before', 'Tried last, never before'];

/** The page in English. `recorded` are the lines of the results file, in the order in which they were measured. */
export function renderPage(cases, recorded) {
  const runs = runsOf(cases, recorded);
  return [
    HEAD,
    `Machines: ${[...new Set(recorded.map((line) => line.machine))].join('; ')}, busy with other work: the seconds are upper bounds.\n`,
    '## Rates\n',
    ...ratesTable(
      runs,
      [
        'tried',
        'packages',
        'with an answer',
        'hits',
        'hit rate',
        'questions',
        'honest refusals',
        'failures',
        'wrong choices',
        'wrong-choice rate',
      ],
      [
        'first, as the generator was',
        'the same, after mending',
        'others, never tried before',
        'these others, after mending',
        'a third lot, never tried before',
        'this third lot, after mending',
      ],
    ),
    'Packages that must be refused have no answer and do not count in the hit rate; they do in the wrong-choice rate. The fair figures are those of the third and the fifth line: nothing was mended for these packages before they were tried.\n',
    ...HEADINGS.flatMap((heading, at) => [
      `## ${heading}\n`,
      ...resultsTable(runs.filter((run) => run.one.round === at + 1)),
    ]),
    '## Commands\n',
    ...runs.map(({ one }) => `- \`assay ${commandOf(one).map(quoted).join(' ')}\``),
    '',
    MENDED,
  ].join('\n');
}

/** The short page in Chinese. */
export function renderShort(cases, recorded) {
  const runs = runsOf(cases, recorded);
  return [
    '# 实地测试\n\n[English](field-tests.md)\n',
    '这些软件包事先没有为 Assay 做过任何准备，选择时只看用途，没有看代码；每个都用一条普通命令，在答案已知的小数据上测量。`npm run field` 可以重跑（需要 pip 所配置的软件包索引）。命令和逐项结果见[英文页](field-tests.md)。\n',
    ...ratesTable(
      runs,
      ['批次', '软件包', '应有答案', '命中', '命中率', '提问', '如实拒绝', '失败', '选错', '选错率'],
      [
        '第一批，生成器原样',
        '同一批，修正之后',
        '第二批，从未试过',
        '第二批，修正之后',
        '第三批，从未试过',
        '第三批，修正之后',
      ],
    ),
    '必须拒绝的软件包不计入命中率，但计入选错率。第三行和第五行最公正：试之前没有为这些软件包改动任何东西。\n',
  ].join('\n');
}

/** Each case with its first and its newest run. */
function runsOf(cases, recorded) {
  return cases.flatMap((one) => {
    const lines = recorded.filter((line) => line.name === one.name && line.version === one.version);
    return lines.length === 0 ? [] : [{ one, first: lines[0], last: lines.at(-1) }];
  });
}

function ratesTable(runs, head, names) {
  const parts = [
    [1, 'first'],
    [1, 'last'],
    [2, 'first'],
    [2, 'last'],
    [3, 'first'],
    [3, 'last'],
  ];
  const rows = parts.map(([round, which], at) => {
    const chosen = runs.filter(({ one }) => one.round === round);
    const count = (verdict) => chosen.filter((run) => run[which].verdict === verdict).length;
    const asked = chosen.filter(({ one }) => one.refuse === undefined).length;
    const [hits, wrong] = [count('hit'), count('wrong choice')];
    return [
      names[at],
      chosen.length,
      asked,
      hits,
      percent(hits, asked),
      count('question'),
      count('honest refusal'),
      count('failure'),
      wrong,
      percent(wrong, chosen.length),
    ];
  });
  return [row(head), row(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(row), ''];
}

function resultsTable(runs) {
  const head = [
    'package',
    'kind',
    'first try',
    'newest try',
    'entry point',
    'result',
    'verified',
    'seconds',
    'what it said',
  ];
  const rows = runs.map(({ one, first, last }) => [
    `${one.name} ${one.version}`,
    one.kind,
    first.verdict,
    last === first ? 'the same' : last.verdict,
    last.entrypoint === null ? '' : `\`${last.entrypoint}\``,
    resultText(last),
    last.verdict === 'hit' ? `${last.verified.ok} of ${last.verified.total}` : '',
    last.seconds,
    one.refuse === undefined ? cell(last.reason ?? '') : `must be refused: ${one.refuse}`,
  ]);
  return [row(head), row(head.map(() => '---')), ...rows.map(row), ''];
}

function resultText({ metric, value, interval }) {
  if (metric === null || typeof value !== 'number') return '';
  const range = Array.isArray(interval) ? ` [${interval.map((end) => end.toFixed(3)).join(', ')}]` : '';
  return `${metric} ${value.toFixed(3)}${range}`;
}

function cell(text) {
  const short = text.length > 200 ? `${text.slice(0, 200)} …` : text;
  return short.replaceAll(/[|<>*_`[\]]/g, (mark) => `\\${mark}`);
}

function quoted(word) {
  return /[\s<>]/.test(word) ? `"${word}"` : word;
}

function percent(part, whole) {
  return whole === 0 ? '' : `${Math.round((100 * part) / whole)} %`;
}

function row(cells) {
  return `| ${cells.join(' | ')} |`;
}

const MENDED = `## What they showed

Mended, each with a test on a small repository of the same kind:

- A list of texts was handed to a package that uses numpy as an array of numbers.
- Methods such as \`polarity_scores\` and \`verify\` were not looked at; a module or class that speaks of the target now counts.
- A package that asks for its own version when it is imported failed, because it is imported and not installed.
- \`pkg_resources\` was missing although setuptools was listed: newer versions of setuptools no longer bring it.
- Digits that are a name (cards, books) came as a number or a list of numbers instead of a text.
- \`weight_kg\` did not get the column \`weight\`; it does now, and a note says that the unit was taken to be right.
- \`TRADITIONAL = 1\` at the top of a module is now evidence for what an answer means.
- Modules of more than 1 MiB, such as those with a model in their text, were not read; the bound is 4 MiB.
- Lines with a printed pair, such as \`('en', -54.4)\`, are read as label and score.
- When several entry points fail, the reason of the likeliest one is told, not that of the last.

Two commands were put right on the way: that of langid (its first one handed the file over in a way that \`--entry\` does not
have) and that of textblob (its first mapping named a key, and the answers are plain numbers). The newest
tries of the others are with the generator as it is now, which also reads what a README or a test calls, and asks where it
refused before. \`Afinn.score\` is another name of \`Afinn.score_with_pattern\` in that package, so it counts as a hit. A plus
behind a commit in the results means that the mending was on top of it. IREP of wittgenstein wants yes-or-no targets: it was
chosen without a question and failed, and the error says so.

The third lot was chosen from names and summaries of the index. Mended for it, by kind, each with a test on small repositories:

- A pickle that holds only texts and numbers, such as a table of words, was tried as a model.
- Scores that name other labels in each row are no longer written as scores; the answer beside them stays.
- \`rn2an\` and names like it are conversions.

Tables are trained with a column of labels, or with the name of their column: that was mended too, and is tested with pandas
itself (\`test/real-libraries.install.test.ts\`).

Of the third lot are left: an index entry without a file of code (zh-num2int; nothing was run, so both of its lines are
honest refusals, first written down as failures), a model that neither the source archive nor the wheel of the package holds
(hate-speech-detector), training on folders of word counts (bow-mnb), pairs of pairs of numbers as arguments (fasthaversine),
tables of another library than pandas (the-easy-tree). For lingua-podre another function is tried than a person would take:
what its scores mean is asked before anything is measured.

Left as they are: objects that must be made with arguments (another estimator, sizes of layers), answers by an exception,
methods inherited from a class of another package, data that a package downloads when it runs, and code for versions of its
own dependencies that no longer install.
`;
