import type { Evidence } from '@assay/contracts';
import { useEffect, useRef } from 'react';
import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { decimal, lastPart, plain } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import type { Provenance } from './export/provenance.ts';
import { Recompute } from './recompute.tsx';
import { SourceRows } from './source-rows.tsx';

const directions: Readonly<Record<NonNullable<Evidence['direction']>, TextKey>> = {
  higher: 'higher',
  lower: 'lower',
  none: 'noDirection',
};

interface Props {
  readonly evidence: Evidence;
  /** Its place among the numbers, from 1. */
  readonly at: number;
  readonly total: number;
  readonly provenance: Provenance;
  readonly onStep: (by: 1 | -1) => void;
  readonly onClose: () => void;
}

/** What proves one number: value, recomputation, recipe, rows, files, boundary. Escape closes it. */
export function EvidencePanel({ evidence, at, total, provenance, onStep, onClose }: Props) {
  const { text } = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: false }), [evidence.id]);
  return (
    <div
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className="section">
        <div className="row">
          <Icon name="evidence" />
          <h2 ref={heading} tabIndex={-1}>
            {text('evidence')}
          </h2>
          <span className="meta grow">{text('evidenceOf', { at, total })}</span>
          <button
            type="button"
            className="button small"
            aria-label={text('previousNumber')}
            disabled={at <= 1}
            onClick={() => onStep(-1)}
          >
            ↑
          </button>
          <button
            type="button"
            className="button small"
            aria-label={text('nextNumber')}
            disabled={at >= total}
            onClick={() => onStep(1)}
          >
            ↓
          </button>
          <button type="button" className="button small" aria-label={text('close')} onClick={onClose}>
            <Icon name="close" small />
          </button>
        </div>
        <Value evidence={evidence} />
        <p className="dim">{plain(evidence.statement)}</p>
      </div>
      <Recompute key={`recompute ${evidence.id}`} evidence={evidence} />
      <Recipe evidence={evidence} />
      <SourceRows key={`rows ${evidence.id}`} evidence={evidence} provenance={provenance} />
      <Files evidence={evidence} />
      <Boundary evidence={evidence} />
    </div>
  );
}

function Value({ evidence: { metric, value, ci, direction } }: Pick<Props, 'evidence'>) {
  const { text } = useTexts();
  const digits = Number.isInteger(value) && ci === undefined ? 0 : 4;
  const about = [
    ci === undefined ? undefined : text('interval'),
    direction === undefined ? undefined : text(directions[direction]),
  ];
  return (
    <>
      <p className="label mono">{plain(metric)}</p>
      <p className="row wrap" style={{ alignItems: 'baseline' }}>
        <span className="big-number">{decimal(value, digits)}</span>
        <span>
          {ci !== undefined && (
            <span className="number">
              [{decimal(ci.low)}, {decimal(ci.high)}]
            </span>
          )}
          <span className="meta" style={{ display: 'block' }}>
            {about.filter((part) => part !== undefined).join(text('comma'))}
          </span>
        </span>
      </p>
    </>
  );
}

function Recipe({ evidence: { recipe, ci } }: Pick<Props, 'evidence'>) {
  const { text } = useTexts();
  const constants = Object.entries(recipe.parameters).filter(([, value]) => typeof value !== 'object');
  return (
    <div className="section">
      <div className="row">
        <h3 className="grow">{text('recipe')}</h3>
        <span className="mono">{`${recipe.name} v${recipe.version}`}</span>
      </div>
      {ci !== undefined && <p className="dim">{ci.method}</p>}
      <p className="meta">
        {text('parameters')}{' '}
        <span className="mono">{constants.map(([name, value]) => `${name} ${plain(String(value))}`).join(', ')}</span>
      </p>
    </div>
  );
}

function Files({ evidence: { sources } }: Pick<Props, 'evidence'>) {
  const { text } = useTexts();
  return (
    <div className="section">
      <h3>{text('sources')}</h3>
      <ul>
        {sources.map(({ file, sha256 }) => (
          <li key={file + sha256} className="row" title={plain(file)}>
            <span className="mono truncate grow">{plain(lastPart(file))}</span>
            <span className="hash" title={text('wholeHash', { hash: sha256 })}>
              {`${sha256.slice(0, 8)}…${sha256.slice(-4)}`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Boundary({ evidence: { sandbox, commit, computedAt } }: Pick<Props, 'evidence'>) {
  const { text } = useTexts();
  return (
    <dl className="section facts">
      <dt>{text('boundary')}</dt>
      <dd>
        {sandbox === undefined
          ? text('boundaryNone')
          : `${sandbox.backend} ${sandbox.version}${text('comma')}${text('network', { network: sandbox.network })}`}
      </dd>
      {sandbox !== undefined && (
        <>
          <dt>{text('seccomp')}</dt>
          <dd>{text(sandbox.seccomp ? 'yes' : 'no')}</dd>
          <dt>{text('limits')}</dt>
          <dd className="mono">{sandbox.limits}</dd>
          {(sandbox.allowedHosts?.length ?? 0) > 0 && (
            <>
              <dt>{text('allowedHosts')}</dt>
              <dd className="mono">{sandbox.allowedHosts!.map(plain).join(', ')}</dd>
            </>
          )}
        </>
      )}
      {commit !== undefined && (
        <>
          <dt>{text('commit')}</dt>
          <dd className="hash" title={commit}>
            {commit.slice(0, 12)}
          </dd>
        </>
      )}
      <dt>{text('computedAt')}</dt>
      <dd>{computedAt.slice(0, 19).replace('T', ' ')}</dd>
    </dl>
  );
}
