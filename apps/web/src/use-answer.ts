import { useEffect, useState, type DependencyList } from 'react';

export interface Answer<T> {
  readonly answer: T | undefined;
  readonly error: unknown;
}

/** Asks once per change of the dependencies; an answer that comes too late is dropped. */
export function useAnswer<T>(ask: (signal: AbortSignal) => Promise<T>, dependencies: DependencyList): Answer<T> {
  const [state, setState] = useState<Answer<T>>({ answer: undefined, error: undefined });
  useEffect(() => {
    const stop = new AbortController();
    ask(stop.signal).then(
      (answer) => stop.signal.aborted || setState({ answer, error: undefined }),
      (error: unknown) => stop.signal.aborted || setState({ answer: undefined, error }),
    );
    return () => stop.abort();
  }, dependencies);
  return state;
}

/** An action behind a button: one at a time, with its failure. */
export function useAction<A extends readonly unknown[]>(
  act: (...args: A) => Promise<unknown>,
): { readonly run: (...args: A) => void; readonly running: boolean; readonly error: unknown } {
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const run = (...args: A) => {
    if (running) return;
    setRunning(true);
    setError(undefined);
    act(...args)
      .catch(setError)
      .finally(() => setRunning(false));
  };
  return { run, running, error };
}
