import type { Compression, DataEncoding, DatasetFormat, DatasetManifest, ReadingOptions } from '@assay/contracts';

/** Everything that must be known to read the same rows again. */
export interface TableShape extends Omit<ReadingOptions, 'encoding'> {
  readonly format: DatasetFormat;
  readonly encoding: DataEncoding;
  readonly compression?: Compression | undefined;
}

/** What must be known of a data file to read its rows again. A dataset manifest is one. */
export type KnownTable = Pick<
  DatasetManifest,
  | 'name'
  | 'path'
  | 'format'
  | 'encoding'
  | 'compression'
  | 'sha256'
  | 'columns'
  | 'targetColumn'
  | 'groupColumn'
  | 'timeColumn'
> &
  Omit<ReadingOptions, 'encoding'>;

/** How a profiled file was read. */
export function shapeOf(table: KnownTable): TableShape {
  const { format, encoding, compression, member, onBadBytes, delimiter, quote } = table;
  const { decimal, thousands, header, comment, onRagged, missing } = table;
  const numbers = { decimal, thousands };
  const rows = { header, comment, onRagged, onBadBytes, missing };
  return { format, encoding, compression, member, delimiter, quote, ...numbers, ...rows };
}

/** The members that are not as usual, for the record. */
export function statedShape(shape: TableShape): Partial<TableShape> {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Partial<TableShape>;
}
