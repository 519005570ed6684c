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
  'event-store.survives-kill': {
    says: 'Nothing that was acknowledged is lost when the process is killed at any moment or at a sync.',
    source: 'spec: quality, crash anywhere',
  },
  'event-store.failed-sync-poisons': {
    says: 'After a failed sync nothing is acknowledged until the segment was opened, read and synced again; what was answered as failed is cut.',
    source: 'spec: formats, durable classes',
  },
  'event-store.disk-full': {
    says: 'A full disk refuses appends as disk_full, half of nothing is acknowledged, and work goes on when there is space.',
    source: 'spec: quality, crash anywhere',
  },
  'event-store.read-only-disk': {
    says: 'A journal on a read-only disk can be read and refuses appends.',
    source: 'spec: quality, crash anywhere',
  },
  'event-store.group-commit': {
    says: 'Concurrent acknowledged appends share one sync.',
    source: 'spec: formats, durable classes',
  },
  'event-store.snapshots': {
    says: 'Snapshots are written every 20,000 events, when idle and at close; the last two are kept.',
    source: 'spec: formats, state',
  },
  'event-store.snapshots-checked': {
    says: 'A snapshot that is damaged, of another quest, version or generation, or ahead of the log is passed over.',
    source: 'spec: formats, state',
  },
  'event-store.state-deletable': {
    says: 'Deleting all of state/ changes nothing but time.',
    source: 'spec: formats, state',
  },
  'event-store.segments': {
    says: 'The log is kept in segments that are named after their first event and hold whole lines of any length up to 10 MB.',
    source: 'spec: formats, segments',
  },
  'event-store.offset-index': {
    says: 'Events are found through a sparse index that is rebuilt when it is missing or wrong.',
    source: 'spec: formats, segments',
  },
  'event-store.worker-death': {
    says: 'The death of the journal thread is an error for what was asked, never a hang, and the journal goes on.',
    source: 'spec: architecture, scale',
  },
  'event-store.shared-thread': {
    says: 'One thread owns the descriptors of all journals.',
    source: 'spec: architecture, scale',
  },
  'event-store.backpressure': {
    says: 'Callers wait when more is appended than the disk takes; what waits in memory is bounded.',
    source: 'spec: quality, bounds',
  },
  'event-store.format-pinned': {
    says: 'The bytes of a line and of the generation file are pinned: a journal that was written once is read for ever.',
    source: 'spec: quality, pins',
  },
  'event-store.shared-memory': {
    says: 'Batches reach the journal thread through shared memory, in order and whole; what does not fit goes by message.',
    source: 'decision 0015',
  },
  'event-store.sleeps-when-idle': {
    says: 'A journal that rests uses no processor, and one that works looks ahead without sleeping only on idle processors.',
    source: 'decision 0015',
  },
  'event-store.pool-priority': {
    says: 'The thread pool has a lower priority than the threads that answer and that write journals.',
    source: 'spec: architecture, scale',
  },
} as const satisfies Record<string, Requirement>;
