import type { DataPreview } from '@assay/contracts';
import { Link } from 'wouter';
import { useTexts } from '../i18n/texts.tsx';
import { lastPart, plain } from '../ui/format.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import { bytes, whole } from './amounts.ts';
import { Choices } from './choices.tsx';
import { ColumnTable } from './column-table.tsx';
import { hasFile, useDraft, type Draft } from './draft.ts';
import { DropZone, FileChips } from './drop-zone.tsx';
import { StartBar } from './start-bar.tsx';
import { useStart } from './start-plan.ts';
import { usePreview } from './use-preview.ts';

/** The data of the draft before anything runs: what is in it, and what is to be done with it. */
export function DataScreen() {
  const { text } = useTexts();
  const draft = useDraft();
  const previewed = usePreview();
  const start = useStart(previewed);
  const { preview, error, reading } = previewed;
  return (
    <DropZone className="data-screen">
      <header className="head">
        <div className="row">
          <h1 className="truncate">{nameOf(draft, text('data'))}</h1>
          <span className="grow" />
          <Link href="/" className="nowrap">
            {text('backToStart')}
          </Link>
        </div>
        {preview !== undefined && <Facts preview={preview} />}
        <FileChips />
        {error !== undefined && <ErrorNotice error={error} />}
      </header>
      {preview !== undefined ? (
        <div className="split">
          <div className="data-main" aria-busy={reading}>
            <ColumnTable preview={preview} />
            <FirstRows preview={preview} />
          </div>
          <aside className="pane data-choices">
            <Choices preview={preview} />
            <div className="section sticky-end">
              <StartBar start={start} />
            </div>
          </aside>
        </div>
      ) : (
        <div className="empty">
          {hasFile(draft) && error === undefined ? (
            <p className="dim" role="status">
              {text('reading')}
            </p>
          ) : (
            <>
              <h2>{text('noData')}</h2>
              <p className="dim">{text('noDataHelp')}</p>
            </>
          )}
        </div>
      )}
    </DropZone>
  );
}

function nameOf({ file }: Draft, otherwise: string): string {
  if (file.kind === 'upload') return file.name;
  return file.path.trim() === '' ? otherwise : plain(lastPart(file.path.trim()));
}

function Facts({ preview: { manifest } }: { readonly preview: DataPreview }) {
  const { text } = useTexts();
  return (
    <div className="meters meta">
      <span>{text('rowsColumns', { rows: whole(manifest.rowCount), columns: whole(manifest.columns.length) })}</span>
      <span>{bytes(manifest.size)}</span>
      <span>
        {manifest.format.toUpperCase()} · {manifest.encoding}
        {manifest.compression === undefined ? '' : ` · ${manifest.compression}`}
      </span>
      <span className="hash" title={manifest.sha256}>
        SHA-256 {manifest.sha256.slice(0, 12)}…
      </span>
    </div>
  );
}

const MOST_COLUMNS = 60;

function isNumber({ columns }: DataPreview['manifest'], at: number): boolean {
  return ['integer', 'number'].includes(columns[at]?.inferredType ?? '');
}

function FirstRows({ preview }: { readonly preview: DataPreview }) {
  const { text } = useTexts();
  const { rows, columns, manifest } = preview;
  const shown = columns.slice(0, MOST_COLUMNS);
  return (
    <section className="first-rows">
      <h2>{text('firstRows')}</h2>
      <div className="wide-table" tabIndex={0} role="region" aria-label={text('firstRows')}>
        <table className="table cells">
          <thead>
            <tr>
              {shown.map(({ name }, at) => (
                <th
                  key={at}
                  scope="col"
                  className={`${isNumber(manifest, at) ? 'right' : ''}${name === manifest.targetColumn ? ' is-target' : ''}`}
                >
                  {plain(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              <tr key={row}>
                {shown.map(({ name }, at) => (
                  <td
                    key={at}
                    className={`${isNumber(manifest, at) ? 'right' : ''}${name === manifest.targetColumn ? ' is-target' : ''}`}
                  >
                    {cells[at] === null || cells[at] === undefined ? (
                      <span className="faint">–</span>
                    ) : (
                      <span className="cell">{plain(String(cells[at]))}</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
