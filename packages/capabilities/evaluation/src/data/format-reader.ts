import type { RowView } from './row-view.ts';

/** A reader of one format. It takes decoded text and keeps no chunk longer than the call. */
export interface FormatReader {
  feed(chunk: Buffer): void;
  finish(): void;
  readonly columns: readonly string[];
  /** Rows of the file so far, also those that were left out. */
  readonly rows: number;
  /** Rows that were left out because they have other cells than the header. */
  readonly ragged: number;
  readonly warnings: readonly string[];
}

export interface ReaderOptions {
  readonly onHeader?: ((names: readonly string[]) => void) | undefined;
  readonly onRow: (row: RowView) => void;
  /** Leaves rows with more or fewer cells than the header out instead of refusing the file. */
  readonly dropRagged: boolean;
  readonly placeholdersAbsent?: readonly boolean[] | undefined;
}
