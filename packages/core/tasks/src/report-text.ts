import type { DatasetManifest, LeakageWarning, Plan } from '@assay/contracts';
import { assertNever, shellQuoted } from '@assay/foundation';
import { codeSpan, type PreRegistration } from '@assay/evaluation';
import type { PackageFile, RepositoryManifest, RepositorySource } from '@assay/repositories';
import { searchNotes, type SearchLimits } from './find-data-copies.ts';
import { installLines, type InstallReportValue } from './install-report.ts';
import type { BenchmarkMetricsValue, RunManifestValue, ValidationReportValue } from './benchmark-values.ts';

export interface ReportFacts {
  readonly plan: Plan;
  /** The home that holds the plan; null when commands find it by themselves. */
  readonly home: string | null;
  readonly manifest: DatasetManifest;
  readonly repository: RepositoryManifest;
  readonly registration: PreRegistration;
  readonly run: RunManifestValue;
  readonly metrics: BenchmarkMetricsValue;
  readonly validation: ValidationReportValue;
  readonly adapter: {
    readonly chosen: string;
    /** False when the entry point needs no training. */
    readonly trained?: boolean;
    readonly evidence: readonly string[];
    readonly notes: readonly string[];
    /** How rows were handed over, in words. */
    readonly way: string;
    readonly confidence: number;
    readonly labels: { readonly map: string; readonly evidence: string } | null;
    readonly others: readonly { readonly entrypoint: string; readonly confidence: number }[];
    readonly rejected: readonly { readonly entrypoint: string; readonly reason: string }[];
    readonly hiddenFiles: readonly { readonly path: string; readonly reason: string }[];
    readonly searchLimits: SearchLimits;
    /** What the sides of the split have in common. */
    readonly leakage?: readonly LeakageWarning[];
  };
  /** Python and packages; absent in plans of older versions. */
  readonly installed?: InstallReportValue | undefined;
  readonly preflight: {
    readonly attempts: readonly {
      readonly entrypoint: string;
      readonly ok: boolean;
      readonly problem: string | null;
    }[];
  };
}

const MOST_CLASSES = 20;

/** What each probe has to give, without the values that were measured on these rows. */
const probeMeanings: Readonly<Record<string, string>> = {
  null: 'no predictions at all have to be refused',
  constant: 'the best constant has to score what a constant scores on these rows',
  shuffled_labels: 'shuffled labels have to score like chance',
  oracle: 'the labels themselves have to score perfectly',
};

/** The report's Markdown. Every measured number is a reference to its evidence; nothing is typed in. */
export function reportText(facts: ReportFacts): string {
  const sections = [
    title(facts),
    results(facts.metrics),
    perClass(facts.metrics),
    confusion(facts.metrics),
    howMeasured(facts),
    howCalled(facts),
    probes(facts.validation),
    provenance(facts),
    caveats(facts),
    check(facts),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function title({ repository, manifest, adapter, metrics }: ReportFacts): string {
  const commit = versionOf(repository);
  return [
    `# Benchmark: ${text(nameOf(repository.path, repository.subfolder))} on ${text(manifest.name)}`,
    '',
    `\`${code(adapter.chosen)}\` (${commit}) predicted the column \`${code(manifest.targetColumn ?? '')}\` of rows whose labels it was not given: ${metrics.task}, ${reference(metrics, 'rows', '.0f')} rows.`,
  ].join('\n');
}

function results(metrics: BenchmarkMetricsValue): string {
  const names = Object.keys(metrics.metrics).filter((name) => !name.includes('/'));
  const rows = names.map(
    (name) => `| ${text(name)} | ${reference(metrics, name, '.4f')} | ${reference(metrics, name, 'ci')} |`,
  );
  const missing = Object.entries(metrics.undefined).map(
    ([name, why]) => `\n${text(name)} has no value here: ${text(why)}.`,
  );
  return ['## Results', '', '| metric | value | 95 % interval |', '| --- | ---: | --- |', ...rows, ...missing].join(
    '\n',
  );
}

function perClass(metrics: BenchmarkMetricsValue): string {
  const labels = metrics.labels ?? [];
  if (labels.length === 0 || labels.length > MOST_CLASSES) return '';
  const cell = (metric: string, label: string) => reference(metrics, `${metric}/${label}`, '.4f');
  const rows = labels.map(
    (label) => `| ${codeSpan(label)} | ${cell('precision', label)} | ${cell('recall', label)} | ${cell('f1', label)} |`,
  );
  return ['## Per class', '', '| class | precision | recall | F1 |', '| --- | ---: | ---: | ---: |', ...rows].join(
    '\n',
  );
}

function confusion(metrics: BenchmarkMetricsValue): string {
  const labels = metrics.labels ?? [];
  if (metrics.confusion === null || labels.length > MOST_CLASSES) return '';
  const rows = labels.map((target) => {
    const cells = labels.map((predicted) => reference(metrics, `confusion/${target}/${predicted}`, '.0f'));
    return `| ${codeSpan(target)} | ${cells.join(' | ')} |`;
  });
  return [
    '## Confusion matrix',
    '',
    'Rows are the true classes, columns the predicted ones.',
    '',
    `| | ${labels.map(codeSpan).join(' | ')} |`,
    `| --- |${labels.map(() => ' ---: |').join('')}`,
    ...rows,
  ].join('\n');
}

function howMeasured({ registration, manifest, run, adapter }: ReportFacts): string {
  return [
    '## How this was measured',
    '',
    `- Protocol, hashed before the first attempt: \`${registration.sha256}\`. Primary metric: ${registration.primary ?? 'none'}.`,
    `- ${howDivided(registration, adapter.trained !== false)}`,
    `- ${labelsKept(adapter)}`,
    ...(registration.split.order === undefined
      ? []
      : ["- Rows were handed out shuffled, under numbers of their own: a row's place tells nothing about its label."]),
    '- Predictions were joined to the original file by row and every metric was recomputed.',
    `- ${howResampled(registration)}`,
    ...leftOut(manifest).map((line) => `- ${line}`),
    ...run.normalised.map((line) => `- ${text(line.replace(/^\d+ /, 'Some '))}.`), // the count is in the run's record
  ].join('\n');
}

function howDivided({ split }: PreRegistration, trained: boolean): string {
  const training = trained
    ? 'the adapter was given labelled training rows'
    : 'the protocol sets rows aside for training, which this entry point does not need';
  const rest = `${training}, and only the remaining rows were evaluated`;
  switch (split.method) {
    case 'all':
      return 'The entry point needed no training: every row with a label was handed out.';
    case 'grouped':
      return `The rows were split by groups of \`${code(split.group?.column ?? '')}\`, no group on both sides, labels as even as that allows (seed ${split.seed}): ${rest}.`;
    case 'time':
      return `The rows were split by time, training rows before all others in \`${code(split.time?.column ?? '')}\`, rows of one time together: ${rest}.`;
    case 'stratified':
    case 'shuffled':
      return `The rows were split (${split.method}, seed ${split.seed}): ${rest}.`;
    default:
      return assertNever(split.method, 'split method');
  }
}

function howResampled({ interval }: PreRegistration): string {
  const { B, seed, groups } = interval;
  if (groups === undefined) return `Intervals: percentile bootstrap, B = ${B}, seed ${seed}.`;
  return `Intervals: percentile bootstrap over whole groups of \`${code(groups)}\` (cluster bootstrap, Davison and Hinkley 1997, 3.8), B = ${B}, seed ${seed}.`;
}

/** Which rows of the file are not in the numbers; how many stands in the data set's manifest. */
function leftOut({ excludedRows }: DatasetManifest): readonly string[] {
  const { missingTarget, badBytes = 0, ragged = 0 } = excludedRows;
  return [
    ...(missingTarget > 0 ? ['Rows without a label were left out.'] : []),
    ...(badBytes > 0 ? ['Rows with bytes that cannot be decoded were left out, as was asked for.'] : []),
    ...(ragged > 0 ? ['Rows with more or fewer cells than the header were left out, as was asked for.'] : []),
  ];
}

const MOST_OTHERS = 8;

/** What was chosen to be called, why, what its answers mean, and what was not chosen. */
function howCalled({ adapter, run }: ReportFacts): string {
  const { labels, others, rejected, way } = adapter;
  const shown = [
    ...others
      .slice(0, MOST_OTHERS)
      .map(({ entrypoint }) => `\`${code(entrypoint)}\` was possible too, with less or equal confidence`),
    ...rejected.slice(0, MOST_OTHERS).map(({ entrypoint, reason }) => `\`${code(entrypoint)}\`: ${text(reason)}`),
  ];
  const rest = others.length + rejected.length - shown.length;
  return [
    '## How it was called',
    '',
    `- \`${code(adapter.chosen)}\`, confidence ${confidenceWord(adapter.confidence)}${way === '' ? '' : `, rows handed over as: ${text(way)}`}. Chosen for these signs:`,
    ...adapter.evidence.map((line) => `  - ${text(line)}`),
    labels === null
      ? '- Its answers were taken as they are.'
      : `- Its answers were read in the labels of the data: ${codeSpan(labels.map)}. Evidence: ${text(labels.evidence)}. The mapping was settled before the formal run and without any label of an evaluated row.`,
    ...(run.wrote.length > 0
      ? [
          `- It wrote into its private copy of the repository: ${run.wrote.map((path) => `\`${code(path)}\``).join(', ')}. The repository itself was not changed.`,
        ]
      : []),
    ...(shown.length > 0 ? ['- Not chosen:', ...shown.map((line) => `  - ${line}`)] : []),
    ...(rest > 0 ? ['  - and others, listed in the record `benchmark_adapter_report`'] : []),
  ].join('\n');
}

/** Confidence is no measurement: it is told in words. */
function confidenceWord(confidence: number): string {
  if (confidence >= 0.85) return 'high';
  return confidence >= 0.7 ? 'good' : 'moderate';
}

/** What is proven about the labels of the evaluated rows, and no more. */
function labelsKept({ hiddenFiles, searchLimits }: ReportFacts['adapter']): string {
  const how = searchLimits.byHashOnly
    ? 'for a file that is the data set itself; its rows are too plain to be searched for'
    : 'for copies of the data, also packed or encoded ones';
  const copies = hiddenFiles.length > 0 ? 'those found were hidden from it' : 'none was found';
  const rest =
    searchLimits.notSearchedCount > 0 ? '; files that could not be searched are named under "Worth knowing"' : '';
  return `The run was not given the labels of the evaluated rows. The repository was searched ${how}: ${copies}${rest}. Packages that were installed for the run, if any, were not searched.`;
}

function probes(validation: ValidationReportValue): string {
  const rows = Object.entries(validation.probes).map(
    ([name, probe]) =>
      `- ${name.replaceAll('_', ' ')}: ${probe.passed ? 'as expected' : 'NOT as expected'} — ${probeMeanings[name] ?? 'see the validation report'}.`,
  );
  return [
    '## Probes',
    '',
    'Submissions with a known quality were judged by the same evaluator on the same rows:',
    '',
    ...rows,
  ].join('\n');
}

/** A manifest that an older version wrote says nothing of its source. */
function packageOf(repository: RepositoryManifest): PackageFile | undefined {
  const source: RepositorySource | undefined = repository.source;
  return source?.package;
}

function versionOf(repository: RepositoryManifest): string {
  const file = packageOf(repository);
  if (file !== undefined) return `version ${text(file.version)} of the package`;
  return repository.commit === null ? 'a plain folder' : `commit \`${repository.commit.slice(0, 12)}\``;
}

function originOf(repository: RepositoryManifest): string {
  const file = packageOf(repository);
  if (file !== undefined)
    return `, file \`${code(file.file)}\` (${file.hashName ?? 'no hash'} \`${code(file.hash ?? '')}\`)`;
  return repository.commit === null ? '' : `, commit \`${repository.commit}\``;
}

function provenance({ repository, manifest, run, installed }: ReportFacts): string {
  const { attestation } = run;
  const runtime = installed === undefined ? [] : installLines(installed).map((line) => `- ${text(line)}`);
  return [
    '## Where it comes from',
    '',
    `- Repository: \`${code(repository.path)}\`${originOf(repository)}, licence ${repository.license?.spdx ?? 'not recognised'}, fingerprint \`${run.repositoryFingerprint}\`.`,
    `- Data: \`${code(manifest.path)}\`, SHA-256 \`${manifest.sha256}\`.`,
    `- Adapter: SHA-256 \`${run.adapterSha256}\`.`,
    ...runtime,
    `- Boundary really in force: ${attestation.backend} ${attestation.version}, network ${attestation.network}, limits by ${attestation.limits}, system call filter ${attestation.seccomp ? 'on' : 'off'}, capabilities ${attestation.capabilities}.`,
  ].join('\n');
}

function caveats({ repository, manifest, adapter, preflight, metrics }: ReportFacts): string {
  const lines = [
    ...repository.warnings,
    ...manifest.warnings,
    ...(adapter.leakage ?? []).map(({ says }) => says),
    ...adapter.notes,
    ...adapter.hiddenFiles.map((file) => `${file.path} was hidden from the run: ${file.reason}`),
    ...searchNotes(adapter.searchLimits),
    ...preflight.attempts
      .filter((attempt) => !attempt.ok)
      .map((attempt) => `${attempt.entrypoint} was tried first and failed: ${attempt.problem ?? ''}`),
    ...metrics.notes,
  ];
  if (lines.length === 0) return '';
  return ['## Worth knowing', '', ...lines.map((line) => `- ${text(line)}`)].join('\n');
}

/** A command that works as it stands in a clone of Assay, for whichever home holds the plan. */
function check({ plan, home }: ReportFacts): string {
  const prefix = home === null ? '' : `ASSAY_HOME=${shellQuoted(home)} `;
  return [
    '## Check it yourself',
    '',
    'In a clone of Assay:',
    '',
    '```',
    `${prefix}npx assay verify ${plan.id}`,
    '```',
  ].join('\n');
}

function reference(metrics: BenchmarkMetricsValue, metric: string, format: string): string {
  const id = metrics.evidence[metric];
  return id === undefined ? '–' : `{{ev:${id}|${format}}}`;
}

function nameOf(path: string, subfolder: string): string {
  return (subfolder === '' ? path : subfolder).split('/').filter(Boolean).at(-1) ?? path;
}

/** Text of others inside Markdown: no markup, no line breaks, no control characters. */
export function text(value: string): string {
  return value
    .replace(/\p{C}+/gu, ' ')
    .replace(/[\\`*_{}[\]<>|#!~$]/g, (mark) => `\\${mark}`)
    .trim();
}

function code(value: string): string {
  return value.replace(/[\p{C}`|]+/gu, ' ').trim();
}
