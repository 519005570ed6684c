import type { AssayEvent } from '@assay/contracts';
import { OPEN_SEAL } from './line.ts';

/** The line of an event, ready but for the digits of its checksum, which the thread that writes it fills in. */
export function encodeLine(event: AssayEvent): string {
  const { seq, id, at, type, scope, cause, data } = event;
  const head = `{"v":${event.v},"seq":${seq},"id":"${id}","at":"${at}","type":"${type}${questPart(event.quest)}`;
  const because = cause === undefined ? '' : `,"cause":${quoted(cause)}`;
  const { trace, span } = event;
  return `${head}${JSON.stringify(scope)}${spanPart(trace, span)}${because},"data":${JSON.stringify(data)}${OPEN_SEAL}\n`;
}

let lastQuest = { quest: '', part: '","quest":"","scope":' };

/** Events in a row are nearly always of one quest. */
function questPart(quest: string): string {
  if (lastQuest.quest !== quest) lastQuest = { quest, part: `","quest":${quoted(quest)},"scope":` };
  return lastQuest.part;
}

let lastSpan = { trace: '', span: '', part: ',"trace":"","span":""' };

function spanPart(trace: string, span: string): string {
  if (lastSpan.trace !== trace || lastSpan.span !== span)
    lastSpan = { trace, span, part: `,"trace":${quoted(trace)},"span":${quoted(span)}` };
  return lastSpan.part;
}

/** Ids are nearly always plain, and telling so is cheaper than escaping them. */
const PLAIN = /^[\w.:-]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
