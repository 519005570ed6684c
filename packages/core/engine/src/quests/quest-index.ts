import * as z from 'zod';
import { intentTypes, planStatuses, type AssayEvent, type EventOf } from '@assay/contracts';
import type { Projection } from '@assay/event-store';

const indexSchema = z.object({
  plans: z.array(z.object({ id: z.string(), status: z.enum(planStatuses), intentType: z.enum(intentTypes) })),
  /** Published artifact ids and recorded evidence ids in order. */
  artifacts: z.array(
    z.object({
      id: z.string(),
      record: z.string(),
      sha256: z.string().nullable(),
      recordSha256: z.string().nullable(),
      /** The plan or comparison that published it. */
      owner: z.string().nullable(),
    }),
  ),
  /** Comparisons that were made, by id, with the artifact that holds each. */
  comparisons: z.array(z.object({ id: z.string(), artifact: z.string(), plans: z.array(z.string()) })),
  evidence: z.array(
    z.object({
      id: z.string(),
      record: z.string(),
      plan: z.string().nullable(),
      comparison: z.string().nullable(),
      value: z.number(),
      sha256: z.string().nullable(),
    }),
  ),
  lastAt: z.string().nullable(),
});

/** What a quest holds, folded from its journal: enough for lists and look-ups, small enough to keep in memory. */
export type QuestIndex = z.infer<typeof indexSchema>;

const statusAfter: Partial<Record<AssayEvent['type'], QuestIndex['plans'][number]['status']>> = {
  'plan.approved': 'pending',
  'plan.started': 'in_progress',
  'plan.resumed': 'in_progress',
  'plan.interrupted': 'pending',
  'plan.question_asked': 'pending',
  'plan.task_retry_requested': 'pending',
  'plan.completed': 'completed',
  'plan.failed': 'failed',
  'plan.canceled': 'canceled',
};

export const questIndexProjection: Projection<QuestIndex> = {
  name: 'quest-index',
  version: 5,
  initial: () => ({ plans: [], artifacts: [], comparisons: [], evidence: [], lastAt: null }),
  reduce(state, event) {
    state.lastAt = event.at;
    switch (event.type) {
      case 'plan.created': {
        const { id, status, intentType } = event.data.plan;
        state.plans.push({ id, status, intentType });
        return state;
      }
      case 'artifact.published':
        state.artifacts.push(expectedArtifact(event));
        return state;
      case 'comparison.made': {
        const { comparisonId, artifactId, plans } = event.data;
        state.comparisons.push({ id: comparisonId, artifact: artifactId, plans: [...plans] });
        return state;
      }
      case 'evidence.recorded':
        state.evidence.push(expectedNumber(event));
        return state;
      default: {
        const status = statusAfter[event.type];
        const plan = status === undefined ? undefined : state.plans.find((p) => p.id === event.scope.plan);
        if (plan !== undefined && status !== undefined) plan.status = status;
        return state;
      }
    }
  },
  serialize: (state) => state,
  parse: (stored) => indexSchema.parse(stored),
};

/** What the journal says of a number that was recorded. */
export function expectedNumber(event: EventOf<'evidence.recorded'>): QuestIndex['evidence'][number] {
  const { evidenceId, record, value, sha256 } = event.data;
  const { plan = null, comparison = null } = event.scope;
  return { id: evidenceId, record, plan, comparison, value, sha256: sha256 ?? null };
}

/** What the journal says of an artifact that was published. */
export function expectedArtifact(event: EventOf<'artifact.published'>): QuestIndex['artifacts'][number] {
  const { artifactId, record, sha256 = null, recordSha256 = null } = event.data;
  return { id: artifactId, record, sha256, recordSha256, owner: event.scope.plan ?? event.scope.comparison ?? null };
}
