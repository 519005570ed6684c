import type { Requirement } from '../requirements.ts';

const source = 'spec: HTTP, uploads and data';

export const uploadRequirements = {
  'uploads.kept': {
    says: 'A file that was sent is kept byte for byte with its hash under a safe name, also across a restart, and belongs to its sender alone.',
    source,
  },
  'uploads.whole-or-nothing': {
    says: 'Of a file that was cut off, canceled, refused or caught by a crash nothing is kept.',
    source,
  },
  'uploads.limits': {
    says: 'Size, count, sum, rate and free disk are bounded, by the bytes that come and not by what a request declares; each refusal says the limit and what to do.',
    source,
  },
  'uploads.streamed': {
    says: 'A file is written while it comes: the memory of the daemon does not grow with it.',
    source,
  },
  'uploads.expire': {
    says: 'A sent file is removed when it has expired, unless a plan can still run on it or its numbers are verified by it alone.',
    source,
  },
  'uploads.safe-names': {
    says: 'The name of a sent file never leaves its folder, in whatever script or form it was sent.',
    source,
  },
  'uploads.fsck': {
    says: 'fsck tells a sent file that changed, is missing, lies at another owner or has no record, and what did not come whole.',
    source,
  },
  'data.preview': {
    says: 'A data file is shown before any plan: columns with types, missing and different values, distributions that add up, first rows, candidates for the target, signs of leakage and a split.',
    source,
  },
  'data.preview-open-questions': {
    says: 'What a file leaves open is shown with the likeliest answer and its alternatives; roles that cannot be are told beside what can be said without them.',
    source,
  },
  'data.preview-read-once': {
    says: 'A file is read once for its content and way of reading; another target is answered from that pass, and a changed file is read again.',
    source,
  },
  'data.preview-stops': { says: 'A preview ends when nobody waits for it any more.', source },
} as const satisfies Record<string, Requirement>;
