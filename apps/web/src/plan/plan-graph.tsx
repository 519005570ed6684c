import type { AgentRole, Plan } from '@assay/contracts';
import { useMemo } from 'react';
import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { duration, secondsBetween } from '../ui/format.ts';
import { Status, taskLook } from '../ui/status.tsx';
import { useNow } from '../use-now.ts';
import { layoutOf, type PlacedTask } from './lanes.ts';

export const roleTexts: Readonly<Record<AgentRole, readonly [TextKey, TextKey]>> = {
  librarian: ['roleLibrarian', 'roleLibrarianDoes'],
  coder: ['roleCoder', 'roleCoderDoes'],
  sandbox: ['roleSandbox', 'roleSandboxDoes'],
  data: ['roleData', 'roleDataDoes'],
  benchmark_adapter: ['roleAdapter', 'roleAdapterDoes'],
  general: ['roleGeneral', 'roleGeneralDoes'],
};

interface GraphProps {
  readonly plan: Plan;
  readonly selected: string | undefined;
  readonly onSelect: (task: string) => void;
}

/** The tasks of a plan by role and order, with what they hand on; a list where the screen is narrow. */
export function PlanGraph({ plan, selected, onSelect }: GraphProps) {
  const { text } = useTexts();
  const layout = useMemo(() => layoutOf(plan, selected), [plan, selected]);
  return (
    <>
      <div className="graph">
        <div className="graph-inner" style={{ width: layout.width, height: layout.height, minHeight: '100%' }}>
          {layout.lanes.map(({ role, x }) => (
            <div key={role} className="lane" style={{ left: x, width: 208 }}>
              <b>{text(roleTexts[role][0])}</b> {text(roleTexts[role][1])}
            </div>
          ))}
          <svg className="edges" width={layout.width} height={layout.height} aria-hidden="true">
            {layout.edges.map((edge) => {
              const on = edge.to === selected ? ' on' : '';
              const later = plan.artifacts[edge.artifact] === undefined ? ' later' : '';
              return (
                <g key={edge.id}>
                  <path className={`edge${on}${later}`} d={edge.path} />
                  <text className={on} x={edge.label.x} y={edge.label.y}>
                    {edge.artifact}
                  </text>
                </g>
              );
            })}
          </svg>
          {layout.tasks.map((placed) => (
            <TaskNode key={placed.task.id} {...placed} selected={placed.task.id === selected} onSelect={onSelect} />
          ))}
        </div>
      </div>
      <div className="task-list">
        {layout.tasks.map((placed) => (
          <TaskRow key={placed.task.id} {...placed} selected={placed.task.id === selected} onSelect={onSelect} />
        ))}
      </div>
    </>
  );
}

interface NodeProps extends PlacedTask {
  readonly selected: boolean;
  readonly onSelect: (task: string) => void;
}

function TaskNode({ task, order, x, y, selected, onSelect }: NodeProps) {
  const { taskName } = useTexts();
  const look = taskLook(task);
  return (
    <button
      type="button"
      className={`node tone-${look.tone}`}
      style={{ left: x, top: y }}
      aria-pressed={selected}
      onClick={() => onSelect(task.id)}
    >
      <span className="name truncate">
        <span className="order">{order}</span>
        {taskName(task)}
      </span>
      <span className="state">
        <Status look={look} />
        <span className="faint truncate">
          <TaskTime {...{ task }} />
        </span>
      </span>
    </button>
  );
}

function TaskRow({ task, order, selected, onSelect }: NodeProps) {
  const { text, taskName } = useTexts();
  return (
    <button type="button" aria-pressed={selected} onClick={() => onSelect(task.id)}>
      <span className="row">
        <b className="grow truncate">
          <span className="faint">{order}</span> {taskName(task)}
        </b>
        <span className="meta">
          <TaskTime {...{ task }} />
        </span>
      </span>
      <span className="row meta">
        <Status look={taskLook(task)} />
        <span className="truncate">
          {text('gives')} <span className="mono">{task.outputArtifacts.join(', ')}</span>
        </span>
      </span>
    </button>
  );
}

function TaskTime({ task }: Pick<PlacedTask, 'task'>) {
  const now = useNow(task.status === 'in_progress' ? 500 : 3_600_000);
  const seconds = secondsBetween(task.startedAt, task.finishedAt, now);
  return seconds === undefined ? null : <>{duration(seconds)}</>;
}
