import { AssayError } from '@assay/foundation';

/** Where a reader of a stream stands. Without a generation the seq is taken as it is. */
export interface Position {
  readonly after: number;
  readonly generation?: number;
}

/** `<generation>.<seq>`, the id of every event on a stream. */
export function formatPosition(generation: number, seq: number): string {
  return `${generation}.${seq}`;
}

/** Reads `<generation>.<seq>` or `<seq>`. Throws `invalid_request` for anything else. */
export function parsePosition(text: string): Position {
  const match = /^(?:(\d{1,15})\.)?(\d{1,15})$/.exec(text);
  if (match === null)
    throw new AssayError('invalid_request', 'the position in the stream is not valid', {
      why: `it is ${JSON.stringify(text.slice(0, 60))}`,
      hint: 'send the id of the last event that you have, such as 1.42, or 0 to start at the beginning',
    });
  const after = Number(match[2]);
  return match[1] === undefined ? { after } : { after, generation: Number(match[1]) };
}
