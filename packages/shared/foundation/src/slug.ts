/**
 * A file-name-safe short form of a title in any script: letters and digits are kept, everything else becomes `-`.
 * Never empty, never a dot name, at most `max` characters.
 */
export function slug(title: string, max = 48): string {
  const words = title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  const cut = Array.from(words).slice(0, max).join('').replace(/-+$/, '');
  return cut === '' ? 'untitled' : cut;
}
