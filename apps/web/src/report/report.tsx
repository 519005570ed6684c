import type { Plan, Verification } from '@assay/contracts';
import { useTexts } from '../i18n/texts.tsx';
import { useClient } from '../stream/live.tsx';
import { plain } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-answer.ts';
import { ClassBars, type LabelRow } from './class-bars.tsx';
import { ConfusionMatrix } from './confusion-matrix.tsx';
import { EvidenceChip } from './evidence-chip.tsx';
import type { Provenance } from './export/provenance.ts';
import { Figure } from './figure.tsx';
import { IntervalPlot } from './interval-plot.tsx';
import type { LoadedReport } from './load-report.ts';
import { ReportExport } from './report-export.tsx';
import { ResidualsView } from './residuals-view.tsx';
import { Limits, Probes, Registration } from './trust-sections.tsx';

interface Props {
  readonly plan: Plan;
  readonly loaded: LoadedReport;
  readonly provenance: Provenance;
  readonly onVerified: (verified: Pick<Verification, 'ok' | 'total'>) => void;
  readonly open: string | undefined;
  readonly onOpen: (metric: string) => void;
}

/** Metrics between 0 and 1, the higher the better: they can be drawn on one scale. */
const SHARES: ReadonlySet<string> = new Set(['accuracy', 'macro_f1', 'auroc', 'r2']);

export function Report(props: Props) {
  const { loaded, provenance, open, onOpen } = props;
  const { metrics, evidence } = loaded;
  const labels = labelsOf(loaded);
  const anyNumber = evidence.get('rows');
  return (
    <article className="report">
      <Head {...props} />
      <Numbers {...props} />
      {metrics.labels !== null && metrics.confusion !== null && (
        <section>
          <ConfusionMatrix
            labels={metrics.labels}
            counts={metrics.confusion}
            provenance={provenance}
            open={open}
            onOpen={onOpen}
          />
        </section>
      )}
      {labels.length > 0 && (
        <section>
          <ClassBars labels={labels} {...{ evidence, provenance, open, onOpen }} />
        </section>
      )}
      {metrics.task === 'regression' && anyNumber !== undefined && (
        <section>
          <ResidualsView evidence={anyNumber} provenance={provenance} />
        </section>
      )}
      <Probes loaded={loaded} />
      <Registration loaded={loaded} />
      <Limits loaded={loaded} />
    </article>
  );
}

function Head({ plan, loaded, provenance, onVerified, open, onOpen }: Props) {
  const { text } = useTexts();
  const client = useClient();
  const verify = useAction(async () => onVerified(await client.verifyPlan({ plan: plan.id })));
  const { ok, total, title, sentence } = provenance;
  return (
    <section>
      <h1>{plain(title)}</h1>
      <p className="meta">{sentence}</p>
      <div className="row wrap">
        <span className={`status ${ok === total ? 'tone-done' : 'tone-failed'}`} role="status">
          <Icon name={ok === total ? 'evidence' : 'failed'} small />
          {text('verifiedOf', { ok, total })}
        </span>
        <button type="button" className="button small no-print" disabled={verify.running} onClick={() => verify.run()}>
          <Icon name="again" small spin={verify.running} />
          {text(verify.running ? 'verifying' : 'verifyAll')}
        </button>
        <ReportExport loaded={loaded} provenance={provenance} />
      </div>
      {verify.error !== undefined && <ErrorNotice error={verify.error} />}
      <Answer {...{ loaded, open, onOpen }} />
    </section>
  );
}

/** The result in words, before tables. */
function Answer({ loaded: { metrics, evidence }, open, onOpen }: Pick<Props, 'loaded' | 'open' | 'onOpen'>) {
  const { text } = useTexts();
  const said = (words: string, metric: string, end: 'comma' | 'fullStop') => (
    <>
      {words}{' '}
      <span className="nowrap">
        <EvidenceChip
          record={evidence.get(metric)}
          name={metric}
          open={open === metric}
          onOpen={() => onOpen(metric)}
        />
        {text(end).trim()}
      </span>{' '}
    </>
  );
  const weakest = weakestLabel(metrics.metrics);
  if (metrics.task === 'regression')
    return (
      <p className="prose">
        {said(text('answerRegression', { rows: metrics.rows }), 'rmse', 'comma')}
        {said(text('answerR2'), 'r2', 'fullStop')}
      </p>
    );
  return (
    <p className="prose">
      {said(text('answerClassification', { rows: metrics.rows }), 'accuracy', 'comma')}
      {said(text('answerMacro'), 'macro_f1', 'fullStop')}
      {weakest !== undefined && said(text('answerWeakest', { label: plain(weakest) }), `f1/${weakest}`, 'fullStop')}
    </p>
  );
}

function weakestLabel(metrics: Readonly<Record<string, number>>): string | undefined {
  const scores = Object.entries(metrics).filter(([name]) => name.startsWith('f1/'));
  if (scores.length < 2) return undefined;
  return scores.reduce((least, one) => (one[1] < least[1] ? one : least))[0].slice('f1/'.length);
}

function Numbers({ loaded: { metrics, evidence }, provenance, open, onOpen }: Props) {
  const { text } = useTexts();
  const main = Object.keys(metrics.evidence).filter((name) => !name.includes('/'));
  const drawn = main.filter((name) => SHARES.has(name) && metrics.metrics[name] !== undefined);
  return (
    <section>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{text('metric')}</th>
            <th scope="col">{text('valueInterval')}</th>
          </tr>
        </thead>
        <tbody>
          {main.map((name) => (
            <tr key={name}>
              <th scope="row" className="mono">
                {name}
              </th>
              <td>
                <EvidenceChip
                  record={evidence.get(name)}
                  digits={name === 'rows' ? 0 : undefined}
                  open={open === name}
                  onOpen={() => onOpen(name)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {drawn.length > 0 && (
        <Figure
          title={text('intervals')}
          provenance={provenance}
          table={{
            header: ['metric', 'value', 'low', 'high'],
            rows: drawn.map((name) => [name, metrics.metrics[name]!, ...(metrics.intervals[name] ?? [null, null])]),
          }}
        >
          <IntervalPlot
            label={text('intervals')}
            numbers={drawn.map((name) => ({ name, value: metrics.metrics[name]!, interval: metrics.intervals[name] }))}
          />
        </Figure>
      )}
    </section>
  );
}

/** Labels that have a value of their own, with their rows; the most frequent first. */
function labelsOf({ metrics, manifest }: LoadedReport): readonly LabelRow[] {
  const known = metrics.labels ?? (manifest.labels ?? []).map(({ label }) => label);
  return known
    .map((label, at) => ({ label, support: metrics.confusion?.[at]?.reduce((sum, count) => sum + count, 0) ?? 0 }))
    .filter(({ label }) => metrics.evidence[`recall/${label}`] !== undefined)
    .sort((a, b) => b.support - a.support);
}
