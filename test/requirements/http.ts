import type { Requirement } from '../requirements.ts';

const source = 'spec: HTTP';

export const httpRequirements = {
  'http.health-open': {
    says: 'Health is open and says only the version; on a challenge it proves that the daemon knows the token.',
    source: 'spec: formats, HTTP',
  },
  'http.token-always': {
    says: 'Every route but health, and the trade of a one-time code, requires the token in the Authorization header; a token in the address is never read.',
    source,
  },
  'http.loopback-names': {
    says: 'A Host that is not a loopback name is refused; any port is taken, so that forwarded ports work.',
    source,
  },
  'http.no-foreign-pages': {
    says: 'Requests that a page of another site can cause are refused and change nothing; no CORS header is ever sent.',
    source: 'field case E10',
  },
  'http.owner-names': {
    says: 'X-User-Id, else the cookie assay_uid, else local names the owner; plans of another owner, also what explains them, answer not_owner.',
    source,
  },
  'http.faults-stay-inside': {
    says: 'An unexpected exception is answered as internal without its text and logged under the incident that the answer names.',
    source,
  },
  'http.bounded-requests': { says: 'A request body over one MiB is refused.', source },
  'http.errors-name-the-field': {
    says: 'A request that does not fit its schema is answered with the field and the reason.',
    source,
  },
  'http.errors-are-json': {
    says: 'Every failure, also an unknown address, another method and what is not HTTP, is a JSON error with code and message.',
    source,
  },
  'http.never-500-on-input': {
    says: 'Whatever is sent to any route, the answer is JSON and not a fault of the server.',
    source,
  },
  'http.idempotent-posts': {
    says: 'The same Idempotency-Key and body give the first answer again and do nothing twice; another body is refused.',
    source,
  },
  'http.etag': { says: 'A GET that did not change is answered 304.', source },
  'http.pages': { says: 'Lists are paged by cursor without repeating or skipping an item.', source },
  'http.artifacts-are-downloads': {
    says: 'The bytes of an artifact are a download that no browser shows or runs.',
    source,
  },
  'http.routes-pinned': { says: 'Routes, methods and operation names are the documented ones.', source },
  'http.openapi': {
    says: 'The OpenAPI 3.1 document names every route, is valid, resolves every reference, and real answers fit its schemas.',
    source,
  },
  'http.stream-resumes': {
    says: 'A stream has ids <generation>.<seq> and goes on after Last-Event-ID without a gap or a duplicate.',
    source,
  },
  'http.stream-resets': {
    says: 'A position of another generation is answered with reset, and a reader that is too slow is told to resume.',
    source,
  },
  'http.stream-ends-when-terminal': {
    says: 'A plan stream ends only when the plan is terminal now and all of its events were sent, also after a retry.',
    source,
  },
  'http.stream-frees': {
    says: 'A client that goes away, and one that takes nothing for a minute, leaves no follower behind.',
    source: 'field case I3',
  },
  'http.port': {
    says: 'A configured port that is taken is an error that names it; otherwise a free port is used.',
    source,
  },
  'http.socket': {
    says: 'The daemon also listens on a unix socket that only the owner can use, on a short path when its own is too long.',
    source,
  },
  'http.stream-tells-problem': {
    says: 'A plan that had to stop, because the disk is full or its journal cannot be written, ends its stream with the error.',
    source: 'spec: formats, damage',
  },
  'http.bodies-strict': {
    says: 'A body with an unknown member, a second data file or a NUL character is refused with the name of the member.',
    source,
  },
  'http.page-files': {
    says: 'The built page is served with a strict policy: only its own files run, addresses of its routes are the page, and nothing of it needs a token.',
    source: 'spec: surfaces, the page',
  },
  'http.one-time-link': {
    says: 'A link opens the page once within ten minutes; its code stands behind # and in no log.',
    source,
  },
  'http.topics': {
    says: 'Several topics are followed over one connection; positions of all are its id, a topic that fails does not end the others.',
    source,
  },
  'client.topics': {
    says: 'A follower of topics goes on over a restart of the daemon without losing or repeating an event, and says that it is cut off.',
    source: 'spec: client',
  },
  'client.told-errors': {
    says: 'An error that the server tells on a stream ends the follower at once; only broken connections are tried again.',
    source: 'spec: client',
  },
  'client.resumes': {
    says: 'A follower goes on over a restart of the server without losing or repeating an event, and gives up after ten failures.',
    source: 'spec: client',
  },
  'client.errors': {
    says: 'Every failure of the client is an AssayError with the code, why and hint of the server.',
    source: 'spec: client',
  },
} as const satisfies Record<string, Requirement>;
