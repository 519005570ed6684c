import { AssayError } from '@assay/foundation';
import { useTexts } from '../i18n/texts.tsx';
import { Icon } from './icon.tsx';

/** What went wrong, why, and what to do. */
export function ErrorNotice({ error }: { readonly error: unknown }) {
  const { text } = useTexts();
  const known = error instanceof AssayError ? error : undefined;
  return (
    <div className="notice tone-failed" role="alert">
      <Icon name="failed" />
      <div>
        <p>{known?.message ?? text('failedTitle')}</p>
        {known?.why !== undefined && <p>{known.why}</p>}
        {known?.hint !== undefined && <p>{known.hint}</p>}
        {known === undefined && <p>{error instanceof Error ? error.message : String(error)}</p>}
      </div>
    </div>
  );
}
