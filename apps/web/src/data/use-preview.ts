import { AssayError } from '@assay/foundation';
import type { DataPreview } from '@assay/contracts';
import { useEffect, useState } from 'react';
import { useClient } from '../stream/live.tsx';
import { changeFile, profileRequest, useDraft } from './draft.ts';

export interface Previewed {
  readonly preview: DataPreview | undefined;
  /** A newer answer is on its way. */
  readonly reading: boolean;
  readonly error: unknown;
}

const TYPING_MS = 350;

/** What is in the file of the draft, with what was said of it. The last answer stays until the next one is there. */
export function usePreview(): Previewed {
  const client = useClient();
  const draft = useDraft();
  const request = profileRequest(draft);
  const key = request === undefined ? '' : JSON.stringify(request);
  const file = JSON.stringify(draft.file);
  const [state, setState] = useState<Previewed & { readonly file: string }>(nothing);
  useEffect(() => {
    if (request === undefined) {
      setState(nothing);
      return undefined;
    }
    const stop = new AbortController();
    setState((last) => ({ ...(last.file === file ? last : nothing), file, reading: true, error: undefined }));
    const ask = () =>
      client.profileData({ body: request }, { signal: stop.signal }).then(
        (preview) => stop.signal.aborted || setState({ preview, reading: false, error: undefined, file }),
        (error: unknown) => {
          if (stop.signal.aborted) return;
          if (draft.file.kind === 'upload' && isGone(error)) changeFile({ kind: 'path', path: '' });
          setState((last) => ({ ...last, reading: false, error }));
        },
      );
    const timer = setTimeout(() => void ask(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [client, key, file]);
  return state;
}

const nothing = { preview: undefined, reading: false, error: undefined, file: '' };

/** The file was removed or has expired: the draft must not hold on to it. */
function isGone(error: unknown): boolean {
  return error instanceof AssayError && (error.code === 'not_found' || error.code === 'not_owner');
}
