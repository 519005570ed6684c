import type { Evidence, Plan } from '@assay/contracts';
import { useMemo, useState } from 'react';
import { titleOf } from '../home/home-screen.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { useClient } from '../stream/live.tsx';
import { plain } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction, useAnswer } from '../use-answer.ts';
import { ConfusionMatrix } from './confusion-matrix.tsx';
import { EvidenceChip } from './evidence-chip.tsx';
import { EvidencePanel } from './evidence-panel.tsx';
import { IntervalPlot } from './interval-plot.tsx';
import { readMetrics, type BenchmarkMetrics } from './benchmark-metrics.ts';

/** The result of a benchmark; every number opens what proves it. */
export function ReportView({ plan }: { readonly plan: Plan }) {
  const { text } = useTexts();
  const client = useClient();
  const isDone = plan.status === 'completed';
  const { answer, error } = useAnswer(async () => (isDone ? load(client, plan) : undefined), [client, plan.id, isDone]);
  const [open, setOpen] = useState<string>();
  if (!isDone)
    return (
      <div className="empty">
        <h2>{text('noReport')}</h2>
        <p className="dim">{text('noReportHelp')}</p>
      </div>
    );
  if (error !== undefined)
    return (
      <div className="empty">
        <ErrorNotice error={error} />
      </div>
    );
  if (answer === undefined) return <p className="empty dim">{text('opening')}</p>;
  const shown = open === undefined ? undefined : answer.evidence.get(open);
  return (
    <div className={shown === undefined ? 'scroll' : 'split'}>
      <div className="scroll">
        <Report plan={plan} loaded={answer} open={open} onOpen={setOpen} />
      </div>
      {shown !== undefined && (
        <aside className="pane">
          <EvidencePanel key={shown.id} evidence={shown} onClose={() => setOpen(undefined)} />
        </aside>
      )}
    </div>
  );
}

/** Metrics between 0 and 1, the higher the better: they can be drawn on one scale. */
const SHARES: ReadonlySet<string> = new Set(['accuracy', 'macro_f1', 'auroc']);

interface Loaded {
  readonly metrics: BenchmarkMetrics;
  readonly evidence: ReadonlyMap<string, Evidence>;
  readonly result: Awaited<ReturnType<ReturnType<typeof useClient>['planResult']>>;
}

async function load(client: ReturnType<typeof useClient>, plan: Plan): Promise<Loaded> {
  const artifact = await client.getArtifact({
    quest: plan.questId,
    artifact: plan.artifacts['benchmark_metrics'] ?? '',
  });
  const metrics = readMetrics(artifact.value);
  const evidence = new Map<string, Evidence>();
  for (let cursor: string | undefined; ;) {
    const page = await client.listEvidence({
      quest: plan.questId,
      query: { limit: 500, ...(cursor === undefined ? {} : { cursor }) },
    });
    for (const record of page.evidence) if (record.plan === plan.id) evidence.set(record.metric, record);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return { metrics, evidence, result: await client.planResult({ plan: plan.id }) };
}

interface ReportProps {
  readonly plan: Plan;
  readonly loaded: Loaded;
  readonly open: string | undefined;
  readonly onOpen: (metric: string) => void;
}

function Report({ plan, loaded: { metrics, evidence, result }, open, onOpen }: ReportProps) {
  const { text } = useTexts();
  const client = useClient();
  const [verified, setVerified] = useState(result.verified);
  const verify = useAction(async () => setVerified(await client.verifyPlan({ plan: plan.id })));
  const main = useMemo(() => Object.keys(metrics.metrics).filter((name) => !name.includes('/')), [metrics]);
  const allGood = verified.ok === verified.total;
  const chip = (metric: string, digits?: number) => (
    <EvidenceChip record={evidence.get(metric)} digits={digits} open={open === metric} onOpen={() => onOpen(metric)} />
  );
  return (
    <article className="report">
      <section>
        <h1>{titleOf(plan)}</h1>
        <div className="row" style={{ flexWrap: 'wrap' }}>
          <span className={`status ${allGood ? 'tone-done' : 'tone-failed'}`} role="status">
            <Icon name={allGood ? 'evidence' : 'failed'} small />
            {text('verifiedOf', verified)}
          </span>
          <button type="button" className="button small" disabled={verify.running} onClick={() => verify.run()}>
            <Icon name="again" small spin={verify.running} />
            {text(verify.running ? 'verifying' : 'verifyAll')}
          </button>
        </div>
        {verify.error !== undefined && <ErrorNotice error={verify.error} />}
        <table className="table">
          <thead>
            <tr>
              <th>{text('metric')}</th>
              <th>{text('valueInterval')}</th>
              <th className="only-wide" />
            </tr>
          </thead>
          <tbody>
            {main.map((name) => (
              <tr key={name}>
                <td>
                  <b className="mono">{name}</b>
                </td>
                <td>{chip(name, name === 'rows' ? 0 : undefined)}</td>
                <td className="only-wide">
                  <IntervalPlot
                    value={metrics.metrics[name]!}
                    interval={metrics.intervals[name]}
                    isShare={SHARES.has(name)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {metrics.labels !== null && metrics.confusion !== null && (
        <section>
          <h2>{text('confusion')}</h2>
          <ConfusionMatrix labels={metrics.labels} counts={metrics.confusion} />
        </section>
      )}
      <section>
        <h2>{text('probes')}</h2>
        <p className="dim">{text('probesHelp')}</p>
        <dl className="facts">
          {Object.entries(result.probes).map(([name, probe]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name.replaceAll('_', ' ')}</dt>
              <dd>
                <span className={`status ${probe.passed ? 'tone-done' : 'tone-failed'}`}>
                  <Icon name={probe.passed ? 'done' : 'failed'} small />
                  {text(probe.passed ? 'probePassed' : 'probeFailed')}
                </span>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {result.notes !== undefined && result.notes.length > 0 && (
        <section>
          <h2>{text('notes')}</h2>
          <ul>
            {result.notes.map((note) => (
              <li key={note} className="row" style={{ alignItems: 'baseline' }}>
                <Icon name="info" small />
                <span>{plain(note)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  );
}
