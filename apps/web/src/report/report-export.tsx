import { useTexts } from '../i18n/texts.tsx';
import { csvOf } from './export/csv.ts';
import { markdownOf } from './export/markdown.ts';
import { download, fileName, type Provenance } from './export/provenance.ts';
import type { LoadedReport } from './load-report.ts';

/** The whole report as a file. The PDF is the browser's own print, with the page's print style. */
export function ReportExport({
  loaded,
  provenance,
}: {
  readonly loaded: LoadedReport;
  readonly provenance: Provenance;
}) {
  const { text } = useTexts();
  const save = (what: string, extension: string, content: string, type: string) =>
    download(fileName(provenance, what, extension), new Blob([content], { type }));
  const numbers = () =>
    csvOf(
      ['metric', 'value', 'low', 'high', 'level', 'direction', 'recipe', 'evidence'],
      [...loaded.evidence.values()].map(({ metric, value, ci, direction, recipe, id }) => [
        metric,
        value,
        ci?.low ?? null,
        ci?.high ?? null,
        ci?.level ?? null,
        direction ?? null,
        `${recipe.name}@${recipe.version}`,
        id,
      ]),
      provenance,
    );
  const print = () => {
    const { title } = document;
    document.title = fileName(provenance, 'report', 'pdf').replace(/\.pdf$/, ''); // browsers name the file after it
    window.print();
    document.title = title;
  };
  return (
    <span className="row wrap no-print" role="group" aria-label={text('exportReport')}>
      <button
        type="button"
        className="button small"
        onClick={() => save('report', 'md', markdownOf(loaded, provenance), 'text/markdown')}
      >
        {text('exportMarkdown')}
      </button>
      <button type="button" className="button small" onClick={print}>
        {text('exportPdf')}
      </button>
      <button type="button" className="button small" onClick={() => save('numbers', 'csv', numbers(), 'text/csv')}>
        {text('exportNumbers')}
      </button>
    </span>
  );
}
