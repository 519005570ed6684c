import type { LogHits, LogStream } from '@assay/contracts';
import { useEffect, useState } from 'react';
import { useClient } from '../stream/live.tsx';

export interface LogSearch {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly hits: LogHits | undefined;
  readonly searching: boolean;
  readonly error: unknown;
  /** Place of the shown hit in `hits.rows`. */
  readonly at: number;
  readonly step: (by: 1 | -1) => void;
  readonly goTo: { readonly row: number } | undefined;
}

const PAUSE_MS = 200;

interface Found {
  readonly hits: LogHits | undefined;
  readonly error: unknown;
  readonly at: number;
  readonly goTo: { readonly row: number } | undefined;
}

const nothing: Found = { hits: undefined, error: undefined, at: 0, goTo: undefined };

function lastOf(hits: LogHits): Found {
  const at = hits.rows.length - 1;
  return { hits, error: undefined, at, goTo: at < 0 ? undefined : { row: hits.rows[at]! } };
}

/** Searches on the server while a person types: the search before is canceled. The last hit is shown first. */
export function useLogSearch(place: {
  readonly quest: string;
  readonly session: string;
  readonly stream: LogStream;
}): LogSearch {
  const client = useClient();
  const [text, setText] = useState('');
  const [searching, setSearching] = useState(false);
  const [found, setFound] = useState<Found>(nothing);
  const { quest, session, stream } = place;
  useEffect(() => {
    setFound(nothing);
    setSearching(text !== '');
    if (text === '') return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      client
        .searchSessionLog({ quest, session, query: { stream, text } }, { signal: stop.signal })
        .then(
          (hits) => setFound(lastOf(hits)),
          (error: unknown) => stop.signal.aborted || setFound({ ...nothing, error }),
        )
        .finally(() => stop.signal.aborted || setSearching(false));
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort(new Error('another text is searched'));
    };
  }, [client, quest, session, stream, text]);
  const step = (by: 1 | -1) => {
    const rows = found.hits?.rows ?? [];
    if (rows.length === 0) return;
    const at = (found.at + by + rows.length) % rows.length;
    setFound({ ...found, at, goTo: { row: rows[at]! } });
  };
  return { text, setText, searching, step, ...found };
}
