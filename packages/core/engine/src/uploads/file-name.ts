/** The record beside a sent file; no sent file may have its name. */
export const UPLOAD_RECORD = 'upload.json';
const MOST_BYTES = 120;

/**
 * A name that somebody sent, as the name of a file here: its last part, in any script, without controls, characters that
 * reorder or hide, and what other systems forbid. Its endings stay, since they say how a file is read.
 */
export function safeFileName(sent: string): string {
  const last = sent.normalize('NFC').split(/[/\\]/).at(-1)!;
  const plain = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '-')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/^[. ]+|[. ]+$/g, '');
  if (plain === '') return 'data';
  if (plain.toLowerCase() === UPLOAD_RECORD) return 'upload-data.json';
  const ending = /(?:\.[A-Za-z0-9]{1,8}){1,2}$/.exec(plain)?.[0] ?? '';
  const stem = plain.slice(0, plain.length - ending.length);
  return `${cut(stem === '' ? 'data' : stem, MOST_BYTES - Buffer.byteLength(ending))}${ending}`;
}

function cut(text: string, bytes: number): string {
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    kept += character;
  }
  return kept;
}
