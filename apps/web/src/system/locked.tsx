import { useTexts } from '../i18n/texts.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

/** Shown without a token: how to get a link. */
export function Locked({ error }: { readonly error?: unknown }) {
  const { text } = useTexts();
  return (
    <main className="empty">
      <h1>{text('lockedTitle')}</h1>
      <p className="dim">{text('lockedHelp')}</p>
      <p className="mono">npx assay up</p>
      {error !== undefined && <ErrorNotice error={error} />}
    </main>
  );
}
