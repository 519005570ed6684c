import type { Requirement } from '../requirements.ts';

export const dataRequirements = {
  'data.encodings': {
    says: 'Text in UTF-16, UTF-32, GB18030, Big5, Shift_JIS, EUC and single-byte encodings is read; what was recognised is shown with its signs, what is unclear is asked.',
    source: 'spec: plans, benchmark harness',
  },
  'data.decoded-exactly': {
    says: 'Decoded text is that of the platform and of Python, wherever the bytes are cut into chunks.',
    source: 'spec: plans, benchmark harness',
  },
  'data.bad-bytes': {
    says: 'Bytes that cannot be decoded and zero bytes are refused with row, line and byte, or their rows are left out and counted.',
    source: 'spec: plans, benchmark harness',
  },
  'data.packed': {
    says: 'Files packed with gzip, zip, bzip2, xz or zstd are read in constant memory; damaged ones and bombs are refused.',
    source: 'spec: plans, benchmark harness',
  },
  'data.shape': {
    says: 'Separators, headers, comments, quotes, number marks and line ends are recognised with their signs or said; doubt is a question.',
    source: 'spec: plans, benchmark harness',
  },
  'data.ragged': {
    says: 'Rows with other cells than the header are refused by number, or left out and counted; a separator behind the last cell is not a cell.',
    source: 'spec: plans, benchmark harness',
  },
  'data.types': {
    says: 'Dates are typed with their form, an unclear order of day and month is said, and placeholders are missing among numbers only.',
    source: 'spec: plans, benchmark harness',
  },
  'data.group-split': {
    says: 'A split by groups has no group on both sides, comes near the wanted share of each label, and is the same for data and seed.',
    source: 'spec: plans, benchmark harness',
  },
  'data.time-split': {
    says: 'A split by time trains on earlier rows only, keeps equal times together, and refuses columns without an order.',
    source: 'spec: plans, benchmark harness',
  },
  'data.group-intervals': {
    says: 'With groups, intervals resample whole groups and say so.',
    source: 'spec: plans, benchmark harness',
  },
  'data.leakage': {
    says: 'Columns that say or nearly say the target, also in the name of a row, ids, order, telling names, group-like and time-like columns are named, and stop nothing.',
    source: 'spec: plans, benchmark harness',
  },
  'data.leakage-split': {
    says: 'Rows with the same inputs, exactly or nearly, and groups on both sides of a split are counted.',
    source: 'spec: plans, benchmark harness',
  },
  'data.verify-replays': {
    says: 'Verification decodes, unpacks, leaves out, groups and orders the data again, and another division does not pass.',
    source: 'decision 0012',
  },
  'data.as-python': {
    says: 'Awkward tables are read cell by cell as Python reads them, where it follows the standard.',
    source: 'spec: plans, benchmark harness',
  },
  'data.benchmark': {
    says: 'A benchmark on a packed file in another encoding with groups and rows left out completes, says so, and verifies offline.',
    source: 'spec: plans, benchmark harness',
  },
  'data.encoding-pairs': {
    says: 'Text whose bytes beyond ASCII all stand in pairs, or could be Big5 or Shift_JIS, is never read in silence as letters of single bytes: it is read right or asked about.',
    source: 'spec: plans, benchmark harness',
  },
  'data.zip': {
    says: 'A ZIP archive with several files is a question that lists them; check sums are compared; what is encrypted or packed twice is refused with what to do.',
    source: 'spec: plans, benchmark harness',
  },
  'data.questions': {
    says: 'A plan asks what cannot be told by looking, one question after another.',
    source: 'spec: plans, from text to plan',
  },
  'data.json-arrays-fast': {
    says: 'An array of JSON objects gives the same rows however its bytes arrive, and is refused when it is broken anywhere.',
    source: 'spec: quality, benchmarks',
  },
  'data.json-lines-fast': {
    says: 'The fast reader of plain JSON lines reads what the strict parser reads, cell by cell.',
    source: 'spec: quality, benchmarks',
  },
} as const satisfies Record<string, Requirement>;
