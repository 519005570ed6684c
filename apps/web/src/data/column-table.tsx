import type { ColumnPreview, DataPreview } from '@assay/contracts';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { plain } from '../ui/format.ts';
import { whole } from './amounts.ts';
import { Distribution } from './distribution.tsx';
import { changeDraft, useDraft } from './draft.ts';

const MOST_SHOWN = 200;

/** Every column with its values; here target and inputs are chosen. */
export function ColumnTable({ preview }: { readonly preview: DataPreview }) {
  const { text } = useTexts();
  const [wanted, setWanted] = useState('');
  const { columns } = preview;
  const found = columns.flatMap((column, position) =>
    column.name.toLowerCase().includes(wanted.toLowerCase()) ? [{ column, position }] : [],
  );
  const shown = found.slice(0, MOST_SHOWN);
  return (
    <section className="data-columns">
      <div className="row">
        <h2 className="grow">
          {text('columns')} <span className="count">{whole(columns.length)}</span>
        </h2>
        {columns.length > 12 && (
          <input
            className="find"
            type="search"
            value={wanted}
            placeholder={text('filterColumns')}
            aria-label={text('filterColumns')}
            onChange={(event) => setWanted(event.target.value)}
          />
        )}
      </div>
      <table className="table column-table">
        <thead>
          <tr>
            <th>{text('column')}</th>
            <th>{text('distribution')}</th>
            <th className="right">{text('missing')}</th>
            <th className="right">{text('different')}</th>
            <th className="center">{text('asInput')}</th>
            <th className="center">{text('asTarget')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ column, position }) => (
            <ColumnRow key={position} column={column} position={position} preview={preview} />
          ))}
        </tbody>
      </table>
      {found.length > shown.length && (
        <p className="meta">{text('moreColumns', { count: whole(found.length - shown.length) })}</p>
      )}
    </section>
  );
}

function ColumnRow({
  column,
  position,
  preview,
}: {
  readonly column: ColumnPreview;
  readonly position: number;
  readonly preview: DataPreview;
}) {
  const { text } = useTexts();
  const draft = useDraft();
  const { manifest } = preview;
  const { inferredType, distinct, distinctExact } = manifest.columns[position]!;
  const name = plain(column.name);
  const inputs = draft.inputs ?? manifest.inputColumns;
  const target = draft.target === '' ? manifest.targetColumn : draft.target;
  const isTarget = target === column.name;
  const refusal = 'refusal' in column.asTarget ? column.asTarget.refusal : undefined;
  const choose = () => chooseTarget(column.name, draft.inputs);
  return (
    <tr className={isTarget ? 'is-target' : undefined}>
      <td className="column-name">
        <b className="truncate" title={name}>
          {name}
        </b>
        <span className="meta">{text(`type_${inferredType}`)}</span>
      </td>
      <td className="column-values">
        <Distribution of={column.distribution} />
      </td>
      <td className="right nowrap">
        <span className="only-narrow meta">{text('missing')} </span>
        {column.missing === 0 ? (
          <span className="faint">0</span>
        ) : (
          <Missing count={column.missing} of={manifest.rowCount} />
        )}
      </td>
      <td className="right nowrap">
        <span className="only-narrow meta">{text('different')} </span>
        {distinctExact ? whole(distinct) : text('atLeast', { count: whole(distinct) })}
      </td>
      <td className="center">
        <label className="pick">
          <input
            type="checkbox"
            checked={!isTarget && inputs.includes(column.name)}
            disabled={isTarget}
            aria-label={text('useAsInput', { column: name })}
            onChange={(event) => chooseInput({ name: column.name, use: event.target.checked }, inputs, preview)}
          />
          <span className="only-narrow">{text('asInput')}</span>
        </label>
      </td>
      <td className="center">
        <label className="pick" title={refusal}>
          <input
            type="radio"
            name="target"
            checked={isTarget}
            disabled={refusal !== undefined}
            aria-label={text('useAsTarget', { column: name })}
            onChange={choose}
            onClick={choose} // the guess is confirmed by choosing it once more
          />
          <span className="only-narrow">{text('asTarget')}</span>
        </label>
      </td>
    </tr>
  );
}

function Missing({ count, of }: { readonly count: number; readonly of: number }) {
  return (
    <>
      {whole(count)} <span className="faint">{((100 * count) / of).toFixed(1)}&thinsp;%</span>
    </>
  );
}

/** The kind of task and the inputs follow the new target, unless the inputs were chosen. */
export function chooseTarget(name: string, inputs: readonly string[] | null): void {
  changeDraft({ target: name, task: '', inputs: inputs === null ? null : inputs.filter((other) => other !== name) });
}

function chooseInput(
  { name, use }: { readonly name: string; readonly use: boolean },
  inputs: readonly string[],
  { columns }: DataPreview,
): void {
  const chosen = new Set(inputs);
  if (use) chosen.add(name);
  else chosen.delete(name);
  if (chosen.size === 0) return; // something must be there to predict from
  changeDraft({ inputs: columns.map((column) => column.name).filter((column) => chosen.has(column)) });
}
