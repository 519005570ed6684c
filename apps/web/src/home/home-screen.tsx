import type { Plan } from '@assay/contracts';
import { Link } from 'wouter';
import { useTexts } from '../i18n/texts.tsx';
import { useLive } from '../stream/live.tsx';
import { ago, lastPart } from '../ui/format.ts';
import { planLook, Status } from '../ui/status.tsx';
import { useNow } from '../use-now.ts';
import { NewWork } from './new-work.tsx';

/** All plans, the newest first, and the one box that starts another. */
export function HomeScreen() {
  const { text } = useTexts();
  const { plans, loaded } = useLive();
  const sorted = [...plans.values()].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id));
  return (
    <div className="scroll">
      <div className="home">
        <NewWork />
        <section>
          <h2>{text('plans')}</h2>
          {sorted.length > 0 ? (
            <PlanTable plans={sorted} />
          ) : loaded ? (
            <NoPlans />
          ) : (
            <p className="dim">{text('opening')}</p>
          )}
        </section>
      </div>
    </div>
  );
}

function NoPlans() {
  const { text } = useTexts();
  return (
    <div className="dim">
      <p>{text('noPlans')}</p>
      <p>{text('noPlansHelp')}</p>
      <p className="mono">npm run demo</p>
    </div>
  );
}

function PlanTable({ plans }: { readonly plans: readonly Plan[] }) {
  const { text, language } = useTexts();
  const now = useNow(30_000);
  return (
    <table className="table plan-list">
      <thead>
        <tr>
          <th>{text('columnTitle')}</th>
          <th>{text('columnState')}</th>
          <th>{text('columnTasks')}</th>
          <th className="right">{text('columnActive')}</th>
        </tr>
      </thead>
      <tbody>
        {plans.map((plan) => (
          <tr key={plan.id}>
            <td>
              <Link className="truncate" style={{ display: 'block' }} href={`/plans/${plan.id}`}>
                {titleOf(plan)}
              </Link>
            </td>
            <td>
              <Status look={planLook(plan)} />
            </td>
            <td className="nowrap dim">{text('tasksOf', { done: plan.counts.completed, total: plan.counts.total })}</td>
            <td className="right faint nowrap">{ago(plan.updatedAt, now, language)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function titleOf({ inputs, userIntent }: Pick<Plan, 'inputs' | 'userIntent'>): string {
  if (inputs.repository === undefined || inputs.data === undefined) return userIntent;
  return `${lastPart(inputs.repository)} · ${lastPart(inputs.data)}`;
}
