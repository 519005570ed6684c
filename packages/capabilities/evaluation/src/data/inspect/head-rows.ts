import { AssayError } from '@assay/foundation';
import { CsvMachine, type CsvOptions } from '../csv-machine.ts';

const MOST_ROWS = 500;

/** The complete rows of a sample of text; as far as they can be read. */
export function headRows(head: Buffer, delimiter: string, options: CsvOptions = {}): readonly (readonly string[])[] {
  const rows: string[][] = [];
  const machine = new CsvMachine(
    delimiter.charCodeAt(0),
    (row) => {
      if (rows.length >= MOST_ROWS) return;
      rows.push(Array.from({ length: row.count }, (_, i) => row.bytes.toString('utf8', row.starts[i], row.ends[i])));
    },
    options,
  );
  try {
    machine.feed(head);
    if (rows.length === 0) machine.finish();
  } catch (error) {
    if (!(error instanceof AssayError)) throw error; // a wrong guess may make the sample malformed
  }
  return rows;
}
