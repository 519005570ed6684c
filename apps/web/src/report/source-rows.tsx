import type { Evidence, EvidenceRows } from '@assay/contracts';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { useClient } from '../stream/live.tsx';
import { decimal, lastPart, plain } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction, useAnswer } from '../use-answer.ts';
import { csvOf, type Cell } from './export/csv.ts';
import { download, fileName, type Provenance } from './export/provenance.ts';
import { mismatchTexts } from './recompute.tsx';

const PAGE = 20;
const EXPORT_PAGE = 1000;
const MOST_EXPORTED = 20_000;

interface Props {
  readonly evidence: Evidence;
  readonly provenance: Provenance;
}

/** The rows that a number was computed from, read again from its files, a page at a time. */
export function SourceRows({ evidence, provenance }: Props) {
  const { text } = useTexts();
  const client = useClient();
  const [offset, setOffset] = useState(0);
  const [wrongOnly, setWrongOnly] = useState(false);
  const [byError, setByError] = useState(false);
  const query = {
    only: wrongOnly ? ('wrong' as const) : ('all' as const),
    order: byError ? ('error' as const) : ('file' as const),
  };
  const of = { quest: evidence.quest, evidence: evidence.id };
  const { answer, error } = useAnswer(
    (signal) => client.evidenceRows({ ...of, query: { ...query, offset, limit: PAGE } }, { signal }),
    [client, evidence.id, offset, wrongOnly, byError],
  );
  const choose = (set: (value: boolean) => void, value: boolean) => {
    set(value);
    setOffset(0);
  };
  return (
    <div className="section">
      <div className="row wrap">
        <h3 className="grow">{text('rowsBehind')}</h3>
        {answer?.wrong !== null && answer !== undefined && answer.wrong > 0 && answer.wrong < answer.total && (
          <Segments
            names={[text('rowsAll', { count: answer.total }), text('rowsWrong', { count: answer.wrong })]}
            second={wrongOnly}
            onChoose={(value) => choose(setWrongOnly, value)}
          />
        )}
        {answer?.task === 'regression' && (
          <Segments
            names={[text('rowsByFile'), text('rowsByError')]}
            second={byError}
            onChoose={(value) => choose(setByError, value)}
          />
        )}
      </div>
      {error !== undefined && <ErrorNotice error={error} />}
      {answer === undefined && error === undefined && <p className="meta">{text('rowsReading')}</p>}
      {answer !== undefined && (
        <>
          {answer.problem !== null && (
            <div className="notice tone-failed" role="alert">
              <Icon name="failed" />
              <div>
                <p>{text('rowsDoubt')}</p>
                <p>{text(mismatchTexts[answer.problem])}</p>
                <p>{text('reasonOf', { file: lastPart(answer.source) })}</p>
              </div>
            </div>
          )}
          <RowsTable answer={answer} />
          <Pager answer={answer} onTurn={setOffset} />
          {answer.moreInputs > 0 && <p className="meta">{text('rowsMoreColumns', { count: answer.moreInputs })}</p>}
          <RowsExport {...{ evidence, provenance, query }} total={answer.matched} />
        </>
      )}
    </div>
  );
}

interface SegmentsProps {
  readonly names: readonly [string, string];
  readonly second: boolean;
  readonly onChoose: (second: boolean) => void;
}

function Segments({ names, second, onChoose }: SegmentsProps) {
  return (
    <span className="segments" role="group">
      {names.map((name, at) => (
        <button key={name} type="button" aria-pressed={second === (at === 1)} onClick={() => onChoose(at === 1)}>
          {name}
        </button>
      ))}
    </span>
  );
}

function RowsTable({ answer }: { readonly answer: EvidenceRows }) {
  const { text } = useTexts();
  if (answer.rows.length === 0) return <p className="meta">{text('rowsNone')}</p>;
  const isRegression = answer.task === 'regression';
  const sides = answer.rows[0]!.predictions.length;
  const heads = sides === 1 ? [text('rowPrediction')] : [text('rowFirst'), text('rowSecond')];
  return (
    <div className="wide-table" tabIndex={0} role="region" aria-label={text('rowsBehind')}>
      <table className="table compact rows">
        <thead>
          <tr>
            <th scope="col" title={text('rowsCountFromZero')}>
              {text('rowNumber')}
            </th>
            <th scope="col">{text(isRegression ? 'rowActual' : 'rowLabel')}</th>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            {isRegression && sides === 1 && <th scope="col">{text('rowError')}</th>}
            {answer.inputs.map((name) => (
              <th key={name} scope="col" className="data-name">
                {plain(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {answer.rows.map(({ row, target, predictions, inputs }) => (
            <tr key={row}>
              <td className="faint">{row}</td>
              <td>{shown(target)}</td>
              {predictions.map((prediction, side) => (
                <td key={side} className={!isRegression && prediction !== target ? 'wrong' : undefined}>
                  {!isRegression && prediction !== target && (
                    <>
                      <Icon name="close" small />
                      <span className="visually-hidden">{text('wrongAnswer')} </span>
                    </>
                  )}
                  {shown(prediction)}
                </td>
              ))}
              {isRegression && sides === 1 && <td>{signed(Number(predictions[0]) - Number(target))}</td>}
              {inputs.map((cell, at) => (
                <td key={at} className="dim">
                  {cell === null ? '–' : plain(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function shown(answer: string | number): string {
  return typeof answer === 'number' ? String(Number(answer.toPrecision(6))).replace('-', '−') : plain(answer);
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${decimal(value, 2)}`;
}

function Pager({ answer, onTurn }: { readonly answer: EvidenceRows; readonly onTurn: (offset: number) => void }) {
  const { text } = useTexts();
  const { offset, matched, rows } = answer;
  if (rows.length === 0) return null;
  return (
    <div className="row">
      <span className="meta grow">
        {text('rowsRange', { from: offset + 1, to: offset + rows.length, total: matched })}
      </span>
      <button
        type="button"
        className="button small"
        aria-label={text('previousPage')}
        disabled={offset === 0}
        onClick={() => onTurn(Math.max(0, offset - PAGE))}
      >
        ←
      </button>
      <button
        type="button"
        className="button small"
        aria-label={text('nextPage')}
        disabled={offset + rows.length >= matched}
        onClick={() => onTurn(offset + PAGE)}
      >
        →
      </button>
    </div>
  );
}

interface ExportProps extends Props {
  readonly query: { readonly only: 'all' | 'wrong'; readonly order: 'file' | 'error' };
  readonly total: number;
}

function RowsExport({ evidence, provenance, query, total }: ExportProps) {
  const { text } = useTexts();
  const client = useClient();
  const save = useAction(async () => {
    let header: string[] = [];
    const rows: Cell[][] = [];
    const of = { quest: evidence.quest, evidence: evidence.id };
    for (let offset = 0; offset < Math.min(total, MOST_EXPORTED); offset += EXPORT_PAGE) {
      const page = await client.evidenceRows({ ...of, query: { ...query, offset, limit: EXPORT_PAGE } });
      const sides = page.rows[0]?.predictions.length === 2 ? ['first', 'second'] : ['prediction'];
      header = ['row', page.target ?? 'label', ...sides, ...page.inputs];
      rows.push(...page.rows.map(({ row, target, predictions, inputs }) => [row, target, ...predictions, ...inputs]));
    }
    download(
      fileName(provenance, `${evidence.metric}-rows`, 'csv'),
      new Blob([csvOf(header, rows, provenance)], { type: 'text/csv' }),
    );
  });
  if (total === 0) return null;
  return (
    <div className="no-print">
      <button type="button" className="button small" disabled={save.running} onClick={() => save.run()}>
        {text('exportRows')}
      </button>
      {total > MOST_EXPORTED && <p className="meta">{text('exportRowsCut', { count: MOST_EXPORTED, total })}</p>}
      {save.error !== undefined && <ErrorNotice error={save.error} />}
    </div>
  );
}
