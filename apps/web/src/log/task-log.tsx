import type { LogStream, SessionInfo } from '@assay/contracts';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../i18n/texts.tsx';
import type { LogLine } from '../stream/live-store.ts';
import { bytesText, plain } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { SessionLog } from './session-log.tsx';

interface Props {
  readonly quest: string;
  readonly lines: readonly LogLine[];
  readonly sessions: readonly SessionInfo[];
}

interface Source {
  readonly key: string;
  readonly session: SessionInfo;
  readonly stream: LogStream;
}

const NOTES = 'notes';

/** What is to be seen first: what the last command printed, else what it complained of, else our own notes. */
function usual(sources: readonly Source[]): string {
  const last = sources.filter(({ session }) => session.id === sources.at(-1)?.session.id);
  const printed = last.find(({ session, stream }) =>
    session.streams.some((one) => one.name === stream && one.bytes > 0),
  );
  return printed?.key ?? (last[0]?.session.exit === null ? last[0].key : NOTES);
}

/** What a task said: notes of Assay, and what each of its commands printed. */
export function TaskLog({ quest, lines, sessions }: Props) {
  const { text } = useTexts();
  const sources = sessions.flatMap((session) =>
    session.streams.map(({ name }): Source => ({ key: `${session.id} ${name}`, session, stream: name })),
  );
  const [chosen, setChosen] = useState<string>();
  const key = chosen ?? usual(sources);
  const source = sources.find((one) => one.key === key);
  return (
    <div className="task-log">
      <div className="log-source">
        <select
          className="small-select grow"
          aria-label={text('logSource')}
          value={source === undefined ? NOTES : key}
          onChange={(event) => setChosen(event.target.value)}
        >
          <option value={NOTES}>{text('logNotes')}</option>
          {sources.map((one) => (
            <option key={one.key} value={one.key}>
              {sourceName(one, text)}
            </option>
          ))}
        </select>
        {source !== undefined && (
          <Link
            className="icon-button"
            href={`/logs/${quest}/${source.session.id}/${source.stream}`}
            aria-label={text('logWide')}
            title={text('logWide')}
          >
            <Icon name="wide" small />
          </Link>
        )}
      </div>
      {source === undefined ? (
        <Notes lines={lines} />
      ) : (
        <SessionLog key={source.key} quest={quest} session={source.session.id} stream={source.stream} />
      )}
    </div>
  );
}

function sourceName({ session, stream }: Source, text: ReturnType<typeof useTexts>['text']): string {
  const bytes = session.streams.find(({ name }) => name === stream)?.bytes ?? 0;
  const size = session.exit === null ? '' : ` · ${bytesText(bytes)}`;
  return `${session.name}, ${text('attempt', { attempt: session.attempt })} · ${text(stream === 'output' ? 'streamOutput' : 'streamErrors')}${size}`;
}

function Notes({ lines }: { readonly lines: readonly LogLine[] }) {
  const { text } = useTexts();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [lines.length]);
  if (lines.length === 0) return <p className="log-none meta">{text('logEmpty')}</p>;
  return (
    <div ref={box} className="log notes" role="log" tabIndex={0} aria-label={text('logNotes')}>
      {lines.slice(-500).map((line, index) => (
        <div key={lines.length - index} className={line.level}>
          <time dateTime={line.at}>{line.at.slice(11, 19)}</time>
          {plain(line.message)}
        </div>
      ))}
    </div>
  );
}
