import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { useClient } from '../stream/live.tsx';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { bytes } from './amounts.ts';
import { changeFile, useDraft } from './draft.ts';
import { cancelSending, sendFile, useSending } from './sending.ts';

/** A place where a data file can be dropped. */
export function DropZone({ children, className }: { readonly children: ReactNode; readonly className: string }) {
  const { text } = useTexts();
  const client = useClient();
  const [over, setOver] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return (
    <div
      className={`drop-zone ${className}${over ? ' over' : ''}`}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file !== undefined) void sendFile(client, file, text);
      }}
    >
      {children}
      {over && <div className="drop-hint">{text('dropNow')}</div>}
    </div>
  );
}

/** The file of the draft, the one on its way, why one was refused, and the button that takes another. */
export function FileChips() {
  const { text } = useTexts();
  const client = useClient();
  const { file } = useDraft();
  const sending = useSending();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <div className="chips">
        {file.kind === 'upload' && sending.file === undefined && (
          <span className="file-chip">
            <Icon name="table" small />
            <span className="truncate">{file.name}</span>
            <span className="faint nowrap">{bytes(file.size)}</span>
            <button
              type="button"
              aria-label={text('removeFile', { name: file.name })}
              onClick={() => {
                changeFile({ kind: 'path', path: '' });
                client.removeUpload({ upload: file.id }).catch(() => undefined); // it expires by itself
              }}
            >
              <Icon name="close" small />
            </button>
          </span>
        )}
        {sending.file !== undefined && <OnItsWay file={sending.file} />}
        <button type="button" className="button small" onClick={() => input.current?.click()}>
          <Icon name="clip" small />
          {text('addFile')}
        </button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".csv,.tsv,.json,.jsonl,.ndjson,.txt,.gz,.zip,.bz2,.xz,.zst"
          data-testid="data-file"
          onChange={(event) => {
            const [chosen] = event.target.files ?? [];
            if (chosen !== undefined) void sendFile(client, chosen, text);
            event.target.value = '';
          }}
        />
        <span className="meta only-wide">{text('dropHere')}</span>
      </div>
      {sending.error !== undefined && <ErrorNotice error={sending.error} />}
    </>
  );
}

function OnItsWay({
  file,
}: {
  readonly file: { readonly name: string; readonly size: number; readonly sent: number };
}) {
  const { text } = useTexts();
  const share = file.size === 0 ? 0 : Math.min(1, file.sent / file.size);
  const percent = `${Math.floor(share * 100)} %`;
  return (
    <span className="file-chip sending" role="status">
      <span className="fill" style={{ width: `${share * 100}%` }} aria-hidden="true" />
      <Icon name="running" small spin />
      <span className="truncate">{text('sending', { name: file.name, percent })}</span>
      <button type="button" aria-label={text('cancelSending')} onClick={cancelSending}>
        <Icon name="close" small />
      </button>
    </span>
  );
}
