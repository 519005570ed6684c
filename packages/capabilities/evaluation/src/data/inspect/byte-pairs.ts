/** What pairs of bytes beyond ASCII say; undefined when some of these bytes stand alone or outside GB2312's plane. */
export interface BytePairs {
  /** Different pairs. */
  readonly distinct: number;
  /** All are hanzi of GB2312's first level (common ones, by their sound) or its punctuation. */
  readonly common: boolean;
  /** The share of pairs behind the common kanji of Japanese and the syllables of Korean, which lie in the same place. */
  readonly chineseOnly: number;
}

/** Fewer different characters than this are too few to tell languages apart that share a plane. */
export const FEW_PAIRS = 8;

/**
 * GB2312, EUC-KR, EUC-JP and most of Big5 write a character as two bytes beyond ASCII: then every run of such bytes has
 * an even length. Words of languages with single bytes have odd lengths too, as soon as there are some.
 */
export function bytePairs(sample: Buffer): BytePairs | undefined {
  const pairs = new Set<number>();
  for (let at = 0; at < sample.length; at += 1) {
    const lead = sample[at]!;
    if (lead < 0x80) continue;
    const trail = sample[at + 1] ?? 0;
    if (lead < 0xa1 || lead > 0xf7 || trail < 0xa1 || trail > 0xfe) return undefined;
    pairs.add(lead * 256 + trail);
    at += 1;
  }
  if (pairs.size === 0) return undefined;
  const leads = [...pairs].map((pair) => pair >> 8);
  const common = leads.every((lead) => (lead >= 0xb0 && lead <= 0xd7) || lead <= 0xa3);
  const chineseOnly = leads.filter((lead) => lead >= 0xd0 && lead <= 0xd7).length / leads.length;
  return { distinct: pairs.size, common, chineseOnly };
}
