import type { LogStream } from '@assay/contracts';
import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { useClient, useTopic } from '../stream/live.tsx';
import { bytesText, countText } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-answer.ts';
import { ansiText } from './ansi.ts';
import { LogRow } from './log-row.tsx';
import { RowPages } from './row-pages.ts';
import { saveAs } from './save-as.ts';
import { useLogSearch } from './use-log-search.ts';
import { VirtualRows } from './virtual-rows.tsx';

interface Props {
  readonly quest: string;
  readonly session: string;
  readonly stream: LogStream;
}

/** What a command printed, live: any length of it, with search, following, copy and download. */
export function SessionLog({ quest, session, stream }: Props) {
  const { text, language } = useTexts();
  const client = useClient();
  const live = useTopic(`session:${session}`);
  const growth = live.logs.get(session);
  const rows = growth?.[stream].rows ?? 0;
  const [follow, setFollow] = useState(true);
  const [error, setError] = useState<unknown>(undefined);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const search = useLogSearch({ quest, session, stream });
  const pages = useMemo(
    () =>
      new RowPages({
        fetch: async (from, limit, signal) =>
          (await client.sessionLog({ quest, session, query: { stream, from, limit } }, { signal })).lines,
        onChange: redraw,
        onError: setError,
      }),
    [client, quest, session, stream],
  );
  useEffect(() => () => pages.dispose(), [pages]);
  const seen = useRef({ from: 0, to: 0 });
  const bytes = growth?.[stream].bytes ?? 0;
  const rowsBefore = useRef(0);
  useEffect(() => {
    pages.forgetFrom(Math.max(0, rowsBefore.current - 1));
    rowsBefore.current = rows;
    if (seen.current.to > seen.current.from) pages.want(seen.current.from, Math.min(seen.current.to, rows));
  }, [pages, bytes]);
  useEffect(() => {
    if (search.goTo !== undefined) setFollow(false);
  }, [search.goTo]);
  const problem = error ?? live.errors.get(`session:${session}`);
  const shown = search.hits?.rows[search.at];
  return (
    <div className="session-log">
      <div className="log-tools">
        <SearchBox search={search} rows={rows} />
        <button
          type="button"
          className={follow ? 'button small on' : 'button small'}
          aria-pressed={follow}
          onClick={() => setFollow(!follow)}
        >
          <Icon name="down" small />
          {text(follow && growth?.ended !== true ? 'following' : 'followLog')}
        </button>
        <Keep quest={quest} session={session} stream={stream} rows={rows} />
      </div>
      {problem !== undefined && <ErrorNotice error={problem} />}
      {search.error !== undefined && <ErrorNotice error={search.error} />}
      {growth !== undefined && rows === 0 ? (
        <p className="log-none meta">{text(growth.ended ? 'logNothing' : 'logNothingYet')}</p>
      ) : (
        <VirtualRows
          key={`${session} ${stream}`}
          rows={rows}
          label={text('log')}
          goTo={search.goTo}
          follow={follow}
          onFollow={setFollow}
          onSeen={(from, to) => {
            seen.current = { from, to };
            pages.want(from, to);
          }}
          row={(index) => (
            <LogRow
              key={index}
              index={index}
              line={pages.row(index)}
              found={search.text}
              current={index === shown}
              digits={String(rows).length}
            />
          )}
        />
      )}
      <p className="log-foot meta">
        {text('logSize', { rows: countText(rows, language), size: bytesText(bytes) })}
        {growth?.ended === false && ` · ${text('logGrows')}`}
      </p>
    </div>
  );
}

function SearchBox({ search, rows }: { readonly search: ReturnType<typeof useLogSearch>; readonly rows: number }) {
  const { text, language } = useTexts();
  const { hits, at } = search;
  const count =
    hits === undefined
      ? search.searching
        ? '…'
        : ''
      : hits.total === 0
        ? text('searchNone')
        : `${countText(at + 1, language)} / ${countText(hits.total, language)}${hits.complete ? '' : '+'}`;
  return (
    <div className="log-search" role="search">
      <Icon name="search" small />
      <input
        type="search"
        aria-label={text('searchLog')}
        placeholder={text('searchRows', { rows: countText(rows, language) })}
        value={search.text}
        maxLength={200}
        onChange={(event) => search.setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search.step(event.shiftKey ? 1 : -1);
          if (event.key === 'Escape') search.setText('');
        }}
      />
      <span className="meta nowrap" role="status" title={hits?.complete === false ? text('searchCut') : undefined}>
        {count}
      </span>
      {search.text !== '' && (
        <>
          <button
            type="button"
            className="icon-button"
            aria-label={text('searchUp')}
            title={text('searchUp')}
            onClick={() => search.step(-1)}
          >
            <Icon name="up" small />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={text('searchDown')}
            title={text('searchDown')}
            onClick={() => search.step(1)}
          >
            <Icon name="down" small />
          </button>
        </>
      )}
    </div>
  );
}

/** At most so many of the last rows are put on the clipboard. */
const COPY_ROWS = 10_000;

function Keep({ quest, session, stream, rows }: Props & { readonly rows: number }) {
  const { text, language } = useTexts();
  const client = useClient();
  const [copied, setCopied] = useState(0);
  const copy = useAction(async () => {
    const own = getSelection()?.toString() ?? '';
    const lines: string[] = [];
    const first = own === '' ? Math.max(0, rows - COPY_ROWS) : rows;
    for (let from = first; from < rows;) {
      const answer = await client.sessionLog({ quest, session, query: { stream, from, limit: 1000 } });
      lines.push(...answer.lines.map(ansiText));
      if (answer.lines.length === 0) break;
      from += answer.lines.length;
    }
    await navigator.clipboard.writeText(own === '' ? lines.join('\n') : own);
    setCopied(own === '' ? lines.length : own.split('\n').length);
    setTimeout(() => setCopied(0), 3000);
  });
  const download = useAction(async () => {
    const response = await client.sessionLogContent({ quest, session, query: { stream } });
    saveAs(await response.blob(), `${session}-${stream}.log`);
  });
  const failure = copy.error ?? download.error;
  return (
    <>
      <button
        type="button"
        className="button small"
        disabled={copy.running || rows === 0}
        title={text('copyHelp', { rows: countText(COPY_ROWS, language) })}
        onClick={() => copy.run()}
      >
        <Icon name={copied > 0 ? 'done' : 'copy'} small />
        <span aria-live="polite">
          {copied > 0 ? text('rowsCopied', { rows: countText(copied, language) }) : text('copy')}
        </span>
      </button>
      <button
        type="button"
        className="button small"
        disabled={download.running || rows === 0}
        aria-label={text('download')}
        title={text('download')}
        onClick={() => download.run()}
      >
        <Icon name="download" small />
      </button>
      {failure !== undefined && <ErrorNotice error={failure} />}
    </>
  );
}
