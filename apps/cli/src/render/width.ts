import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter();

/** The text cut to a number of terminal cells, with `…` where something was left out. Wide characters take two. */
export function fit(text: string, cells: number): string {
  if (stringWidth(text) <= cells) return text;
  let used = 0;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    const width = stringWidth(segment);
    if (used + width > cells - 1) break;
    used += width;
    kept += segment;
  }
  return `${kept}…`;
}

export function padEnd(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - stringWidth(text)));
}

export function padStart(text: string, cells: number): string {
  return ' '.repeat(Math.max(0, cells - stringWidth(text))) + text;
}
