import type { Client } from '@assay/client';
import { AssayError } from '@assay/foundation';
import { useSyncExternalStore } from 'react';
import type { TextSource } from '../i18n/texts.tsx';
import { bytes } from './amounts.ts';
import { changeFile } from './draft.ts';

export interface Sending {
  /** The file on its way. */
  readonly file: { readonly name: string; readonly size: number; readonly sent: number } | undefined;
  readonly error: unknown;
}

let state: Sending = { file: undefined, error: undefined };
let stop = new AbortController();
const listeners = new Set<() => void>();

function set(next: Sending): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Sends a file and makes it the one of the draft. It goes on when another screen is opened; a later file takes its place. */
export async function sendFile(client: Client, file: File, text: TextSource['text']): Promise<void> {
  stop.abort();
  const own = (stop = new AbortController());
  const { name, size } = file;
  set({ file: { name, size, sent: 0 }, error: undefined });
  try {
    const { limits } = await client.listUploads({ query: { limit: 1 } }, { signal: own.signal });
    if (size > limits.maxBytes) throw tooLarge(file, limits.maxBytes, text);
    const onProgress = ({ sent, total }: { readonly sent: number; readonly total: number }) => {
      if (!own.signal.aborted)
        set({ file: { name, size, sent: total === 0 ? 0 : (size * sent) / total }, error: undefined });
    };
    const upload = await client.createUpload({ file, name, onProgress }, { signal: own.signal });
    if (own.signal.aborted) return;
    changeFile({ kind: 'upload', id: upload.id, name: upload.name, size: upload.size });
    set({ file: undefined, error: undefined });
  } catch (error) {
    if (!own.signal.aborted) set({ file: undefined, error });
  }
}

export function cancelSending(): void {
  stop.abort();
  set({ file: undefined, error: undefined });
}

function tooLarge({ name, size }: File, limit: number, text: TextSource['text']): AssayError {
  return new AssayError('payload_too_large', text('tooLargeToSend'), {
    why: text('tooLargeToSendWhy', { name, size: bytes(size), limit: bytes(limit) }),
    hint: text('tooLargeToSendHint'),
  });
}

export function useSending(): Sending {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
