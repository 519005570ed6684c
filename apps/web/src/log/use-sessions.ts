import type { SessionInfo, Task } from '@assay/contracts';
import { useEffect, useState } from 'react';
import { useClient, useLive } from '../stream/live.tsx';

export interface Sessions {
  readonly list: readonly SessionInfo[];
  readonly error: unknown;
}

/** The commands of a task: asked again whenever the stream tells that one has begun or ended. */
export function useSessions(quest: string, plan: string, task: Task): Sessions {
  const client = useClient();
  const changes = useLive().watched.get(plan)?.sessionChanges.get(task.id) ?? 0;
  const [sessions, setSessions] = useState<Sessions>({ list: [], error: undefined });
  useEffect(() => {
    if (task.attempt === 0) return undefined;
    const stop = new AbortController();
    client.listSessions({ quest, query: { plan, task: task.id } }, { signal: stop.signal }).then(
      ({ sessions: list }) => setSessions({ list, error: undefined }),
      (error: unknown) => stop.signal.aborted || setSessions({ list: [], error }),
    );
    return () => stop.abort();
  }, [client, quest, plan, task.id, task.attempt, changes]);
  return sessions;
}
