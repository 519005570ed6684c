import type { Plan } from '@assay/contracts';
import { useState } from 'react';
import { titleOf } from '../home/home-screen.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { useClient } from '../stream/live.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAnswer } from '../use-answer.ts';
import { EvidencePanel } from './evidence-panel.tsx';
import type { Provenance } from './export/provenance.ts';
import { loadReport, type LoadedReport } from './load-report.ts';
import { Report } from './report.tsx';

/** The result of a benchmark; every number opens what proves it. */
export function ReportView({ plan }: { readonly plan: Plan }) {
  const { text } = useTexts();
  const client = useClient();
  const isDone = plan.status === 'completed';
  const { answer, error } = useAnswer(
    async (signal) => (isDone ? loadReport(client, plan, signal) : undefined),
    [client, plan.id, isDone],
  );
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
  return <LoadedView plan={plan} loaded={answer} />;
}

function LoadedView({ plan, loaded }: { readonly plan: Plan; readonly loaded: LoadedReport }) {
  const { text } = useTexts();
  const [open, setOpen] = useState<string>();
  const [verified, setVerified] = useState(loaded.result.verified);
  const records = [...loaded.evidence.values()];
  const date = `${(records[0]?.computedAt ?? plan.updatedAt).slice(0, 16).replace('T', ' ')} UTC`;
  const about = { plan: plan.id, date, ...verified };
  const provenance: Provenance = { title: titleOf(plan), ...about, sentence: text('provenance', about) };
  const at = records.findIndex(({ metric }) => metric === open);
  const shown = records[at];
  return (
    <div className={shown === undefined ? 'scroll' : 'split'}>
      <div className="scroll">
        <Report
          plan={plan}
          loaded={loaded}
          provenance={provenance}
          onVerified={setVerified}
          open={open}
          onOpen={(metric) => setOpen(metric === open ? undefined : metric)}
        />
      </div>
      {shown !== undefined && (
        <aside className="pane evidence-pane" aria-label={text('evidence')}>
          <EvidencePanel
            evidence={shown}
            at={at + 1}
            total={records.length}
            provenance={provenance}
            onStep={(by) => setOpen(records[at + by]?.metric)}
            onClose={() => setOpen(undefined)}
          />
        </aside>
      )}
    </div>
  );
}
