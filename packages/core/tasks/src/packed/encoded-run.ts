/** Shorter runs are names and keys. */
export const BLOB_RUN = 64;

/** Whether a run of letters and digits is long enough to hold something, and more varied than a ruler of dashes. */
export function isLongEnough(run: string): boolean {
  return run.length >= BLOB_RUN && new Set(run.slice(0, 256)).size >= 8;
}

const BASE64 = 1;
const BASE85 = 2;
const classes = new Uint8Array(256);
for (let code = 0; code < 128; code++) {
  const letter = String.fromCharCode(code);
  classes[code] =
    (/[A-Za-z0-9+/_-]/.test(letter) ? BASE64 : 0) | (/[0-9A-Za-z!#$%&()*+\-;<=>?@^_`{|}~]/.test(letter) ? BASE85 : 0);
}

/** The longest runs of letters of either writing in a text of one byte a letter: most texts have none worth a look. */
export function longestRuns(text: string): { readonly base64: number; readonly base85: number } {
  const longest = { base64: 0, base85: 0 };
  let base64 = 0;
  let base85 = 0;
  for (let at = 0; at < text.length; at++) {
    const is = classes[text.charCodeAt(at)]!;
    base64 = (is & BASE64) === 0 ? 0 : base64 + 1;
    base85 = (is & BASE85) === 0 ? 0 : base85 + 1;
    if (base64 > longest.base64) longest.base64 = base64;
    if (base85 > longest.base85) longest.base85 = base85;
  }
  return longest;
}
