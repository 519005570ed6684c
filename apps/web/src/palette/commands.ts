import type { Plan } from '@assay/contracts';
import { useLocation } from 'wouter';
import { titleOf } from '../home/home-screen.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { isDark, setLook, useLook } from '../look.ts';
import { useClient, useLive } from '../stream/live.tsx';
import type { IconName } from '../ui/icon.tsx';
import { planLook } from '../ui/status.tsx';
import { waitingKind } from '../system/waiting.ts';
import { matchRank } from './match.ts';

export interface Command {
  readonly id: string;
  readonly name: string;
  readonly group: 'here' | 'screens' | 'plans' | 'quests' | 'look';
  readonly icon: IconName;
  readonly detail: string;
  readonly keys?: string;
  readonly run: () => unknown;
}

export interface QuestEntry {
  readonly id: string;
  readonly title: string;
}

/** Everything that can be reached or done from where one is. */
export function useCommands(quests: readonly QuestEntry[]): readonly Command[] {
  const { text, language, setLanguage } = useTexts();
  const { plans } = useLive();
  const look = useLook();
  const [path, navigate] = useLocation();
  const client = useClient();
  const open = plans.get(/^\/plans\/([^/]+)/.exec(path)?.[1] ?? '');
  const go = (to: string) => () => navigate(to);
  const screens = [
    { id: 'home', name: text('home'), icon: 'home', keys: 'g h', run: go('/') },
    { id: 'inbox', name: text('inbox'), icon: 'inbox', keys: 'g i', run: go('/inbox') },
    { id: 'new', name: text('data'), icon: 'table', run: go('/new') },
    { id: 'compare', name: text('compare'), icon: 'compare', run: go('/compare') },
    { id: 'machine', name: text('machine'), icon: 'machine', keys: 'g m', run: go('/machine') },
    { id: 'settings', name: text('settings'), icon: 'settings', keys: 'g s', run: go('/settings') },
    { id: 'shortcuts', name: text('shortcuts'), icon: 'info', keys: '?', run: go('/shortcuts') },
  ] as const;
  const newest = [...plans.values()].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  return [
    ...(open === undefined ? [] : planCommands(open, { text, client, go })),
    ...screens.map((screen): Command => ({ ...screen, group: 'screens', detail: '' })),
    ...newest.map((plan): Command => ({
      id: plan.id,
      name: titleOf(plan),
      group: 'plans',
      icon: planLook(plan).icon,
      detail: text(planLook(plan).word),
      run: go(`/plans/${plan.id}`),
    })),
    ...quests.flatMap(({ id, title }): Command[] => {
      const plan = newest.find(({ questId }) => questId === id);
      if (plan === undefined) return [];
      return [{ id, name: title, group: 'quests', icon: 'evidence', detail: '', run: go(`/plans/${plan.id}`) }];
    }),
    {
      id: 'theme',
      name: text(isDark(look) ? 'toLight' : 'toDark'),
      group: 'look',
      icon: 'theme',
      detail: '',
      run: () => setLook({ theme: isDark(look) ? 'light' : 'dark' }),
    },
    {
      id: 'language',
      name: text('languageTitle'),
      group: 'look',
      icon: 'language',
      detail: '',
      run: () => setLanguage(language === 'en' ? 'zh-CN' : 'en'),
    },
  ];
}

interface PlanContext {
  readonly text: ReturnType<typeof useTexts>['text'];
  readonly client: ReturnType<typeof useClient>;
  readonly go: (to: string) => () => void;
}

/** What the open plan can do now, and its own screens. */
function planCommands(plan: Plan, { text, client, go }: PlanContext): Command[] {
  const id = { plan: plan.id };
  const isOver = ['completed', 'failed', 'canceled'].includes(plan.status);
  const command = (name: Parameters<typeof text>[0], icon: IconName, run: () => unknown): Command => ({
    id: `here ${name}`,
    name: text(name),
    group: 'here',
    icon,
    detail: '',
    run,
  });
  const waits = waitingKind(plan);
  return [
    ...(plan.status === 'pending' && waits === undefined
      ? [command('start', 'ready', () => client.executePlan(id))]
      : []),
    ...(waits === 'interrupted' ? [command('resume', 'ready', () => client.resumePlan(id))] : []),
    ...(waits === 'approval' || waits === 'question' ? [command('toInbox', 'inbox', go('/inbox'))] : []),
    command('graph', 'pending', go(`/plans/${plan.id}`)),
    command('report', 'evidence', go(`/plans/${plan.id}/report`)),
    ...(isOver ? [] : [command('cancelPlan', 'close', () => client.cancelPlan(id))]),
  ];
}

const MOST = 60;

/** Those that fit what was typed, the best first; in their own order while nothing is typed. */
export function fitting(commands: readonly Command[], search: string): readonly Command[] {
  return commands
    .map((command) => ({ command, rank: matchRank(`${command.name} ${command.detail}`, search) }))
    .filter((ranked): ranked is { readonly command: Command; readonly rank: number } => ranked.rank !== undefined)
    .sort((a, b) => a.rank - b.rank)
    .map(({ command }) => command)
    .slice(0, MOST);
}
