import type { Requirement } from '../requirements.ts';

export const eventStoreRequirements = {
  'event-store.dense-order': {
    says: 'Events of a quest are numbered from 1 without a gap, and the events of one append stand together in order.',
    source: 'spec: formats, event',
  },
  'event-store.validated-before-write': {
    says: 'An append in which one event does not fit its schema writes nothing, and what is stored is a copy.',
    source: 'spec: formats, event',
  },
  'event-store.streamed': {
    says: 'Streamed events are answered at once, reach disk and subscribers shortly after, and keep the order.',
    source: 'spec: formats, durable classes',
  },
  'event-store.closed': {
    says: 'A closed journal refuses everything and ends its followers.',
    source: 'spec: architecture, resources',
  },
  'event-store.read-ranges': {
    says: 'Events are read forward, backward, as a tail and as a scan, exactly as they were appended.',
    source: 'spec: formats, HTTP events',
  },
  'event-store.subscribe': {
    says: 'Subscribers see every event after its sync; one that fails disturbs nobody else.',
    source: 'spec: formats, durable classes',
  },
  'event-store.follow': {
    says: 'Following replays from disk and goes on live without a gap or a duplicate.',
    source: 'spec: formats, SSE',
  },
  'event-store.follow-slow': {
    says: 'A slow follower is told to resume; nothing is kept for it without bound.',
    source: 'field case I3',
  },
  'event-store.follow-generation': {
    says: 'A follower whose position is of another generation is told to start anew.',
    source: 'spec: formats, generations',
  },
  'event-store.projection': {
    says: 'A projection is folded from everything published, with each append before its caller is answered.',
    source: 'spec: formats, state',
  },
  'event-store.damage-stops': {
    says: 'Any damage but a torn last line stops the quest with file and offset and changes nothing; never a fresh start.',
    source: 'spec: formats, segments',
  },
  'event-store.check': {
    says: 'A full check reads every line and reports damage as data.',
    source: 'spec: quality, fsck',
  },
  'event-store.newer-refused': {
    says: 'A journal that a newer program wrote is refused with the reason, never guessed at.',
    source: 'spec: architecture, one file per durable thing',
  },
  'event-store.plain-lines': {
    says: 'Lines without a checksum, written by hand or by another program, are read when they pass the schema.',
    source: 'spec: formats, event',
  },
  'event-store.torn-line-cut': {
    says: 'A torn last line is cut at open with a note and a new generation that is kept.',
    source: 'spec: formats, segments',
  },
  'event-store.flips-found': {
    says: 'Changed bytes are found; what is read is a beginning of what was written, never another event.',
    source: 'spec: quality, properties',
  },
} as const satisfies Record<string, Requirement>;
