import { join } from 'node:path';

/** Where things stand in a quest's folder. `.assay/` is not committed. */
export interface QuestPaths {
  readonly root: string;
  readonly questFile: string;
  readonly artifacts: string;
  readonly evidence: string;
  readonly documents: string;
  readonly events: string;
  readonly blobs: string;
  readonly sessions: string;
  readonly plans: string;
  readonly trash: string;
  /** What a comparison is written in before it is published. */
  comparison(id: string): string;
  attempt(at: { readonly plan: string; readonly task: string; readonly attempt: number }): string;
}

export function questPaths(root: string): QuestPaths {
  const inside = (...parts: string[]) => join(root, ...parts);
  return {
    root,
    questFile: inside('quest.yaml'),
    artifacts: inside('artifacts'),
    evidence: inside('evidence'),
    documents: inside('documents'),
    events: inside('.assay', 'events'),
    blobs: inside('.assay', 'blobs'),
    sessions: inside('.assay', 'sessions'),
    plans: inside('.assay', 'plans'),
    trash: inside('.assay', 'trash'),
    comparison: (id) => inside('.assay', 'comparisons', id),
    attempt: ({ plan, task, attempt }) => inside('.assay', 'plans', plan, 'tasks', task, `attempt-${attempt}`),
  };
}
