import type { DataPreview, PlanInputs, ProfileData } from '@assay/contracts';
import { useSyncExternalStore } from 'react';

export type DraftFile =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'upload'; readonly id: string; readonly name: string; readonly size: number };

/** What was typed, dropped and corrected for a benchmark that has not started. */
export interface Draft {
  readonly goal: string;
  readonly repository: string;
  readonly file: DraftFile;
  readonly target: string;
  readonly task: '' | 'classification' | 'regression';
  /** Null: the inputs that the profile proposes. */
  readonly inputs: readonly string[] | null;
  readonly split: { readonly by: 'group' | 'time'; readonly column: string } | null;
  readonly reading: Pick<ProfileData, 'member' | 'encoding' | 'delimiter' | 'header'>;
}

const STORED = 'assay.draft.2';
const none: Draft = {
  goal: '',
  repository: '',
  file: { kind: 'path', path: '' },
  target: '',
  task: '',
  inputs: null,
  split: null,
  reading: {},
};

let current = stored();
const listeners = new Set<() => void>();

function stored(): Draft {
  try {
    const value = JSON.parse(localStorage.getItem(STORED) ?? '{}') as Partial<Draft>;
    const file = value.file;
    const known = file?.kind === 'path' ? typeof file.path === 'string' : typeof file?.id === 'string';
    return { ...none, ...value, file: known ? file! : none.file };
  } catch {
    return none; // not ours
  }
}

/** The draft is kept at once, so that a reload, another screen and another window have it. */
export function changeDraft(part: Partial<Draft>): void {
  current = { ...current, ...part };
  localStorage.setItem(STORED, JSON.stringify(current));
  for (const listener of listeners) listener();
}

/** Another file has other columns: what was said of the last one does not hold for it. */
export function changeFile(file: DraftFile): void {
  changeDraft({ file, target: '', task: '', inputs: null, split: null, reading: {} });
}

export function forgetDraft(): void {
  current = none;
  localStorage.removeItem(STORED);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const fromOtherWindow = (event: StorageEvent) => {
    if (event.key !== STORED) return;
    current = stored();
    listener();
  };
  listeners.add(listener);
  addEventListener('storage', fromOtherWindow);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', fromOtherWindow);
  };
}

export function useDraft(): Draft {
  return useSyncExternalStore(subscribe, () => current);
}

export function hasFile({ file }: Draft): boolean {
  return file.kind === 'upload' || file.path.trim() !== '';
}

/** What was said of the data, by the names that both a preview and a plan take. */
function said({ target, task, inputs, split, reading }: Draft) {
  return {
    ...(target === '' ? {} : { target }),
    ...(task === '' ? {} : { task }),
    ...(inputs === null ? {} : { input: [...inputs] }),
    ...(split === null ? {} : { [split.by]: split.column }),
    ...reading,
  };
}

/** Undefined when there is no file whose content could be asked for. */
export function profileRequest(draft: Draft): ProfileData | undefined {
  const { file } = draft;
  if (file.kind === 'upload') return { uploadId: file.id, ...said(draft) };
  const path = file.path.trim();
  return path.startsWith('/') ? { path, ...said(draft) } : undefined;
}

/** The request of a plan: everything that was chosen, and the target that was shown and accepted by starting. */
export function planRequest(
  draft: Draft,
  preview: DataPreview | undefined,
): { readonly inputs: PlanInputs; readonly attachments: { readonly uploadId: string }[] } {
  const { file, repository } = draft;
  const shown = preview?.manifest.targetColumn;
  const accepted = draft.target === '' && typeof shown === 'string' ? { target: shown } : {};
  return {
    inputs: {
      repository: repository.trim(),
      ...(file.kind === 'path' ? { data: file.path.trim() } : {}),
      ...accepted,
      ...said(draft),
    },
    attachments: file.kind === 'upload' ? [{ uploadId: file.id }] : [],
  };
}
