import type { ComparedPair, Comparison } from '@assay/contracts';
import { codeSpan } from '@assay/evaluation';
import { markdownText as text } from '@assay/tasks';

/** The Markdown of a comparison. Every measured number is a reference to its evidence; nothing is typed in. */
export function comparisonReport(comparison: Comparison): string {
  const sections = [
    title(comparison),
    conclusion(comparison),
    values(comparison),
    tests(comparison),
    otherMetrics(comparison),
    howCompared(comparison),
    formalRuns(comparison),
    check(comparison),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function title({ candidates, notCompared, dataset, task }: Comparison): string {
  const names = [...candidates, ...notCompared].map(({ name }) => codeSpan(name)).join(', ');
  return [`# Comparison on ${text(dataset.name)}`, '', `Compared: ${names}. The task is ${task}.`].join('\n');
}

function conclusion({ conclusion: sentences, candidates }: Comparison): string {
  const ranks = [...new Set(candidates.map(({ rank }) => rank))].sort((a, b) => a - b);
  const places = ranks.map((rank) => {
    const tied = candidates.filter((candidate) => candidate.rank === rank).map(({ name }) => codeSpan(name));
    return `- rank ${rank}: ${tied.join(', ')}`;
  });
  return [
    '## Conclusion',
    '',
    ...sentences.map((sentence) => `- ${text(sentence)}`),
    '',
    'A rank is one more than the number of candidates that were shown to be better; equal ranks are ties.',
    '',
    ...places,
  ].join('\n');
}

function values({ candidates }: Comparison): string {
  const names = metricNames(candidates.map(({ metrics }) => metrics));
  const rows = candidates.map(({ name, metrics }) => {
    const cells = names.map((metric) => {
      const one = metrics[metric];
      if (one === undefined) return '–';
      return one.interval === undefined ? reference(one, '.4f') : `${reference(one, '.4f')} (${reference(one, 'ci')})`;
    });
    return `| ${codeSpan(name)} | ${cells.join(' | ')} |`;
  });
  return [
    '## Values, each with its own 95 % interval',
    '',
    `| candidate | ${names.map(text).join(' | ')} |`,
    `| --- |${names.map(() => ' ---: |').join('')}`,
    ...rows,
  ].join('\n');
}

function tests({ pairs, candidates, primary, task, family }: Comparison): string {
  const tested = pairs.flatMap((pair) => (pair.test === null ? [] : [{ pair, test: pair.test }]));
  if (tested.length === 0) return '';
  const only = task === 'classification' ? 'only it is right' : 'it is closer';
  const rows = tested.map(({ pair, test }) => {
    const paired = pair.differences[primary];
    const cells = [
      `${name(candidates, pair.first)} − ${name(candidates, pair.second)}`,
      reference(test.corrected, '.4f'),
      paired === undefined ? '–' : reference(paired, 'ci'),
      reference(test.corrected, 'ci'),
      reference(test.simultaneous, 'ci'),
      reference(test.pHolm, '.4f'),
      `${reference(test.firstOnly, '.0f')} : ${reference(test.secondOnly, '.0f')}`,
      reference(test.pExact, '.4f'),
      pair.verdict.replaceAll('_', ' '),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    `## Differences in ${text(primary)}, which decides`,
    '',
    `All candidates predicted the same rows, so a difference is measured row by row. The corrected interval and the Holm p-value allow for ${family} ${family === 1 ? 'comparison' : 'comparisons'}; the simultaneous intervals hold all at once. The last two numbers are for information: on how many rows ${only}, for the first and for the second, and the exact ${task === 'classification' ? 'McNemar' : 'sign'} test of these counts.`,
    '',
    '| pair | difference | 95 % interval | corrected interval | simultaneous interval | Holm p | rows | exact p | verdict |',
    '| --- | ---: | --- | --- | --- | ---: | ---: | ---: | --- |',
    ...rows,
  ].join('\n');
}

function otherMetrics({ pairs, candidates, primary }: Comparison): string {
  const names = metricNames(pairs.map(({ differences }) => differences)).filter((metric) => metric !== primary);
  if (names.length === 0) return '';
  const rows = pairs.map((pair) => {
    const cells = names.map((metric) => {
      const one = pair.differences[metric];
      if (one === undefined) return '–';
      return one.interval === undefined ? reference(one, '.4f') : `${reference(one, '.4f')} (${reference(one, 'ci')})`;
    });
    return `| ${name(candidates, pair.first)} − ${name(candidates, pair.second)} | ${cells.join(' | ')} |`;
  });
  return [
    '## Differences in the other metrics, for information',
    '',
    'These intervals are paired and for each number alone; they are not corrected and decide nothing.',
    '',
    `| pair | ${names.map(text).join(' | ')} |`,
    `| --- |${names.map(() => ' ---: |').join('')}`,
    ...rows,
  ].join('\n');
}

function howCompared({ protocol, dataset, family, attempts, alpha, primary }: Comparison): string {
  return [
    '## How this was compared',
    '',
    `- One protocol for all, registered before the first formal run (events ${protocol.registeredSeq} and ${protocol.firstRunSeq} of the journal): \`${protocol.sha256}\`. It fixes data, rows, split, metrics, the primary metric (${text(primary)}), seeds and exclusions.`,
    `- Data: \`${dataset.sha256}\`.`,
    `- ${attempts.length} formal ${attempts.length === 1 ? 'run was' : 'runs were'} made under this protocol in this quest, which gives ${family} ${family === 1 ? 'pair' : 'pairs'} that could have been shown. The chance that anything at all is called better by luck is at most ${Number((alpha * 100).toPrecision(3))} %.`,
    '- Intervals: paired percentile bootstrap over rows, or over whole groups where the protocol names them (Efron and Tibshirani 1993; Koehn 2004), seed 17, the same resamples for all. Correction: Holm 1979.',
  ].join('\n');
}

function formalRuns({ attempts, candidates, notCompared }: Comparison): string {
  const names = new Map([...candidates, ...notCompared].map((one) => [one.plan, one.name]));
  const lines = attempts.map(({ plan, attempt, outcome, code }) => {
    const known = names.get(plan);
    const who = known === undefined ? `\`${plan}\`` : `${codeSpan(known)}, \`${plan}\``;
    const again = attempt > 1 ? `, attempt ${attempt}` : '';
    return `- ${who}${again}: ${outcome}${code === null ? '' : ` (${code})`}`;
  });
  return ['## Formal runs under this protocol', '', ...lines].join('\n');
}

function check({ id }: Comparison): string {
  return ['## Check it yourself', '', '```', `assay verify ${id}`, '```'].join('\n');
}

function reference({ evidence }: { readonly evidence: string }, format: string): string {
  return `{{ev:${evidence}|${format}}}`;
}

function name(candidates: Comparison['candidates'], at: ComparedPair['first']): string {
  return codeSpan(candidates[at]!.name);
}

function metricNames(records: readonly Readonly<Record<string, unknown>>[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}
