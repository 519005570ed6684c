/** The text of a file of a repository, with what was unusual about its encoding. */
export interface FileText {
  readonly text: string;
  /** Null for UTF-8 without a mark. */
  readonly note: string | null;
}

/** Reads bytes as text: UTF-8, UTF-16 with or without a byte order mark (PowerShell writes it), at last Latin-1. */
export function decodeText(bytes: Uint8Array): FileText {
  const utf16 = utf16Kind(bytes);
  if (utf16 !== undefined) {
    const text = new TextDecoder(utf16).decode(bytes.subarray(0, bytes.length - (bytes.length % 2)));
    return { text: tidy(text), note: 'it is written in UTF-16 and was read as such' };
  }
  try {
    return { text: tidy(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), note: null };
  } catch {
    return { text: tidy(Buffer.from(bytes).toString('latin1')), note: 'it is not UTF-8 and was read as Latin-1' };
  }
}

function utf16Kind(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // ASCII in UTF-16 has a zero in every pair; text in any other encoding has none.
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined;
  if (second === 0 && bytes[3] === 0 && first !== 0) return 'utf-16le';
  return first === 0 && bytes[2] === 0 && second !== 0 ? 'utf-16be' : undefined;
}

function tidy(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/** The 1-based line at which `needle` first stands in `text` from `after` on; 1 when it does not stand there as such. */
export function lineOf(text: string, needle: string, after = 0): number {
  const at = text.indexOf(needle, after);
  return at === -1 ? 1 : text.slice(0, at).split('\n').length;
}
