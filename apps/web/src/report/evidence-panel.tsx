import type { Evidence, Verification } from '@assay/contracts';
import { useState } from 'react';
import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { useClient } from '../stream/live.tsx';
import { decimal, lastPart } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-answer.ts';

const reasons: Readonly<Record<Verification['mismatches'][number]['reason'], TextKey>> = {
  mismatch: 'reasonMismatch',
  source_changed: 'reasonSourceChanged',
  source_missing: 'reasonSourceMissing',
};

const directions: Readonly<Record<NonNullable<Evidence['direction']>, TextKey>> = {
  higher: 'higher',
  lower: 'lower',
  none: 'noDirection',
};

interface Props {
  readonly evidence: Evidence;
  readonly onClose: () => void;
}

/** What proves one number: value, recomputation, recipe, files, boundary. */
export function EvidencePanel({ evidence, onClose }: Props) {
  const { text } = useTexts();
  const client = useClient();
  const [verified, setVerified] = useState<{ readonly result: Verification; readonly ms: number }>();
  const recompute = useAction(async () => {
    const began = performance.now();
    const result = await client.verifyEvidence({ quest: evidence.quest, evidence: evidence.id });
    setVerified({ result, ms: performance.now() - began });
  });
  const { ci, sandbox } = evidence;
  return (
    <>
      <div className="section">
        <div className="row">
          <Icon name="evidence" />
          <h2 className="grow">{text('evidence')}</h2>
          <button type="button" className="button small" aria-label={text('close')} onClick={onClose}>
            <Icon name="close" small />
          </button>
        </div>
        <p className="label mono">{evidence.metric}</p>
        <p className="row" style={{ alignItems: 'baseline', flexWrap: 'wrap' }}>
          <span className="big-number">{decimal(evidence.value)}</span>
          <span>
            {ci !== undefined && (
              <span className="number">
                [{decimal(ci.low)}, {decimal(ci.high)}]
              </span>
            )}
            <span className="meta" style={{ display: 'block' }}>
              {[
                ci === undefined ? undefined : text('interval'),
                evidence.direction === undefined ? undefined : text(directions[evidence.direction]),
              ]
                .filter((part) => part !== undefined)
                .join(', ')}
            </span>
          </span>
        </p>
        <p className="dim">{evidence.statement}</p>
      </div>
      <div className="section">
        {verified !== undefined && <Recomputed claimed={evidence.value} {...verified} />}
        {recompute.error !== undefined && <ErrorNotice error={recompute.error} />}
        <div>
          <button type="button" className="button small" disabled={recompute.running} onClick={() => recompute.run()}>
            <Icon name="again" small spin={recompute.running} />
            {text(recompute.running ? 'verifying' : 'recompute')}
          </button>
        </div>
      </div>
      <div className="section">
        <h3>{text('recipe')}</h3>
        <p className="mono">{`${evidence.recipe.name} v${evidence.recipe.version}`}</p>
        {ci !== undefined && <p className="dim">{ci.method}</p>}
      </div>
      <div className="section">
        <h3>{text('sources')}</h3>
        <ul>
          {evidence.sources.map((source) => (
            <li key={source.file + source.sha256} className="row" title={source.file}>
              <span className="mono truncate grow">{lastPart(source.file)}</span>
              <span className="hash">{`${source.sha256.slice(0, 8)}…${source.sha256.slice(-4)}`}</span>
            </li>
          ))}
        </ul>
      </div>
      <dl className="section facts">
        <dt>{text('boundary')}</dt>
        <dd>
          {sandbox === undefined
            ? text('boundaryNone')
            : `${sandbox.backend} ${sandbox.version}, ${text('network', { network: sandbox.network })}`}
        </dd>
        {evidence.commit !== undefined && (
          <>
            <dt>{text('commit')}</dt>
            <dd className="hash">{evidence.commit.slice(0, 12)}</dd>
          </>
        )}
        <dt>{text('computedAt')}</dt>
        <dd>{evidence.computedAt.slice(0, 19).replace('T', ' ')}</dd>
      </dl>
    </>
  );
}

interface RecomputedProps {
  readonly claimed: number;
  readonly result: Verification;
  readonly ms: number;
}

function Recomputed({ claimed, result, ms }: RecomputedProps) {
  const { text } = useTexts();
  const wrong = result.mismatches[0];
  return (
    <div className={`notice ${wrong === undefined ? 'tone-done' : 'tone-failed'}`} role="status">
      <Icon name={wrong === undefined ? 'done' : 'failed'} />
      <div className="grow">
        <p className="row">
          <b className="grow">{text(wrong === undefined ? 'recomputedEqual' : 'recomputedOther')}</b>
          <span className="meta">{Math.round(ms)} ms</span>
        </p>
        {wrong !== undefined && <p>{text(reasons[wrong.reason])}</p>}
        <dl className="facts">
          <dt>{text('inReport')}</dt>
          <dd className="mono">{wrong?.claimed ?? claimed}</dd>
          <dt>{text('fromRows')}</dt>
          <dd className="mono">{wrong === undefined ? claimed : (wrong.recomputed ?? '–')}</dd>
        </dl>
      </div>
    </div>
  );
}
