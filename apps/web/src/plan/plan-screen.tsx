import type { Plan } from '@assay/contracts';
import { planOf } from '@assay/plan-graph';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { TimelineView } from '../compare/timeline-view.tsx';
import { titleOf } from '../home/home-screen.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { ReportView } from '../report/report-view.tsx';
import { useTopic } from '../stream/live.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { PlanGraph } from './plan-graph.tsx';
import { PlanHead } from './plan-head.tsx';
import { TaskInspector } from './task-inspector.tsx';

/** One plan, live: its graph with a task's details, or its report. */
export function PlanScreen({ id, tab }: { readonly id: string; readonly tab: 'graph' | 'attempts' | 'report' }) {
  const { text } = useTexts();
  const live = useTopic(`plan:${id}`);
  const [chosen, setChosen] = useState<string>();
  const watched = live.watched.get(id);
  const plan = useMemo(() => (watched === undefined ? undefined : planOf(watched.state)), [watched?.state]);
  const error = live.errors.get(`plan:${id}`);
  if (plan === undefined || watched === undefined)
    return (
      <div className="empty">
        {error === undefined ? <p className="dim">{text('opening')}</p> : <ErrorNotice error={error} />}
      </div>
    );
  const task = chosen ?? taskOfInterest(plan);
  return (
    <>
      <PlanHead plan={plan} title={titleOf(plan)} problem={error} />
      <nav className="tabs">
        <Link href={`/plans/${id}`} aria-current={tab === 'graph' ? 'page' : undefined}>
          {text('graph')} <span className="count">{plan.tasks.length}</span>
        </Link>
        <Link href={`/plans/${id}/attempts`} aria-current={tab === 'attempts' ? 'page' : undefined}>
          {text('attempts')} <span className="count">{plan.usage.taskAttempts}</span>
        </Link>
        <Link href={`/plans/${id}/report`} aria-current={tab === 'report' ? 'page' : undefined}>
          {text('report')}
        </Link>
      </nav>
      {tab === 'report' ? (
        <ReportView plan={plan} />
      ) : tab === 'attempts' ? (
        <TimelineView plan={plan} />
      ) : (
        <div className="split">
          <PlanGraph plan={plan} selected={task} onSelect={setChosen} />
          <aside className="pane">
            <TaskInspector
              plan={plan}
              state={watched.state}
              taskId={task}
              lines={task === undefined ? [] : (watched.logs.get(task) ?? [])}
              attempts={task === undefined ? [] : (watched.attempts.get(task) ?? [])}
            />
          </aside>
        </div>
      )}
    </>
  );
}

/** What a person wants to see first: what failed, what runs, what is next, what came last. */
function taskOfInterest({ tasks }: Plan): string | undefined {
  for (const status of ['failed', 'in_progress', 'ready', 'pending'] as const) {
    const found = tasks.find((task) => task.status === status);
    if (found !== undefined) return found.id;
  }
  return tasks.at(-1)?.id;
}
