import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { datasetManifestSchema } from '@assay/contracts';
import { renderReport, type PreRegistration } from '@assay/evaluation';
import { sha256Text, writeFileDurable } from '@assay/files';
import { createEvidenceStore } from '@assay/quest-repo';
import type { RepositoryManifest } from '@assay/repositories';
import {
  benchmarkMetricsValue,
  preflightReportValue,
  runManifestValue,
  validationReportValue,
  valueOf,
} from '../benchmark-values.ts';
import { installReportValue } from '../install-report.ts';
import { reportText, type ReportFacts } from '../report-text.ts';
import type { TaskContext, TaskType } from '../task-type.ts';

const INSTALLED = 'dependency_install_report';

/** Writes the report with references, and renders it with each number as a link to its evidence. */
export const benchmarkReport: TaskType = {
  type: 'benchmark_report',
  codeVersion: 4,
  async run(context) {
    const facts = await gather(context);
    const source = reportText(facts);
    const evidence = await evidenceOf(context, Object.values(facts.metrics.evidence));
    const { markdown } = renderReport(source, evidence, { link: (id) => `../evidence/${id}.json` });
    const rendered = join('documents', `benchmark-${context.plan.id}.md`);
    await mkdir(context.paths.documents, { recursive: true, mode: 0o700 });
    await writeFileDurable(join(context.paths.root, rendered), markdown, { mode: 0o644 });
    const file = join(context.attemptDir, 'report.md');
    await writeFile(file, source);
    return {
      outputs: {
        evaluation_report: {
          type: 'report',
          file,
          mediaType: 'text/markdown',
          evidence: evidence.map(({ id }) => id),
          metadata: { rendered, renderedSha256: sha256Text(markdown) },
        },
      },
      summary: `${evidence.length} numbers, each with its evidence`,
    };
  },
};

async function gather(context: TaskContext): Promise<ReportFacts> {
  const read = (key: string) => context.input(key);
  const preflight = preflightReportValue.parse((await read('benchmark_preflight_report')).value);
  const generated = (await read('benchmark_adapter_report')).value as ReportFacts['adapter'];
  // What the report says of the entry point is said of the one that ran, which need not be the first that was chosen.
  const { entrypoint, confidence, evidence, notes, way, labels, others } = preflight.passed;
  return {
    plan: context.plan,
    home: context.settings.namedHome,
    manifest: valueOf(datasetManifestSchema, await read('dataset_manifest')),
    repository: (await read('repo_manifest')).value as RepositoryManifest,
    registration: (await read('preregistration')).value as PreRegistration,
    run: valueOf(runManifestValue, await read('benchmark_run_manifest')),
    metrics: valueOf(benchmarkMetricsValue, await read('benchmark_metrics')),
    validation: valueOf(validationReportValue, await read('benchmark_validation_report')),
    adapter: { ...generated, chosen: entrypoint, confidence, evidence, notes, way, labels, others },
    preflight,
    installed:
      preflight.installed != null
        ? installReportValue.parse(preflight.installed)
        : context.task.requiredArtifacts.includes(INSTALLED)
          ? valueOf(installReportValue, await read(INSTALLED))
          : undefined,
  };
}

async function evidenceOf(context: TaskContext, ids: readonly string[]) {
  const store = createEvidenceStore(context.paths.root);
  const found = await Promise.all(ids.map((id) => store.read(id)));
  return found.filter((evidence) => evidence !== undefined);
}
