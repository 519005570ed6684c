import type { ReactNode } from 'react';
import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

/** What is still missing, and the button. */
export function StartBar({
  start,
  children,
}: {
  readonly start: {
    readonly state: TextKey;
    readonly disabled: boolean;
    readonly running: boolean;
    readonly error: unknown;
    readonly run: () => void;
  };
  readonly children?: ReactNode;
}) {
  const { text } = useTexts();
  const ready = start.state === 'stateReady';
  return (
    <div className="start-bar">
      {start.error !== undefined && <ErrorNotice error={start.error} />}
      <div className="row">
        <span className={`status grow ${ready ? 'tone-ready' : 'tone-pending'}`} role="status">
          <Icon name={ready ? 'ready' : 'pending'} small />
          {text(start.state)}
        </span>
        {children}
        <button type="button" className="button primary" disabled={start.disabled} onClick={start.run}>
          {text(start.running ? 'starting' : 'create')}
        </button>
      </div>
    </div>
  );
}
