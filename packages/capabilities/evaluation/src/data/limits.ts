/** Bounds of every reader. A file beyond one is refused with the row; nothing is cut silently. */
export const limits = {
  /** Bytes of one row, of one JSON line and of one JSON token. */
  rowBytes: 16 * 1024 * 1024,
  columns: 16_384,
  /** Rows are numbered in 32 bits. */
  rows: 0xffff_ffff,
  jsonDepth: 64,
  /** Distinct values that are counted exactly in one column. */
  distinct: 10_000,
  /** Labels of a classification. */
  labels: 1_000,
  /** Groups of rows that are kept together. */
  groups: 1_000_000,
  /** Bytes of a label. */
  labelBytes: 256,
  /** Memory for the distinct values of all columns together. */
  distinctBytes: 96 * 1024 * 1024,
  /** Bytes that a packed file may unpack to: always so many, and more by this ratio to what was read, to a maximum. */
  unpackedFree: 32 * 1024 * 1024,
  unpackedRatio: 250,
  unpackedBytes: 64 * 1024 * 1024 * 1024,
  /** What is looked at to find out how a file is read. */
  headBytes: 64 * 1024,
  /** What one read takes from the file. */
  chunkBytes: 256 * 1024,
} as const;
