import type { Client, Topic } from '@assay/client';
import { createContext, use, useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { LiveStore, type Live } from './live-store.ts';
import type { TopicSource } from './topic-hub.ts';

interface Connected {
  readonly client: Client;
  readonly store: LiveStore;
}

const Context = createContext<Connected | undefined>(undefined);

interface ProviderProps {
  readonly client: Client;
  readonly source: TopicSource;
  readonly children: ReactNode;
}

export function LiveProvider({ client, source, children }: ProviderProps) {
  const value = useMemo(() => ({ client, store: new LiveStore(source) }), [client, source]);
  return <Context value={value}>{children}</Context>;
}

function useConnected(): Connected {
  const value = use(Context);
  if (value === undefined) throw new Error('a screen needs a LiveProvider above it');
  return value;
}

export function useClient(): Client {
  return useConnected().client;
}

export function useLive(): Live {
  const { store } = useConnected();
  return useSyncExternalStore(store.subscribe, store.get);
}

/** Watches a topic as long as the component is shown. */
export function useTopic(topic: Topic): Live {
  const { store } = useConnected();
  useEffect(() => store.watch(topic), [store, topic]);
  return useLive();
}
