import type { EventDraft, Plan, Quest } from '@assay/contracts';
import type { Journal, Projected } from '@assay/event-store';
import type { ArtifactStore, EvidenceStore, QuestPaths } from '@assay/quest-repo';
import type { QuestIndex } from './quest-index.ts';

/** An opened quest: its file, journal, stores and the projections that lists are answered from. */
export interface QuestHandle {
  readonly quest: Quest;
  readonly paths: QuestPaths;
  readonly journal: Journal;
  readonly artifacts: ArtifactStore;
  readonly evidence: EvidenceStore;
  readonly index: Projected<QuestIndex>;
  append(drafts: readonly EventDraft[]): Promise<void>;
}

export interface PlanSummary {
  readonly id: string;
  readonly status: Plan['status'];
  readonly intentType: Plan['intentType'];
}
