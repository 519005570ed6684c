import type { Client } from '@assay/client';
import type { AssayEvent, Plan } from '@assay/contracts';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../stream/live.tsx';
import { attemptsOf, type Attempt } from './attempts.ts';

const PAGE = 10_000;

/** The attempts of a plan; when it changes, only what is new is read. */
export function useAttempts(plan: Plan): {
  readonly attempts: readonly Attempt[] | undefined;
  readonly error: unknown;
} {
  const client = useClient();
  const known = useRef<AssayEvent[]>([]);
  const [state, setState] = useState<{ attempts: readonly Attempt[] | undefined; error: unknown }>({
    attempts: undefined,
    error: undefined,
  });
  useEffect(() => {
    const stop = new AbortController();
    const read = async () => {
      const events = await readEvents(client, plan.id, known.current.at(-1)?.seq ?? 0, stop.signal);
      if (stop.signal.aborted) return;
      known.current = [...known.current, ...events];
      setState({ attempts: attemptsOf(known.current), error: undefined });
    };
    read().catch((error: unknown) => stop.signal.aborted || setState((before) => ({ ...before, error })));
    return () => stop.abort();
  }, [client, plan.id, plan.updatedAt]);
  return state;
}

export async function readEvents(
  client: Client,
  plan: string,
  after: number,
  signal: AbortSignal,
): Promise<AssayEvent[]> {
  const found: AssayEvent[] = [];
  for (let from = after; ;) {
    const page = await client.planEvents({ plan, query: { after: from, limit: PAGE } }, { signal });
    found.push(...page.events.filter(({ type }) => type !== 'plan.task_log'));
    const last = page.events.at(-1)?.seq;
    if (last === undefined || page.events.length < PAGE) return found;
    from = last;
  }
}
