import type { Requirement } from '../requirements.ts';

const source = 'spec: surfaces, logs of sessions';

export const logRequirements = {
  'log.rows-by-number': {
    says: 'Rows of the log of a session are answered by number, also while it grows, also when lines are very long; an answer is bounded.',
    source,
  },
  'log.search': {
    says: 'A search in a log counts the rows with a text and names them, is bounded in time and can be canceled.',
    source,
  },
  'log.routes': {
    says: 'The log of a session is read by rows, in ranges of bytes, and followed over the stream of topics; only by who owns its plan.',
    source,
  },
  'log.ansi': {
    says: 'Colours of a terminal are shown in those of the theme; no other escape sequence and no markup of a log has any effect.',
    source,
  },
  'log.shown': {
    says: 'A log of a million rows is shown row by row from first to last, searched with count, next and previous.',
    source,
  },
  'log.followed': {
    says: 'A log that grows is followed over the one stream until a person scrolls away, and again when asked.',
    source,
  },
} as const satisfies Record<string, Requirement>;
