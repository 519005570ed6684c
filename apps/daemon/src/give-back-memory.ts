import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const AFTER_MS = 3000;

/**
 * Gives back, once, what starting took. A daemon that rests allocates too little for the engine to collect its garbage by
 * itself, and stays as large as it was while it started.
 */
export function giveBackMemory(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    // The engine hands its collector only to contexts that are made after this flag.
    (runInNewContext('gc') as () => void)();
    setFlagsFromString('--no-expose-gc');
  }, AFTER_MS).unref();
}
