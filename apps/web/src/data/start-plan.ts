import type { DataPreview } from '@assay/contracts';
import type { TextKey } from '../i18n/en.ts';
import { useLocation } from 'wouter';
import { useClient } from '../stream/live.tsx';
import { useAction } from '../use-answer.ts';
import { forgetDraft, hasFile, planRequest, useDraft, type Draft } from './draft.ts';
import { recognise } from './recognise.ts';
import { useSending } from './sending.ts';
import type { Previewed } from './use-preview.ts';

/** Below this a person says which column is meant. */
export const SURE = 0.7;

/** What is still missing before the benchmark can start; `stateReady` when nothing is. */
export function stateOf(draft: Draft, preview: DataPreview | undefined, sending: boolean): TextKey {
  if (recognise(draft.goal).notYet && draft.repository === '') return 'cannotStart';
  if (sending) return 'stateSending';
  if (draft.repository.trim() === '') return 'stateRepository';
  if (!hasFile(draft)) return 'stateData';
  if (preview === undefined) return 'stateReady';
  if (preview.choices.some(({ field }) => draft.reading[field] === undefined)) return 'stateChoice';
  if (preview.problem !== null) return 'stateProblem';
  const { targetColumn, confidence } = preview.manifest;
  if (draft.target !== '' || (targetColumn !== null && confidence >= SURE)) return 'stateReady';
  return targetColumn === null ? 'stateTarget' : 'stateConfirm';
}

/** Starts the benchmark of the draft and opens its plan; the draft is forgotten only then. */
export function useStart({ preview, reading }: Previewed) {
  const client = useClient();
  const draft = useDraft();
  const { file } = useSending();
  const [, navigate] = useLocation();
  const state = stateOf(draft, preview, file !== undefined);
  const start = useAction(async () => {
    const { inputs, attachments } = planRequest(draft, preview);
    const { plan } = await client.createPlan({ body: { intentType: 'Custom_Benchmark', inputs, attachments } });
    if (plan.status === 'pending' && plan.clarification === null) await client.executePlan({ plan: plan.id });
    forgetDraft();
    navigate(`/plans/${plan.id}`);
  });
  // An answer that is on its way may change what is shown; without a target it would be started unseen.
  const waits = reading && draft.target === '';
  return { ...start, state, disabled: state !== 'stateReady' || start.running || waits };
}
