import type { Evidence, Verification } from '@assay/contracts';
import { useEffect, useRef, useState } from 'react';
import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { useClient } from '../stream/live.tsx';
import { lastPart } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-answer.ts';
import { useNow } from '../use-now.ts';

export const mismatchTexts: Readonly<Record<Verification['mismatches'][number]['reason'], TextKey>> = {
  mismatch: 'reasonMismatch',
  source_changed: 'reasonSourceChanged',
  source_missing: 'reasonSourceMissing',
};

interface Verified {
  readonly result: Verification;
  readonly ms: number;
}

/** Recomputes one number before one's eyes: what is done and since when, then both values. */
export function Recompute({ evidence }: { readonly evidence: Evidence }) {
  const { text } = useTexts();
  const client = useClient();
  const stop = useRef<AbortController>(undefined);
  const [verified, setVerified] = useState<Verified>();
  useEffect(() => () => stop.current?.abort(), []);
  const recompute = useAction(async () => {
    const own = new AbortController();
    stop.current = own;
    setVerified(undefined);
    const began = performance.now();
    try {
      const of = { quest: evidence.quest, evidence: evidence.id };
      const result = await client.verifyEvidence(of, { signal: own.signal });
      setVerified({ result, ms: performance.now() - began });
    } catch (error) {
      if (!own.signal.aborted) throw error;
    }
  });
  return (
    <div className="section">
      {recompute.running && <Running />}
      {verified !== undefined && <Recomputed claimed={evidence.value} {...verified} />}
      {recompute.error !== undefined && <ErrorNotice error={recompute.error} />}
      <div className="row wrap no-print">
        <button type="button" className="button small" disabled={recompute.running} onClick={() => recompute.run()}>
          <Icon name="again" small spin={recompute.running} />
          {text(recompute.running ? 'verifying' : 'recompute')}
        </button>
        {recompute.running && (
          <button type="button" className="button small" onClick={() => stop.current?.abort()}>
            {text('stop')}
          </button>
        )}
        <CopyReference evidence={evidence} />
      </div>
    </div>
  );
}

function Running() {
  const { text } = useTexts();
  const [began] = useState(Date.now);
  const seconds = Math.max(0, (useNow(100) - began) / 1000);
  return (
    <div className="notice tone-running" role="status">
      <Icon name="running" spin />
      <div className="grow">
        <p className="row">
          <b className="grow">{text('verifying')}</b>
          <span className="meta">{text('secondsSoFar', { seconds: seconds.toFixed(1) })}</span>
        </p>
        <p>{text('recomputeSteps')}</p>
      </div>
    </div>
  );
}

function Recomputed({ claimed, result, ms }: Verified & { readonly claimed: number }) {
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
        {wrong !== undefined && <p>{text(mismatchTexts[wrong.reason])}</p>}
        {wrong !== undefined && <p className="meta">{text('reasonOf', { file: lastPart(wrong.source) })}</p>}
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

function CopyReference({ evidence }: { readonly evidence: Evidence }) {
  const { text } = useTexts();
  const copy = useAction(() =>
    navigator.clipboard.writeText(`${evidence.statement}: ${evidence.value} (${evidence.id})`),
  );
  const [done, setDone] = useState(false);
  return (
    <>
      <button
        type="button"
        className="button small"
        onClick={() => {
          copy.run();
          setDone(true);
        }}
      >
        {text(done && copy.error === undefined ? 'copied' : 'copyReference')}
      </button>
      {copy.error !== undefined && <ErrorNotice error={copy.error} />}
    </>
  );
}
