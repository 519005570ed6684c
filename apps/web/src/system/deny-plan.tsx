import type { Plan } from '@assay/contracts';
import type { TextKey } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { useClient } from '../stream/live.tsx';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-answer.ts';

/** Cancels the plan: what was found by then stays. */
export function Deny({ plan, word }: { readonly plan: Plan; readonly word: TextKey }) {
  const { text } = useTexts();
  const client = useClient();
  const deny = useAction(() => client.cancelPlan({ plan: plan.id, body: { reason: 'denied in the inbox' } }));
  return (
    <>
      <button type="button" className="button danger" disabled={deny.running} onClick={() => deny.run()}>
        <Icon name="close" small />
        {text(word)}
      </button>
      {deny.error !== undefined && <ErrorNotice error={deny.error} />}
    </>
  );
}
