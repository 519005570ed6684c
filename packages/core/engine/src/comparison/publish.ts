import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Comparison, EventDraft, Evidence } from '@assay/contracts';
import { renderReport } from '@assay/evaluation';
import { sha256Text, writeFileDurable } from '@assay/files';
import { publishedData } from '@assay/quest-repo';
import type { QuestHandle } from '../quests/quest-handle.ts';
import { citedEvidence } from './assemble.ts';
import { comparisonReport } from './report.ts';

export interface MadeComparison {
  readonly comparison: Comparison;
  /** Of the comparison's own numbers. */
  readonly evidence: readonly Evidence[];
  /** Of the rendered report, relative to the quest. */
  readonly rendered: string;
}

/** Where the report of a comparison is rendered, relative to its quest. */
export const renderedComparison = (id: string) => join('documents', `comparison-${id}.md`);

/** Files first, then the events that make them count. */
export async function publishComparison(
  quest: QuestHandle,
  { comparison, evidence, rendered }: MadeComparison,
): Promise<void> {
  const scope = { comparison: comparison.id };
  const cited = citedEvidence(comparison);
  const known = new Map(evidence.map((one) => [one.id, one]));
  const others = await Promise.all(cited.filter((id) => !known.has(id)).map((id) => quest.evidence.read(id)));
  const all = [...evidence, ...others.filter((one) => one !== undefined)];
  const source = comparisonReport(comparison);
  const { markdown } = renderReport(source, all, { link: (id) => `../evidence/${id}.json` });
  const drafts: EventDraft[] = [];
  for (const one of evidence) {
    const { record, sha256 } = await quest.evidence.write(one);
    drafts.push({
      type: 'evidence.recorded',
      scope,
      data: { evidenceId: one.id, metric: one.metric, value: one.value, record, sha256 },
    });
  }
  const folder = quest.paths.comparison(comparison.id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'report.md');
  await writeFile(file, source);
  await mkdir(quest.paths.documents, { recursive: true, mode: 0o700 });
  await writeFileDurable(join(quest.paths.root, rendered), markdown, { mode: 0o644 });
  const common = { producer: { comparison: comparison.id, attempt: 1 }, evidence: cited };
  const value = await quest.artifacts.publish({ ...common, key: 'comparison', type: 'metrics', value: comparison });
  const report = await quest.artifacts.publish({
    ...common,
    key: 'comparison_report',
    type: 'report',
    file,
    mediaType: 'text/markdown',
    metadata: { rendered, renderedSha256: sha256Text(markdown) },
  });
  for (const published of [value, report])
    drafts.push({ type: 'artifact.published', scope, data: publishedData(published) });
  const plans = [...comparison.candidates, ...comparison.notCompared].map(({ plan }) => plan);
  const { id: comparisonId, family } = comparison;
  drafts.push({ type: 'comparison.made', scope, data: { comparisonId, artifactId: value.artifact.id, plans, family } });
  await quest.append(drafts);
}
