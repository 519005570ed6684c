import { readRowsFile } from '@assay/evaluation';

/** An adapter names a row by its place in what it was given; a person has only the data file. */
export async function rowNamed(rowsFile: string, printed: string): Promise<string | undefined> {
  const index = /^adapter: row (\d{1,10}): /m.exec(printed)?.[1];
  if (index === undefined) return undefined;
  const { order } = await readRowsFile(rowsFile);
  const row = order?.[Number(index)];
  return row === undefined ? undefined : `row ${index} of the run is row ${row} of the data file, counted from 0`;
}
