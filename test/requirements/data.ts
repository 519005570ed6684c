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
} as const satisfies Record<string, Requirement>;
