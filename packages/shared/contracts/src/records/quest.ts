import * as z from 'zod';
import { id, instant } from './common.ts';

export const anchors = ['scout', 'baseline', 'idea', 'experiment', 'analysis-campaign', 'write', 'finalize'] as const;

/** The content of a quest's quest.yaml. Runtime status is never stored in it; people may edit it. */
export const questSchema = z.object({
  v: z.literal(1),
  id,
  title: z.string().min(1),
  goal: z.string(),
  active_anchor: z.enum(anchors),
  mode: z.enum(['copilot', 'autonomous']),
  locale: z.enum(['en', 'zh-CN']),
  created_at: instant,
});
export type Quest = z.infer<typeof questSchema>;
