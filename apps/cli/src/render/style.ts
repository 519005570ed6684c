import type { TaskStatus } from '@assay/contracts';
import pc from 'picocolors';

export type Colours = ReturnType<typeof pc.createColors>;

export function colours(enabled: boolean): Colours {
  return pc.createColors(enabled);
}

interface StatusStyle {
  readonly icon: string;
  readonly word: string;
  readonly colour: 'gray' | 'blue' | 'yellow' | 'green' | 'red';
}

/** Icon, word and colour of every state: none of the three stands alone. */
export const statusStyles: { readonly [S in TaskStatus]: StatusStyle } = {
  pending: { icon: '·', word: 'pending', colour: 'gray' },
  ready: { icon: '▹', word: 'ready', colour: 'blue' },
  in_progress: { icon: '◌', word: 'running', colour: 'yellow' },
  completed: { icon: '✓', word: 'done', colour: 'green' },
  failed: { icon: '✗', word: 'failed', colour: 'red' },
  blocked: { icon: '⊘', word: 'blocked', colour: 'gray' },
  skipped: { icon: '↷', word: 'skipped', colour: 'gray' },
  canceled: { icon: '■', word: 'canceled', colour: 'gray' },
};
