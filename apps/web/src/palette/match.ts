/** How well letters of a search stand in a text in their order: smaller is better, undefined when they do not. */
export function matchRank(text: string, search: string): number | undefined {
  const [within, wanted] = [text.toLowerCase(), search.toLowerCase().trim()];
  if (wanted === '') return 0;
  const at = within.indexOf(wanted);
  if (at !== -1) return /[\p{L}\p{N}]/u.test(within[at - 1] ?? ' ') ? 100 + at : at / 100;
  let place = -1;
  let gaps = 0;
  for (const letter of wanted.replaceAll(/\s+/g, '')) {
    const next = within.indexOf(letter, place + 1);
    if (next === -1) return undefined;
    gaps += next - place - 1;
    place = next;
  }
  return 1000 + gaps;
}
