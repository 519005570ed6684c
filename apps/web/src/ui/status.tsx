import type { Plan, Task } from '@assay/contracts';
import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'pending' | 'ready' | 'running' | 'done' | 'failed' | 'blocked' | 'waiting';

export interface StatusLook {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly word: TextKey;
}

const taskLooks: Readonly<Record<Task['status'], StatusLook>> = {
  pending: { tone: 'pending', icon: 'pending', word: 'statusPending' },
  ready: { tone: 'ready', icon: 'ready', word: 'statusReady' },
  in_progress: { tone: 'running', icon: 'running', word: 'statusRunning' },
  completed: { tone: 'done', icon: 'done', word: 'statusDone' },
  failed: { tone: 'failed', icon: 'failed', word: 'statusFailed' },
  blocked: { tone: 'blocked', icon: 'blocked', word: 'statusBlocked' },
  skipped: { tone: 'done', icon: 'done', word: 'statusSkipped' },
  canceled: { tone: 'blocked', icon: 'blocked', word: 'statusCanceled' },
};

const planLooks: Readonly<Record<Plan['status'], StatusLook>> = {
  awaiting_approval: { tone: 'waiting', icon: 'waiting', word: 'statusApproval' },
  pending: { tone: 'ready', icon: 'ready', word: 'statusReady' },
  in_progress: taskLooks.in_progress,
  completed: taskLooks.completed,
  failed: taskLooks.failed,
  canceled: taskLooks.canceled,
};

export function taskLook({ status }: Pick<Task, 'status'>): StatusLook {
  return taskLooks[status];
}

export function planLook(plan: Pick<Plan, 'status' | 'clarification' | 'interrupted'>): StatusLook {
  if (plan.clarification !== null && plan.clarification.answer === null && plan.status === 'pending')
    return { tone: 'waiting', icon: 'waiting', word: 'statusQuestion' };
  if (plan.interrupted) return { tone: 'blocked', icon: 'blocked', word: 'statusInterrupted' };
  return planLooks[plan.status];
}

/** Icon, word and colour: a status never shows by colour alone. */
export function Status({ look, pill = false }: { readonly look: StatusLook; readonly pill?: boolean }) {
  const { text } = useTexts();
  return (
    <span className={`status tone-${look.tone}${pill ? ' pill' : ''}`}>
      <Icon name={look.icon} small spin={look.icon === 'running'} />
      {text(look.word)}
    </span>
  );
}
