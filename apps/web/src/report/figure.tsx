import { useRef, type ReactNode } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-answer.ts';
import { csvOf, type Cell } from './export/csv.ts';
import { pngFile, svgFile } from './export/figure-file.ts';
import { download, fileName, type Provenance } from './export/provenance.ts';

export interface FigureTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

interface Props {
  readonly title: string;
  readonly provenance: Provenance;
  /** The numbers of the figure, behind it and as a file. */
  readonly table: FigureTable;
  /** Holds one drawing. */
  readonly children: ReactNode;
}

/** A drawing with its title and its files: the picture as SVG and PNG, the numbers as CSV. */
export function Figure({ title, provenance, table, children }: Props) {
  const { text } = useTexts();
  const holder = useRef<HTMLDivElement>(null);
  const save = useAction(async (format: 'SVG' | 'PNG' | 'CSV') => {
    const name = fileName(provenance, title, format.toLowerCase());
    if (format === 'CSV')
      return download(name, new Blob([csvOf(table.header, table.rows, provenance)], { type: 'text/csv' }));
    const svg = svgFile(holder.current!.querySelector<SVGSVGElement>('svg.figure')!, title, provenance);
    download(name, format === 'SVG' ? new Blob([svg], { type: 'image/svg+xml' }) : await pngFile(svg));
  });
  return (
    <figure className="figure-frame">
      <figcaption className="row">
        <h2 className="grow">{title}</h2>
        <span className="row no-print">
          {(['SVG', 'PNG', 'CSV'] as const).map((format) => (
            <button
              key={format}
              type="button"
              className="text-button"
              lang="en"
              disabled={save.running}
              aria-label={text('exportFigureAs', { format })}
              onClick={() => save.run(format)}
            >
              {format}
            </button>
          ))}
        </span>
      </figcaption>
      {save.error !== undefined && <ErrorNotice error={save.error} />}
      <div ref={holder} className="figure-body" tabIndex={0} role="group" aria-label={title}>
        {children}
      </div>
    </figure>
  );
}
