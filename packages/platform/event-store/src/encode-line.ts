import type { AssayEvent } from '@assay/contracts';
import { OPEN_SEAL } from './line.ts';

/** The line of an event, ready but for the digits of its checksum, which the thread that writes it fills in. */
export function encodeLine(event: AssayEvent): string {
  const { seq, id, at, type, quest, scope, trace, span, cause, data } = event;
  const head = `{"v":${event.v},"seq":${seq},"id":"${id}","at":"${at}","type":"${type}","quest":${quoted(quest)}`;
  const place = `,"scope":${JSON.stringify(scope)},"trace":${quoted(trace)},"span":${quoted(span)}`;
  const because = cause === undefined ? '' : `,"cause":${quoted(cause)}`;
  return `${head}${place}${because},"data":${JSON.stringify(data)}${OPEN_SEAL}\n`;
}

/** Ids are nearly always plain, and telling so is cheaper than escaping them. */
const PLAIN = /^[\w.:-]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
